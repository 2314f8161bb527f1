//! What a tool call has besides its arguments.

use agon_caller::Caller;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

/// How far a call is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Step {
    /// What is done, of `total`.
    pub(crate) done: u32,
    /// What there is to do.
    pub(crate) total: u32,
    /// In words.
    pub(crate) words: String,
}

/// What a tool has besides its arguments.
#[derive(Debug)]
pub(crate) struct CallContext {
    /// For whom, and in which project.
    pub(crate) caller: Caller,
    /// Cancelled when the client takes the call back.
    pub(crate) cancel: CancellationToken,
    steps: mpsc::UnboundedSender<Step>,
}

impl CallContext {
    /// A call for `caller` that ends with `cancel` and reports to `steps`.
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

    /// Tells the client how far the call is, where it wants to know.
    pub(crate) fn report(&self, step: Step) {
        // Once the call was taken back there is no listener.
        self.steps.send(step).ok();
    }
}
