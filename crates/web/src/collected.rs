//! The front end of a request from a page, which collects notes.

use agon_caller::{Failure, Notes};
use agon_debates::front::{Beginning, FrontEnd};
use agon_debates::steer::observer::{Observer, Unwatched};
#[cfg(feature = "local-model")]
use agon_seats::model::{PullFront, PullProgress, UnwatchedPull};
use async_trait::async_trait;
use tokio_util::sync::CancellationToken;

/// Maximum number of notes that a page shows.
const MAX_NOTES: usize = 12;

/// Collects the notes of a request.
#[derive(Debug)]
pub(crate) struct Collected {
    /// The notes so far.
    pub(crate) notes: Vec<String>,
    watch: Unwatched,
}

impl Collected {
    pub(crate) fn new() -> Self {
        Self {
            notes: Vec::new(),
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

#[async_trait(?Send)]
impl FrontEnd for Collected {
    fn begin_debate(&mut self, _debate: &Beginning<'_>) -> Result<CancellationToken, Failure> {
        // Debates from a page run in their own process, so nothing here can stop them.
        Ok(CancellationToken::new())
    }

    fn observer(&mut self) -> &mut dyn Observer {
        &mut self.watch
    }
}

#[cfg(feature = "local-model")]
impl PullFront for Collected {
    fn begin_pull(&mut self) -> (Box<dyn PullProgress>, CancellationToken) {
        (Box::new(UnwatchedPull), CancellationToken::new())
    }
}
