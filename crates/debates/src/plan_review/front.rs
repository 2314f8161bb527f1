//! The front end of the debate on a plan: no person watches, and notes are dropped.

use agon_caller::{Failure, Notes};
#[cfg(feature = "local-model")]
use agon_seats::model::{PullFront, PullProgress, UnwatchedPull};
use async_trait::async_trait;
use tokio_util::sync::CancellationToken;

use crate::front::{Beginning, FrontEnd};
use crate::steer::observer::{Observer, Unwatched};

/// A front end that shows nothing and remembers the debate.
#[derive(Debug)]
pub(super) struct QuietFront {
    cancel: CancellationToken,
    debate: Option<String>,
    observer: Unwatched,
}

impl QuietFront {
    pub(super) fn new(cancel: CancellationToken) -> Self {
        Self {
            cancel,
            debate: None,
            observer: Unwatched,
        }
    }

    /// Returns the name of the debate, if it was opened.
    pub(super) fn debate(&self) -> Option<String> {
        self.debate.clone()
    }
}

impl Notes for QuietFront {
    fn note(&mut self, _: &str) {}

    fn warn(&mut self, _: &str) {}
}

#[cfg(feature = "local-model")]
impl PullFront for QuietFront {
    fn begin_pull(&mut self) -> (Box<dyn PullProgress>, CancellationToken) {
        (Box::new(UnwatchedPull), self.cancel.clone())
    }
}

#[async_trait(?Send)]
impl FrontEnd for QuietFront {
    fn begin_debate(&mut self, debate: &Beginning<'_>) -> Result<CancellationToken, Failure> {
        self.debate = Some(debate.state.spec.slug.clone());
        Ok(self.cancel.clone())
    }

    fn observer(&mut self) -> &mut dyn Observer {
        &mut self.observer
    }

    fn records_verdict(&self) -> bool {
        // Whether a plan is ready is not a decision of the project.
        false
    }
}
