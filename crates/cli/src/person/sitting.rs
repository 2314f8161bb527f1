//! A person at a terminal: in their editor, or line by line.

use std::io::Write;

use agon_app::desk::{AnswerFault, Desk, SittingOutcome, mark_unfinished};
use agon_report::text::plain_line;
use tokio_util::sync::CancellationToken;

use crate::error::{Failure, FailureKind};
use crate::output::Out;
use crate::stop;

/// A person who writes at a desk.
pub(super) struct AnswerWriter<'a> {
    pub(super) desk: &'a Desk<'a>,
}

/// What they want done with what they wrote.
enum Then {
    Edit,
    Add,
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
        out.eprint_line(&format!(
            "your turn as {seat} ({}), kept in {name}",
            self.desk.ask_key()
        ));
        let mut then = Then::Add;
        loop {
            let ended = match editor {
                Some(editor) => self.edit_in_editor(editor, cancel, out).await?,
                None => {
                    self.type_answer(matches!(then, Then::Edit), cancel, out)
                        .await?;
                    true
                }
            };
            let bytes = self.desk.read_written_answer().unwrap_or_else(|failure| {
                out.eprint_line(&format!(
                    "{}; make it shorter",
                    plain_line(&failure.message)
                ));
                None
            });
            let bytes = bytes.unwrap_or_default();
            let checked = self.desk.check(&name, &bytes);
            // Who types says that it is done by ending it, who has an editor in the file.
            let marked = checked.as_ref().and_then(|checked| checked.unfinished);
            let done = ended && (editor.is_none() || marked.is_none());
            let worst = match &checked {
                None => {
                    out.eprint_line("nothing is written yet");
                    Some(AnswerFault::Unreadable)
                }
                Some(checked) => {
                    checked.note_findings(out);
                    checked.worst_fault()
                }
            };
            if let (false, Some(line)) = (done, marked) {
                out.eprint_line(&format!("its line {line} says that it is unfinished"));
            }
            then = match worst {
                None if done => Then::HandIn,
                worst => {
                    self.ask_next_step(editor.is_some(), worst, cancel, out)
                        .await?
                }
            };
            match (then, checked) {
                (Then::Leave, _) => return Ok(SittingOutcome::Left),
                (Then::HandIn, Some(checked)) => {
                    out.eprint_line(&format!("handed in as {seat}"));
                    return Ok(SittingOutcome::HandedIn(checked, bytes));
                }
                (other, _) => then = other,
            }
        }
    }

    /// Asks what is to be done with what is written.
    async fn ask_next_step(
        &self,
        editor: bool,
        worst: Option<AnswerFault>,
        cancel: &CancellationToken,
        out: &mut Out,
    ) -> Result<Then, Failure> {
        let edit = if editor {
            "[e]dit again"
        } else {
            "[a]dd to it, [e]nter it again from the start"
        };
        let hand_in = match worst {
            None => ", [h]and it in",
            Some(AnswerFault::Unreadable) => "",
            Some(AnswerFault::Broken) => ", [h]and it in as it is",
        };
        loop {
            print_prompt(&format!("{edit}{hand_in}, [s]top here: "));
            let Some(line) = self.read_line(cancel).await? else {
                out.eprint_line("");
                return Ok(Then::Leave);
            };
            match line.trim().to_lowercase().chars().next() {
                None | Some('e') if editor => return Ok(Then::Edit),
                None | Some('a') => return Ok(Then::Add),
                Some('e') => return Ok(Then::Edit),
                Some('h') if !hand_in.is_empty() => return Ok(Then::HandIn),
                Some('s') => return Ok(Then::Leave),
                Some(_) => {}
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

    pub(super) fn stopped_failure(&self) -> Failure {
        let slug = plain_line(self.desk.slug());
        Failure::new(
            FailureKind::Cancelled,
            "cancelled",
            "stopped; what you wrote is kept",
        )
        .hint(format!("agon resume {slug} goes on"))
    }
}

/// That stderr is gone cannot be reported.
pub(super) fn print_prompt(text: &str) {
    let mut stderr = anstream::stderr();
    drop(write!(stderr, "{text}").and_then(|()| stderr.flush()));
}
