//! The front end of a call, which collects notes and shows nothing.

use agon_caller::{CallFront, Failure, Notes};
use agon_debates::front::{Beginning, FrontEnd};
use agon_debates::questions::consult::{ConsultAnswer, ConsultFront};
use agon_debates::questions::examine::ExamineFront;
use agon_debates::request::ToolName;
use agon_debates::steer::observer::{Observer, Unwatched};
#[cfg(feature = "local-model")]
use agon_seats::model::{PullFront, PullProgress, UnwatchedPull};
use tokio_util::sync::CancellationToken;

// Few, because notes take room in the context of the model. The most important notes come first.
/// The maximum number of notes per call.
const MAX_NOTES: usize = 8;

/// Collects the notes of a call.
#[derive(Debug)]
pub(crate) struct Collected {
    /// The notes so far.
    pub(crate) notes: Vec<String>,
    cancel: CancellationToken,
    watch: Unwatched,
}

impl Collected {
    /// Returns a front end whose calls are cancelled by `cancel`.
    pub(crate) fn new(cancel: CancellationToken) -> Self {
        Self {
            notes: Vec::new(),
            cancel,
            watch: Unwatched,
        }
    }
}

impl Notes for Collected {
    fn note(&mut self, note: &str) {
        if self.notes.len() < MAX_NOTES {
            self.notes.push(note.trim().to_owned());
        }
    }

    fn warn(&mut self, warning: &str) {
        self.note(&format!("warning: {warning}"));
    }
}

#[async_trait::async_trait(?Send)]
impl FrontEnd for Collected {
    fn begin_debate(&mut self, _debate: &Beginning<'_>) -> Result<CancellationToken, Failure> {
        Ok(self.cancel.clone())
    }

    fn observer(&mut self) -> &mut dyn Observer {
        &mut self.watch
    }
}

impl CallFront for Collected {
    fn cancel_token(&mut self) -> CancellationToken {
        self.cancel.clone()
    }
}

impl ConsultFront for Collected {
    fn ask_started(&mut self, _at: usize, _tool: &ToolName) {}

    fn ask_finished(&mut self, _at: usize, _answer: &ConsultAnswer, note: Option<&str>) {
        if let Some(note) = note {
            self.note(note);
        }
    }
}

#[async_trait::async_trait(?Send)]
impl ExamineFront for Collected {
    async fn agrees(&mut self) -> bool {
        // The host has already asked its user for permission.
        true
    }

    fn part_finished(&mut self, _done: usize, _all: usize) {}
}

#[cfg(feature = "local-model")]
impl PullFront for Collected {
    fn begin_pull(&mut self) -> (Box<dyn PullProgress>, CancellationToken) {
        (Box::new(UnwatchedPull), self.cancel.clone())
    }
}
