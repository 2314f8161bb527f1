//! Background debates: the log of their process, and the lock for starting one.

use std::path::Path;
use std::time::Duration;

use crate::disk::lock::LockGuard;
use crate::disk::real::RealDisk;
use crate::disk::wait::wait_for_lock;
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
const STARTING: &str = "starting";

/// Takes the lock for looking for debates in `dir` and naming a new one, so that two starts of the
/// same debate do not miss each other.
///
/// Blocks the calling thread, and takes turns with other starts. Returns `None` if another start
/// holds the lock for `patience`, and no other debate was opened meanwhile.
///
/// # Errors
///
/// If the file of the lock cannot be created or locked.
pub fn wait_for_start_lock(
    dir: &Path,
    patience: Duration,
) -> Result<Option<Box<dyn LockGuard>>, DiskError> {
    let ours = dir.join(AGON);
    crate::host_file::refuse_link(&RealDisk, &ours)?;
    crate::disk::create_dirs_synced(&RealDisk, &ours)?;
    let lock = ours.join(STARTING);
    // When a debate was last added, and when another start last took the lock.
    let latest_changes = || [dir, &lock].map(|path| std::fs::metadata(path).ok()?.modified().ok());
    wait_for_lock(&lock, patience, latest_changes)
}
