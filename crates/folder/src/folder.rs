//! A debate folder open for writing.

mod append;
mod create;
mod hand_over;
mod import;
mod open;
mod project;
mod take_in;
mod watched;

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
pub(crate) use hand_over::read_detached_process;
pub use import::ImportError;
pub use open::{OpenError, OpenReport, Torn};
pub use project::ProjectError;
pub use take_in::{TakeInError, TakenIn};

use crate::manifest::Manifest;

/// A debate folder open for writing, by this process and no other.
///
/// The lock is free again when the value is dropped or the process ends,
/// however it ends.
#[derive(Debug)]
pub struct Folder {
    disk: Arc<dyn Disk>,
    layout: Layout,
    journal: Box<dyn DiskFile>,
    /// The journal as it was left; none before it was looked at.
    left: Option<FileMark>,
    after: SnapshotPoint,
    state: State,
    manifest: Manifest,
    runs: RunList,
    /// How far the snapshot reaches, and its size.
    snapshot: (u64, u64),
    /// A line that was refused could not be taken back.
    poisoned: bool,
    _lock: Box<dyn LockGuard>,
}

impl Folder {
    /// Where the debate stands.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Sets what the user of this process types for the debate; no part of the record.
    pub fn set_typed(&mut self, typed: String) {
        self.state.typed = Some(typed);
    }

    /// Where the folder is.
    pub fn path(&self) -> &Path {
        self.layout.root()
    }

    /// The number of lines in the journal.
    pub fn line_count(&self) -> u64 {
        self.after.end.seq
    }

    /// Keeps bytes that the debate rests on, durably, under their hash.
    ///
    /// # Errors
    ///
    /// If they cannot be written.
    pub fn store_blob(&self, bytes: &[u8]) -> Result<(), DiskError> {
        let (disk, layout) = (&*self.disk, &self.layout);
        Blobs { disk, layout }.store(bytes)
    }

    /// The list of this run's process groups, for use from other threads.
    pub fn run_list(&self) -> RunList {
        self.runs.clone()
    }

    /// Process groups that a former run listed and did not take off the list.
    pub fn leftover_runs(&self) -> Vec<RunEntry> {
        self.runs.entries()
    }

    /// What waits in the drop-box, oldest first.
    ///
    /// A file that does not hold a wish is set aside; one of a newer version stays for who can read it.
    ///
    /// # Errors
    ///
    /// If the drop-box cannot be read.
    pub fn pending_requests(&self) -> Result<Vec<Item>, DiskError> {
        inbox::pending_requests(&*self.disk, &self.layout)
    }

    /// Takes a wish out of the drop-box: it is recorded, or refused.
    ///
    /// # Errors
    ///
    /// If it cannot be removed; it is then met again, and known by its name.
    pub fn remove_request(&self, id: Ulid) -> Result<(), DiskError> {
        inbox::remove_request(&*self.disk, &self.layout, id)
    }

    /// Throws away what told a former writer to stop.
    fn remove_stop_requests(&self) -> Result<(), DiskError> {
        let stops = self.pending_requests()?.into_iter();
        let mut stops = stops.filter(|item| item.wish == UserRequest::Stop);
        stops.try_for_each(|item| self.remove_request(item.id))
    }
}
