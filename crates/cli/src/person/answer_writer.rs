//! Lets a person write an answer in their editor or question by question.

use agon_debates::front::desk::{AnswerFault, Desk, Lines, SittingOutcome, mark_unfinished};
use agon_report::text::plain_line;
use tokio_util::sync::CancellationToken;

use super::input::{Typed, print_prompt, print_wrapped, read_line};
use super::interview::{Ending, Interview};
use crate::error::{Code, Failure};
use crate::output::Out;
use crate::stop;

/// Lets a person write an answer.
pub(super) struct AnswerWriter<'a> {
    pub(super) desk: &'a Desk<'a>,
}

/// The next step that the person chose.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Then {
    Edit,
    /// Ask the questions, from the first one or from where the person stopped.
    Ask {
        from_the_start: bool,
    },
    HandIn,
    Leave,
}

impl AnswerWriter<'_> {
    /// Lets the person write until they submit the answer or leave.
    ///
    /// # Errors
    ///
    /// Returns an error if the answer cannot be saved, or the person presses Ctrl-C.
    pub(super) async fn run_session(&self, out: &mut Out) -> Result<SittingOutcome, Failure> {
        let cancel = stop::signal_cancellation_token();
        let outcome = self.write_until_submitted(&cancel, out).await;
        if !matches!(outcome, Ok(SittingOutcome::HandedIn(..))) {
            self.mark_unfinished(out);
        }
        outcome
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
                "note: cannot mark the saved answer as unfinished: {}",
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
                "your turn ({}) in {}; your answer is saved in {name}",
                self.desk.describe_turn(),
                self.desk.command_name()
            ),
            "",
            out,
        );
        self.print_rejection_reasons(out);
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
                    out.eprint_line("the answer is still empty");
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
                out.eprint_line(&format!(
                    "the answer is marked as unfinished in line {line}"
                ));
            }
            // Removing the mark in the editor submits the answer without a further question.
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
                    out.eprint_line(&format!("submitted as {seat}"));
                    return Ok(SittingOutcome::HandedIn(checked, bytes));
                }
                _ => {}
            }
        }
    }

    /// Prints why the previous answer was sent back.
    fn print_rejection_reasons(&self, out: &mut Out) {
        let why = self.desk.describe_sent_back();
        if why.is_empty() {
            return;
        }
        out.eprint_line("your answer was sent back for these reasons; your text is still there:");
        for said in why {
            print_wrapped(&plain_line(&said), "  ", out);
        }
    }

    /// Asks the person for the next step.
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
            Some(AnswerFault::Broken) => choices.push("[h]and it in with these errors"),
        }
        if has_editor {
            choices.push("[e]dit it");
        }
        choices.push("[q]uestion by question");
        choices.push("[s]top, and keep it");
        // Enter chooses the usual next step but never submits, because people easily type one empty
        // line too many after an answer.
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
                    &format!("unknown choice \"{}\"", plain_line(typed)),
                    "",
                    out,
                ),
            }
        }
    }

    /// Opens the form in the editor and waits until it is closed; returns whether the editor
    /// succeeded.
    async fn edit_in_editor(
        &self,
        editor: &str,
        cancel: &CancellationToken,
        out: &mut Out,
    ) -> Result<bool, Failure> {
        // Ctrl-C also reaches the editor, so act on a cancellation only after the editor has
        // closed.
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
        Failure::new(Code::Cancelled, "stopped; your text is saved")
            .hint(format!("continue with: agon resume {name}"))
    }
}
