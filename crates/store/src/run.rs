//! The processes of a run, listed so that a later one can end what survived.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};

use crate::disk::{Disk, DiskError, Durable, read_if_there, replace_file};
use crate::layout::Layout;

/// A process group that a run started.
///
/// A number alone may name another process by now; start time and boot tell.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunEntry {
    /// The process group, which is also its leader.
    pub pgid: i32,
    /// When the leader started, in the system's own measure.
    pub leader_start: u64,
    /// The boot it belongs to.
    pub boot: String,
    /// A value in the environment of its processes, which proves whose they are.
    pub mark: String,
}

/// The list of process groups in `.agon/run`, to be used from any thread.
///
/// It is not synced: after a crash of the machine no process is left.
#[derive(Clone, Debug)]
pub struct RunList {
    disk: Arc<dyn Disk>,
    path: PathBuf,
    entries: Arc<Mutex<Vec<RunEntry>>>,
}

impl RunList {
    /// The list as a former run left it.
    ///
    /// # Errors
    ///
    /// If it is there and cannot be read.
    pub fn open(disk: Arc<dyn Disk>, layout: &Layout) -> Result<Self, DiskError> {
        let path = layout.run_list_file();
        // A torn list is from a crash of the machine, and so is void.
        let entries = read_if_there(&*disk, &path)?
            .and_then(|bytes| serde_json::from_slice(&bytes).ok())
            .unwrap_or_default();
        let entries = Arc::new(Mutex::new(entries));
        Ok(Self {
            disk,
            path,
            entries,
        })
    }

    /// What is listed now; right after opening, what a former run left.
    pub fn entries(&self) -> Vec<RunEntry> {
        self.lock_entries().clone()
    }

    /// Lists a process group before it is used.
    ///
    /// # Errors
    ///
    /// If the list cannot be written; it is then as before.
    pub fn register(&self, entry: &RunEntry) -> Result<(), DiskError> {
        self.update_entries(|entries| {
            entries.retain(|known| known != entry);
            entries.push(entry.clone());
        })
    }

    /// Takes a process group off the list once it is gone.
    ///
    /// # Errors
    ///
    /// If the list cannot be written; it is then as before.
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
        // The list is whole at every point where a panic could leave it.
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
