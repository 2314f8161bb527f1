//! The context of a tool call.

use agon_caller::Caller;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

/// The progress of a call.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Step {
    /// The number of completed steps.
    pub(crate) done: u32,
    /// The total number of steps.
    pub(crate) total: u32,
    /// The progress in words.
    pub(crate) words: String,
}

/// The context of a tool call.
#[derive(Debug)]
pub(crate) struct CallContext {
    /// The caller, in the project of the call.
    pub(crate) caller: Caller,
    /// Cancelled when the client cancels the call.
    pub(crate) cancel: CancellationToken,
    steps: mpsc::UnboundedSender<Step>,
}

impl CallContext {
    /// Returns a context for `caller` that is cancelled by `cancel` and reports to `steps`.
    pub(crate) fn new(
        caller: Caller,
        cancel: CancellationToken,
        steps: mpsc::UnboundedSender<Step>,
    ) -> Self {
        Self {
            caller,
            cancel,
            steps,
        }
    }

    /// Reports progress to the client, if it wants it.
    pub(crate) fn report(&self, step: Step) {
        // Sending fails if the call was cancelled, because the receiver is gone.
        self.steps.send(step).ok();
    }
}
