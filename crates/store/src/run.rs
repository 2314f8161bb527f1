//! The list of processes of a run, so that a later run can end processes that survived.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};

use crate::disk::{Disk, DiskError, Durable, read_if_exists, replace_file};
use crate::layout::Layout;

/// A process group that a run started.
///
/// A number alone may now belong to another process; start time and boot id identify it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunEntry {
    /// The process group, which is also its leader.
    pub pgid: i32,
    /// When the leader started, in the system's own unit.
    pub leader_start: u64,
    /// The boot id.
    pub boot: String,
    /// A value in the environment of its processes that proves who started them.
    pub mark: String,
}

/// The list of process groups in `.agon/run`; usable from any thread.
///
/// Not synced, since no process survives a crash of the machine.
#[derive(Clone, Debug)]
pub struct RunList {
    disk: Arc<dyn Disk>,
    path: PathBuf,
    entries: Arc<Mutex<Vec<RunEntry>>>,
}

impl RunList {
    /// Opens the list as the previous run left it.
    ///
    /// # Errors
    ///
    /// If it exists but cannot be read.
    pub fn open(disk: Arc<dyn Disk>, layout: &Layout) -> Result<Self, DiskError> {
        let path = layout.run_list_file();
        // Treat a partial list as empty: only a crash of the machine leaves one, and no process
        // survives that.
        let entries = read_if_exists(&*disk, &path)?
            .and_then(|bytes| serde_json::from_slice(&bytes).ok())
            .unwrap_or_default();
        let entries = Arc::new(Mutex::new(entries));
        Ok(Self {
            disk,
            path,
            entries,
        })
    }

    /// Returns the listed groups; right after opening, the groups of the previous run.
    pub fn entries(&self) -> Vec<RunEntry> {
        self.lock_entries().clone()
    }

    /// Adds a process group before it is used.
    ///
    /// # Errors
    ///
    /// If the list cannot be written; it then stays unchanged.
    pub fn register(&self, entry: &RunEntry) -> Result<(), DiskError> {
        self.update_entries(|entries| {
            entries.retain(|known| known != entry);
            entries.push(entry.clone());
        })
    }

    /// Removes a process group once it is gone.
    ///
    /// # Errors
    ///
    /// If the list cannot be written; it then stays unchanged.
    pub fn unregister(&self, entry: &RunEntry) -> Result<(), DiskError> {
        self.update_entries(|entries| entries.retain(|known| known != entry))
    }

    fn update_entries(&self, change: impl FnOnce(&mut Vec<RunEntry>)) -> Result<(), DiskError> {
        let mut entries = self.lock_entries();
        let mut next = entries.clone();
        change(&mut next);
        if next == *entries {
            return Ok(());
        }
        let bytes = serde_json::to_vec(&next)
            .map_err(|cause| DiskError::new("write", &self.path, cause.into()))?;
        let temp = self.path.with_extension("tmp");
        replace_file(&*self.disk, &temp, &self.path, &bytes, Durable::No)?;
        *entries = next;
        Ok(())
    }

    fn lock_entries(&self) -> MutexGuard<'_, Vec<RunEntry>> {
        // A panic cannot leave the list in an inconsistent state, so use it even then.
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
