//! A person at a terminal: in their editor, or line by line.

use std::io::Write;
use std::path::Path;

use agon_debate::finding::Severity;
use agon_debate::id::AskKey;
use agon_debate::state::State;
use agon_report::text::plain;
use agon_store::{RealDisk, kept_answer};
use tokio_util::sync::CancellationToken;

use super::checked::Checked;
use super::{laid, unkept};
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
    /// They hand in this.
    HandedIn(Checked),
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
        came
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
            match &editor {
                Some(editor) => self.edit(editor, cancel, out).await?,
                None => {
                    self.type_in(matches!(then, Then::Edit), cancel, out)
                        .await?
                }
            }
            let bytes = kept_answer(&RealDisk, self.path, self.key).map_err(|error| unkept(&error));
            let checked = match bytes {
                Ok(bytes) => Checked::of(self.state, self.key, (&name, &bytes.unwrap_or_default())),
                Err(failure) => {
                    out.note(&format!("{}; make it shorter", plain(&failure.message)));
                    None
                }
            };
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
            then = match worst {
                None => Then::HandIn,
                Some(worst) => self.then(editor.is_some(), worst, cancel, out).await?,
            };
            match (then, checked) {
                (Then::Leave, _) => return Ok(Came::Left),
                (Then::HandIn, Some(checked)) => {
                    out.note(&format!("handed in as {seat}"));
                    return Ok(Came::HandedIn(checked));
                }
                (other, _) => then = other,
            }
        }
    }

    /// Asks what is to be done with what is written.
    async fn then(
        &self,
        editor: bool,
        worst: Severity,
        cancel: &CancellationToken,
        out: &mut Out,
    ) -> Result<Then, Failure> {
        let edit = if editor {
            "[e]dit again"
        } else {
            "[a]dd to it, [e]nter it again from the start"
        };
        let hand_in = match worst {
            Severity::Fatal => "",
            Severity::Error | Severity::Warning => ", [h]and it in as it is",
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
fn prompt(text: &str) {
    let mut stderr = anstream::stderr();
    drop(write!(stderr, "{text}").and_then(|()| stderr.flush()));
}
