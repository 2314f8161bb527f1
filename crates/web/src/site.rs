//! What the requests to one server share.

use std::sync::Arc;

use agon_caller::Caller;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use crate::feed::Feeds;
use crate::gate::{Access, Gate};
use crate::notices::Notices;

// Reading a debate is bound by the processor, so more at once would only use more memory.
/// Maximum number of use cases that run at the same time.
pub(crate) const MAX_WORK: u32 = 16;

/// A running server, as the requests with one access see it.
#[derive(Clone)]
pub(crate) struct Site {
    pub(crate) caller: Caller,
    pub(crate) gate: Arc<Gate>,
    /// What these requests may do.
    access: Access,
    /// The debates that open pages follow.
    pub(crate) feeds: Arc<Feeds>,
    /// What the next page of a debate says of the last form.
    pub(crate) notices: Arc<Notices>,
    /// The places for use cases that run at the same time.
    pub(crate) places: Arc<Semaphore>,
    /// Cancelled when the server stops.
    pub(crate) stop: CancellationToken,
}

impl Site {
    pub(crate) fn new(caller: Caller, gate: Gate) -> Self {
        Self {
            caller,
            gate: Arc::new(gate),
            access: Access::Full,
            feeds: Arc::default(),
            notices: Arc::default(),
            places: Arc::new(Semaphore::new(MAX_WORK as usize)),
            stop: CancellationToken::new(),
        }
    }

    /// Returns the same server as people see it who may only watch.
    pub(crate) fn watching(&self) -> Self {
        Self {
            access: Access::Watching,
            ..self.clone()
        }
    }

    /// Returns whether these requests may only watch.
    pub(crate) fn is_watching(&self) -> bool {
        self.access == Access::Watching
    }

    /// Returns whether these requests can change nothing.
    pub(crate) fn is_read_only(&self) -> bool {
        self.is_watching() || self.gate.is_read_only()
    }

    /// Returns the name of the project, for people.
    pub(crate) fn project_name(&self) -> String {
        let project = self.caller.project();
        let name = project.file_name().unwrap_or_default();
        agon_report::text::plain_line(&name.to_string_lossy())
    }
}
