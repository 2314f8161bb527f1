//! What the requests to one server share.

use std::sync::Arc;

use agon_caller::Caller;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use crate::feed::Feeds;
use crate::gate::Gate;
use crate::notices::Notices;

// Reading a debate is bound by the processor, so more at once would only use more memory.
/// Maximum number of use cases that run at the same time.
pub(crate) const MAX_WORK: u32 = 16;

/// A running server, as its requests see it.
pub(crate) struct Site {
    pub(crate) caller: Caller,
    pub(crate) gate: Gate,
    /// The debates that open pages follow.
    pub(crate) feeds: Feeds,
    /// What the next page of a debate says of the last form.
    pub(crate) notices: Notices,
    /// The places for use cases that run at the same time.
    pub(crate) places: Arc<Semaphore>,
    /// Cancelled when the server stops.
    pub(crate) stop: CancellationToken,
}

impl Site {
    pub(crate) fn new(caller: Caller, gate: Gate) -> Self {
        Self {
            caller,
            gate,
            feeds: Feeds::default(),
            notices: Notices::default(),
            places: Arc::new(Semaphore::new(MAX_WORK as usize)),
            stop: CancellationToken::new(),
        }
    }

    /// Returns the name of the project, for people.
    pub(crate) fn project_name(&self) -> String {
        let project = self.caller.project();
        let name = project.file_name().unwrap_or_default();
        agon_report::text::plain_line(&name.to_string_lossy())
    }
}
