//! A debate that is handed to a process of its own: what that process says, and the lock of a start.

use std::path::Path;

use crate::disk::lock::{LockError, LockGuard};
use crate::disk::{Disk, DiskError};
use crate::layout::{AGON, Layout};

/// The most bytes that are read of a log: its end.
const LOG_TAIL: u64 = 8 * 1024;

/// The end of the log of the detached process that last ran the debate in `path`; none if there is
/// no log, or the journal was written after it.
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

/// The file of the lock of starts, in the folder `.agon` beside the debates.
pub const STARTING: &str = "starting";

/// Takes the lock under which debates of `dir` are looked for and opened, so that two starts of
/// the same debate cannot miss each other.
///
/// # Errors
///
/// If another process has it, or its file cannot be made.
pub fn lock_debate_starts(disk: &dyn Disk, dir: &Path) -> Result<Box<dyn LockGuard>, LockError> {
    let ours = dir.join(AGON);
    crate::host_file::refuse_link(disk, &ours)?;
    crate::disk::create_dirs_synced(disk, &ours)?;
    // Without a note it takes no room on a disk that is nearly full.
    disk.lock(&ours.join(STARTING), b"")
}
