//! What the requests to one server share.

use std::sync::Arc;

use agon_caller::Caller;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::CancellationToken;

use crate::feed::Feeds;
use crate::gate::{Access, Gate, Refusal};
use crate::notices::Notices;
use crate::private::Private;

// Reading a debate is bound by the processor, so more at once would only use more memory.
/// Maximum number of use cases that run at the same time.
pub(crate) const MAX_WORK: u32 = 16;
// Half of all, so that the user is served whatever the others ask for.
/// Maximum number of use cases that run at the same time for people who may only watch.
pub(crate) const MAX_WATCHING_WORK: usize = 8;
/// Maximum number of streams of events for people who may only watch.
pub(crate) const MAX_WATCHING_STREAMS: usize = 100;

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
    /// Those of people who may only watch.
    watching_places: Arc<Semaphore>,
    /// The places for streams of events of people who may only watch.
    watching_streams: Arc<Semaphore>,
    /// The folders that people do not see who may only watch.
    pub(crate) private: Arc<Private>,
    /// Cancelled when the server stops.
    pub(crate) stop: CancellationToken,
}

impl Site {
    pub(crate) fn new(caller: Caller, gate: Gate) -> Self {
        Self {
            private: Arc::new(Private::new(&caller)),
            caller,
            gate: Arc::new(gate),
            access: Access::Full,
            feeds: Arc::default(),
            notices: Arc::default(),
            places: Arc::new(Semaphore::new(MAX_WORK as usize)),
            watching_places: Arc::new(Semaphore::new(MAX_WATCHING_WORK)),
            watching_streams: Arc::new(Semaphore::new(MAX_WATCHING_STREAMS)),
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

    /// Waits for a place that people need who may only watch; `None` for the user.
    pub(crate) async fn watching_place(&self) -> Option<OwnedSemaphorePermit> {
        if !self.is_watching() {
            return None;
        }
        Arc::clone(&self.watching_places).acquire_owned().await.ok()
    }

    /// Returns the place for a stream of events; `None` for the user, who needs none.
    ///
    /// # Errors
    ///
    /// If people who only watch have all places.
    pub(crate) fn stream_place(&self) -> Result<Option<OwnedSemaphorePermit>, Refusal> {
        if !self.is_watching() {
            return Ok(None);
        }
        let place = Arc::clone(&self.watching_streams).try_acquire_owned();
        place.map(Some).map_err(|_| Refusal::Busy)
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
