//! A person at a terminal: in their editor, or question by question.

use agon_debates::front::desk::{AnswerFault, Desk, Lines, SittingOutcome, mark_unfinished};
use agon_report::text::plain_line;
use tokio_util::sync::CancellationToken;

use super::input::{Typed, print_prompt, print_wrapped, read_line};
use super::interview::{Ending, Interview};
use crate::error::{Code, Failure};
use crate::output::Out;
use crate::stop;

/// A person who writes at a desk.
pub(super) struct AnswerWriter<'a> {
    pub(super) desk: &'a Desk<'a>,
}

/// What they want done with what they wrote.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Then {
    Edit,
    /// To be asked; from the first question on, or from where they were.
    Ask {
        from_the_start: bool,
    },
    HandIn,
    Leave,
}

impl AnswerWriter<'_> {
    /// Lets them write until they hand it in or leave.
    ///
    /// # Errors
    ///
    /// If it cannot be kept, or they stop it with Ctrl-C.
    pub(super) async fn run_session(&self, out: &mut Out) -> Result<SittingOutcome, Failure> {
        let cancel = stop::signal_cancellation_token();
        let came = self.write_until_submitted(&cancel, out).await;
        if !matches!(came, Ok(SittingOutcome::HandedIn(..))) {
            self.mark_unfinished(out);
        }
        came
    }

    /// Marks the saved draft as unfinished, so that no other command submits it.
    fn mark_unfinished(&self, out: &mut Out) {
        let kept = self.desk.read_written_answer().ok().flatten();
        let Some(text) = kept.and_then(|bytes| String::from_utf8(bytes).ok()) else {
            return;
        };
        let marked = mark_unfinished(&text);
        if marked == text {
            return;
        }
        if let Err(failure) = self.desk.save_answer(&marked) {
            out.eprint_line(&format!(
                "note: it still counts as done: {}",
                failure.message
            ));
        }
    }

    async fn write_until_submitted(
        &self,
        cancel: &CancellationToken,
        out: &mut Out,
    ) -> Result<SittingOutcome, Failure> {
        let file = self.desk.ensure_form_file()?;
        let name = self.desk.display_path(&file);
        let editor = self.desk.editor();
        let seat = self.desk.seat();
        print_wrapped(
            &format!(
                "your turn ({}) in {}; what you write is kept in {name}",
                self.desk.describe_turn(),
                self.desk.command_name()
            ),
            "",
            out,
        );
        self.show_sent_back(out);
        let mut then = match editor {
            Some(_) => Then::Edit,
            None => Then::Ask {
                from_the_start: false,
            },
        };
        loop {
            let is_edited = then == Then::Edit;
            let is_done = match (then, &editor) {
                (Then::Ask { from_the_start }, _) => {
                    let mut interview = Interview::begin(self.desk, cancel, out)?;
                    match interview.ask(from_the_start, out).await? {
                        Ending::Asked => true,
                        Ending::Left => return Ok(SittingOutcome::Left),
                        Ending::Interrupted => return Err(self.stopped_failure()),
                    }
                }
                (_, Some(editor)) => self.edit_in_editor(editor, cancel, out).await?,
                (_, None) => false,
            };
            let bytes = self.desk.read_written_answer().unwrap_or_else(|failure| {
                print_wrapped(&format!("{}; make it shorter", failure.message), "", out);
                None
            });
            let bytes = bytes.unwrap_or_default();
            let checked = self.desk.check(&name, &bytes);
            let marked = checked.as_ref().and_then(|checked| checked.unfinished);
            let worst = match &checked {
                None => {
                    out.eprint_line("nothing is written yet");
                    Some(AnswerFault::Unreadable)
                }
                Some(checked) => {
                    let lines = match is_edited {
                        true => Lines::Told,
                        false => Lines::Hidden,
                    };
                    checked.note_findings(lines, out);
                    checked.worst_fault()
                }
            };
            if let (true, true, Some(line)) = (is_edited, is_done, marked) {
                out.eprint_line(&format!("its line {line} says that it is unfinished"));
            }
            // Who has an editor says in the file that it is done.
            let is_final = is_edited && is_done && marked.is_none() && worst.is_none();
            then = match is_final {
                true => Then::HandIn,
                false => {
                    self.ask_next_step(editor.is_some(), is_edited, worst, cancel, out)
                        .await?
                }
            };
            match (then, checked) {
                (Then::Leave, _) => return Ok(SittingOutcome::Left),
                (Then::HandIn, Some(checked)) => {
                    out.eprint_line(&format!("handed in as {seat}"));
                    return Ok(SittingOutcome::HandedIn(checked, bytes));
                }
                _ => {}
            }
        }
    }

    /// Says why their answer before was sent back.
    fn show_sent_back(&self, out: &mut Out) {
        let why = self.desk.describe_sent_back();
        if why.is_empty() {
            return;
        }
        out.eprint_line("your answer was sent back, once; what you wrote is still there:");
        for said in why {
            print_wrapped(&plain_line(&said), "  ", out);
        }
    }

    /// Asks what is to be done with what is written.
    async fn ask_next_step(
        &self,
        has_editor: bool,
        is_edited: bool,
        worst: Option<AnswerFault>,
        cancel: &CancellationToken,
        out: &mut Out,
    ) -> Result<Then, Failure> {
        let mut choices = Vec::new();
        match worst {
            None => choices.push("[h]and it in"),
            Some(AnswerFault::Unreadable) => {}
            Some(AnswerFault::Broken) => choices.push("[h]and it in as it is"),
        }
        if has_editor {
            choices.push("[e]dit it");
        }
        choices.push("[q]uestion by question");
        choices.push("[s]top here, and keep it");
        // Enter does what most would do next, but hands nothing in: the empty line that ends an answer
        // is easily typed once more.
        let usual = match (worst, is_edited) {
            (None, false) => None,
            (_, true) => Some('e'),
            (Some(_), false) => Some('q'),
        };
        let enter = usual.map_or_else(String::new, |key| format!(" [Enter: {key}]"));
        loop {
            print_wrapped(&format!("{}{enter}", choices.join(", ")), "", out);
            print_prompt("> ");
            let line = match read_line(cancel).await {
                Typed::Line(line) => line,
                Typed::Ended => {
                    out.eprint_line("");
                    return Ok(Then::Leave);
                }
                Typed::Stopped => return Err(self.stopped_failure()),
            };
            let typed = line.trim();
            let Some(key) = typed.to_lowercase().chars().next().or(usual) else {
                print_wrapped("type one of these letters", "", out);
                continue;
            };
            match key {
                'e' if has_editor => return Ok(Then::Edit),
                'q' => {
                    return Ok(Then::Ask {
                        from_the_start: true,
                    });
                }
                'h' if worst != Some(AnswerFault::Unreadable) => return Ok(Then::HandIn),
                's' => return Ok(Then::Leave),
                _ => print_wrapped(
                    &format!("\"{}\" is none of these letters", plain_line(typed)),
                    "",
                    out,
                ),
            }
        }
    }

    /// Opens the form in the editor, and waits until it is closed; whether it ended well.
    async fn edit_in_editor(
        &self,
        editor: &str,
        cancel: &CancellationToken,
        out: &mut Out,
    ) -> Result<bool, Failure> {
        // Ctrl-C is the editor's too: who stops does so when it has given the terminal back.
        let ending = self.desk.edit(editor).await;
        if let Err(wrong) = &ending {
            out.eprint_line(wrong);
        }
        match cancel.is_cancelled() {
            true => Err(self.stopped_failure()),
            false => Ok(ending.is_ok()),
        }
    }

    fn stopped_failure(&self) -> Failure {
        let name = self.desk.command_name();
        Failure::new(Code::Cancelled, "stopped; what you wrote is kept")
            .hint(format!("agon resume {name} goes on"))
    }
}
