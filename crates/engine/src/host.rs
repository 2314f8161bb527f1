//! Where the record of a debate is kept.

use agon_record::event::Event;
use agon_record::state::{ReplayError, State};
use agon_record::user::Item;
use ulid::Ulid;

mod folder;
mod memory;

pub use folder::{FolderError, FolderHost};
pub use memory::MemoryHost;

/// The seam that lets a debate run elsewhere.
///
/// What [`Host::record`] was given is durable, and part of the state, when it
/// returns; when it fails, neither has changed.
pub trait Host {
    /// Why the record could not be kept.
    type Error: std::error::Error + From<ReplayError> + Send + Sync + 'static;

    /// The time of day, in UTC milliseconds since 1970; none where there is no clock.
    fn now_ms(&self) -> Option<u64> {
        None
    }

    /// Where the debate stands.
    fn state(&self) -> &State;

    /// Adds events to the record.
    ///
    /// # Errors
    ///
    /// If they could not be made durable.
    fn record(&mut self, events: &[Event]) -> Result<(), Self::Error>;

    /// Keeps bytes that the record rests on, under their BLAKE3 hash.
    ///
    /// # Errors
    ///
    /// If they could not be made durable.
    fn store_blob(&mut self, bytes: &[u8]) -> Result<(), Self::Error>;

    /// Whether other processes may submit requests, so that they have to be looked for.
    fn can_receive_requests(&self) -> bool {
        false
    }

    /// The submitted requests that are not answered yet, oldest first.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    fn pending_requests(&mut self) -> Result<Vec<Item>, Self::Error> {
        Ok(Vec::new())
    }

    /// Marks a submitted request as recorded or refused, so that it is not handled again.
    ///
    /// # Errors
    ///
    /// If that cannot be kept; it is then known by its name.
    fn mark_request_done(&mut self, _wish: Ulid) -> Result<(), Self::Error> {
        Ok(())
    }

    /// Brings the documents that people read up to date with the record.
    ///
    /// # Errors
    ///
    /// If a document could not be written, or is not ours to overwrite.
    fn publish_documents(&mut self) -> Result<(), Self::Error>;
}
