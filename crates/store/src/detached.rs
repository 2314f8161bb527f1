//! Background debates: the log of their process, and the lock for starting one.

use std::path::Path;

use crate::disk::lock::{LockError, LockGuard};
use crate::disk::{Disk, DiskError};
use crate::layout::{AGON, Layout};

/// Maximum number of bytes read from the end of a log.
const LOG_TAIL: u64 = 8 * 1024;

/// Returns the end of the log of the background process that last ran the debate in `path`. `None`
/// if there is no log, or the journal was written after it.
///
/// # Errors
///
/// If it cannot be read.
pub fn read_detached_log_tail(disk: &dyn Disk, path: &Path) -> Result<Option<String>, DiskError> {
    let layout = Layout::new(path);
    let Some(log) = disk.metadata(&layout.detached_log())? else {
        return Ok(None);
    };
    let journal = disk.metadata(&layout.journal())?;
    let changed = journal.and_then(|journal| journal.changed_ms);
    if changed > log.changed_ms && changed.is_some() && log.changed_ms.is_some() {
        return Ok(None);
    }
    let tail = disk.read_from(&layout.detached_log(), log.len.saturating_sub(LOG_TAIL))?;
    Ok(Some(String::from_utf8_lossy(&tail).into_owned()))
}

/// The lock file for starts, in the folder `.agon` beside the debates.
pub const STARTING: &str = "starting";

/// Locks the search for and creation of debates in `dir`, so that two starts of the same debate do
/// not miss each other.
///
/// # Errors
///
/// If another process holds it, or its file cannot be created.
pub fn lock_debate_starts(disk: &dyn Disk, dir: &Path) -> Result<Box<dyn LockGuard>, LockError> {
    let ours = dir.join(AGON);
    crate::host_file::refuse_link(disk, &ours)?;
    crate::disk::create_dirs_synced(disk, &ours)?;
    // An empty lock file takes up no space, so it can be created on a nearly full disk.
    disk.lock(&ours.join(STARTING), b"")
}
