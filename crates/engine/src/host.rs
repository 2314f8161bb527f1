//! Where the record of a debate is stored.

use agon_record::event::Event;
use agon_record::state::{ReplayError, State};
use agon_record::user::Item;
use ulid::Ulid;

mod folder;
mod memory;

pub use folder::{FolderError, FolderHost};
pub use memory::MemoryHost;

/// Stores the record of a debate, for example in a folder or in memory.
///
/// When [`Host::record`] returns, the events are durable and part of the state. If it fails,
/// neither has changed.
pub trait Host {
    /// Why the record could not be written.
    type Error: std::error::Error + From<ReplayError> + Send + Sync + 'static;

    /// Returns the time of day in UTC milliseconds since 1970; `None` without a clock.
    fn now_ms(&self) -> Option<u64> {
        None
    }

    /// Returns the current state of the debate.
    fn state(&self) -> &State;

    /// Adds events to the record.
    ///
    /// # Errors
    ///
    /// If they could not be made durable.
    fn record(&mut self, events: &[Event]) -> Result<(), Self::Error>;

    /// Stores bytes that the record refers to, under their BLAKE3 hash.
    ///
    /// # Errors
    ///
    /// If they could not be made durable.
    fn store_blob(&mut self, bytes: &[u8]) -> Result<(), Self::Error>;

    /// Returns whether other processes may submit requests, which must then be polled.
    fn can_receive_requests(&self) -> bool {
        false
    }

    /// Returns the submitted requests without an answer, the oldest first.
    ///
    /// # Errors
    ///
    /// If they cannot be read.
    fn pending_requests(&mut self) -> Result<Vec<Item>, Self::Error> {
        Ok(Vec::new())
    }

    /// Marks a submitted request as recorded or rejected, so that it is not handled again.
    ///
    /// # Errors
    ///
    /// If the mark cannot be written; the request is then recognized by its id.
    fn mark_request_done(&mut self, _wish: Ulid) -> Result<(), Self::Error> {
        Ok(())
    }

    /// Updates the documents that people read.
    ///
    /// # Errors
    ///
    /// If a document cannot be written, or belongs to another program.
    fn publish_documents(&mut self) -> Result<(), Self::Error>;
}
