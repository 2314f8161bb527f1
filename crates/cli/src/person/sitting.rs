//! A person at a terminal: in their editor, or line by line.

use std::io::Write;
use std::path::Path;

use agon_prompt::human;
use agon_record::finding::Severity;
use agon_record::id::AskKey;
use agon_record::state::State;
use agon_report::text::plain;
use agon_store::{RealDisk, keep_answer, kept_answer};
use tokio_util::sync::CancellationToken;

use super::checked::Checked;
use super::laid;
use crate::error::{Exit, Failure};
use crate::output::Out;
use crate::running::{Place, shown};
use crate::stop;

/// A person who is asked at the terminal.
pub(super) struct Sitting<'a> {
    pub(super) place: Place<'a>,
    pub(super) path: &'a Path,
    pub(super) state: &'a State,
    pub(super) key: AskKey,
}

/// What came of it.
pub(super) enum Came {
    /// They hand in this, read from these bytes.
    HandedIn((Checked, Vec<u8>)),
    /// They stop here, and the debate waits.
    Left,
}

/// What they want done with what they wrote.
enum Then {
    Edit,
    Add,
    HandIn,
    Leave,
}

impl Sitting<'_> {
    /// Lets them write until they hand it in or leave.
    ///
    /// # Errors
    ///
    /// If it cannot be kept, or they stop it with Ctrl-C.
    pub(super) async fn sit(&self, out: &mut Out) -> Result<Came, Failure> {
        let cancel = CancellationToken::new();
        let stopping = stop::on_signal(cancel.clone());
        let came = self.write(&cancel, out).await;
        stopping.abort();
        if !matches!(came, Ok(Came::HandedIn(_))) {
            self.leave(out);
        }
        came
    }

    /// Says in what was written that it is unfinished, so that nobody hands it in for them.
    fn leave(&self, out: &mut Out) {
        let kept = kept_answer(&RealDisk, self.path, self.key).ok().flatten();
        let Some(text) = kept.and_then(|bytes| String::from_utf8(bytes).ok()) else {
            return;
        };
        let marked = human::unfinished(&text);
        if marked == text {
            return;
        }
        let kept = keep_answer(&RealDisk, self.path, self.key, marked.as_bytes());
        if let Err(error) = kept {
            out.note(&format!("note: it still counts as done: {error}"));
        }
    }

    async fn write(&self, cancel: &CancellationToken, out: &mut Out) -> Result<Came, Failure> {
        let file = laid(self.path, self.state, self.key)?;
        let name = shown(self.place.edge, &file);
        let editor = self.editor();
        let seat = self.key.turn.seat;
        out.note(&format!(
            "your turn as {seat} ({}), kept in {name}",
            self.key
        ));
        let mut then = Then::Add;
        loop {
            let ended = match &editor {
                Some(editor) => self.edit(editor, cancel, out).await?,
                None => {
                    self.type_in(matches!(then, Then::Edit), cancel, out)
                        .await?;
                    true
                }
            };
            let bytes = kept_answer(&RealDisk, self.path, self.key).unwrap_or_else(|error| {
                out.note(&format!("{}; make it shorter", plain(&error.to_string())));
                None
            });
            let bytes = bytes.unwrap_or_default();
            let checked = Checked::of(self.state, self.key, (&name, &bytes));
            // Who types says that it is done by ending it, who has an editor in the file.
            let marked = checked.as_ref().and_then(|checked| checked.unfinished);
            let done = ended && (editor.is_none() || marked.is_none());
            let worst = match &checked {
                None => {
                    out.note("nothing is written yet");
                    Some(Severity::Fatal)
                }
                Some(checked) => {
                    checked.show(out);
                    checked.worst()
                }
            };
            if let (false, Some(line)) = (done, marked) {
                out.note(&format!("its line {line} says that it is unfinished"));
            }
            then = match worst {
                None if done => Then::HandIn,
                worst => self.then(editor.is_some(), worst, cancel, out).await?,
            };
            match (then, checked) {
                (Then::Leave, _) => return Ok(Came::Left),
                (Then::HandIn, Some(checked)) => {
                    out.note(&format!("handed in as {seat}"));
                    return Ok(Came::HandedIn((checked, bytes)));
                }
                (other, _) => then = other,
            }
        }
    }

    /// Asks what is to be done with what is written.
    async fn then(
        &self,
        editor: bool,
        worst: Option<Severity>,
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
            Some(Severity::Fatal) => "",
            Some(Severity::Error | Severity::Warning) => ", [h]and it in as it is",
        };
        loop {
            prompt(&format!("{edit}{hand_in}, [s]top here: "));
            let Some(line) = self.line(cancel).await? else {
                out.note("");
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

    pub(super) fn stopped(&self) -> Failure {
        let slug = plain(&self.state.spec.slug);
        Failure::new(
            Exit::Cancelled,
            "cancelled",
            "stopped; what you wrote is kept",
        )
        .hint(format!("agon resume {slug} goes on"))
    }
}

/// Nobody could be told that stderr is gone.
pub(super) fn prompt(text: &str) {
    let mut stderr = anstream::stderr();
    drop(write!(stderr, "{text}").and_then(|()| stderr.flush()));
}
