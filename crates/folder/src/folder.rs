//! A debate folder open for writing.

mod append;
mod create;
mod detach;
mod import;
mod import_steps;
mod journal_mark;
mod new;
mod open;
mod project;
mod published;

use std::path::Path;
use std::sync::Arc;

use agon_record::state::State;
use agon_record::user::{Item, UserRequest};
use agon_store::snapshot::SnapshotPoint;
use agon_store::{
    Blobs, Disk, DiskError, DiskFile, FileMark, Layout, LockGuard, RunEntry, RunList, inbox,
};
use ulid::Ulid;

pub use append::AppendError;
pub use create::CreateError;
pub use detach::read_detached_process;
pub use import::ImportError;
pub use import_steps::{ImportStepsError, ImportedSteps};
pub use new::{NamedFolder, NewFolder};
pub use open::{OpenError, OpenReport, Torn};
pub use project::ProjectError;

use self::published::Published;
use crate::manifest::Manifest;

/// A debate folder open for writing; only one process can open it at a time.
///
/// The lock is released when the value is dropped or the process ends in any way.
#[derive(Debug)]
pub struct Folder {
    disk: Arc<dyn Disk>,
    layout: Layout,
    journal: Box<dyn DiskFile>,
    /// The journal as last written; `None` if unknown.
    left: Option<FileMark>,
    after: SnapshotPoint,
    state: State,
    manifest: Manifest,
    published: Published,
    runs: RunList,
    /// The length that the snapshot covers, and its size.
    snapshot: (u64, u64),
    /// Whether undoing a failed append failed.
    poisoned: bool,
    _lock: Box<dyn LockGuard>,
}

impl Folder {
    /// Returns the state of the debate.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Sets what the user of this process types for the debate; not part of the record.
    pub fn set_typed(&mut self, typed: String) {
        self.state.typed = Some(typed);
    }

    /// Returns the path of the folder.
    pub fn path(&self) -> &Path {
        self.layout.root()
    }

    /// Returns the number of journal lines.
    pub fn line_count(&self) -> u64 {
        self.after.end.seq
    }

    /// Stores bytes that the debate refers to under their hash, synced to disk.
    ///
    /// # Errors
    ///
    /// If they cannot be written.
    pub fn store_blob(&self, bytes: &[u8]) -> Result<(), DiskError> {
        let (disk, layout) = (&*self.disk, &self.layout);
        Blobs { disk, layout }.store(bytes)
    }

    /// Returns the list of this run's process groups, usable from other threads.
    pub fn run_list(&self) -> RunList {
        self.runs.clone()
    }

    /// Returns the process groups that a previous run listed and did not remove.
    pub fn leftover_runs(&self) -> Vec<RunEntry> {
        self.runs.entries()
    }

    /// Returns the waiting requests, the oldest first.
    ///
    /// Sets aside files that are not requests. Leaves files of a newer version for a program that
    /// can read them.
    ///
    /// # Errors
    ///
    /// If the inbox cannot be read.
    pub fn pending_requests(&self) -> Result<Vec<Item>, DiskError> {
        inbox::pending_requests(&*self.disk, &self.layout)
    }

    /// Removes a request that was recorded or rejected from the inbox.
    ///
    /// # Errors
    ///
    /// If it cannot be removed; it is then found again and recognized by its id.
    pub fn remove_request(&self, id: Ulid) -> Result<(), DiskError> {
        inbox::remove_request(&*self.disk, &self.layout, id)
    }

    /// Discards requests for a previous writer to stop.
    fn remove_stop_requests(&self) -> Result<(), DiskError> {
        let stops = self.pending_requests()?.into_iter();
        let mut stops = stops.filter(|item| item.wish == UserRequest::Stop);
        stops.try_for_each(|item| self.remove_request(item.id))
    }
}
