//! A lock with which one process at a time adds, lists and removes work trees.

use std::fs::{File, TryLockError};
use std::path::Path;
use std::time::{Duration, Instant};

use agon_caller::{Caller, Code, Failure};
use agon_team::store::TeamLocation;

use crate::open_team::failure;

// Creating a work tree of a large repository takes seconds.
/// How long to wait for other processes.
const LOCK_TIMEOUT: Duration = Duration::from_secs(60);
/// How often to check whether they are done.
const LOCK_INTERVAL: Duration = Duration::from_millis(20);

/// Waits until no other Agon process adds, lists or removes work trees of the repository, because
/// git fails on a half-made tree. Dropping the returned file releases the lock.
///
/// # Errors
///
/// Fails if it takes longer than a minute, or the lock file cannot be opened.
pub(crate) async fn lock_work_trees(caller: &Caller, at: &Path) -> Result<File, Failure> {
    let location = TeamLocation::find(at).map_err(failure)?;
    let path = location.database().with_file_name("trees.lock");
    let failed = |cause: std::io::Error| {
        let message = format!("cannot lock {}: {cause}", caller.display_path(&path));
        Failure::new(Code::Store, message)
    };
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    let file = File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(&path)
        .map_err(failed)?;
    let begun = Instant::now();
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) if begun.elapsed() < LOCK_TIMEOUT => {
                tokio::time::sleep(LOCK_INTERVAL).await;
            }
            Err(TryLockError::WouldBlock) => {
                let message = "another process is changing the work trees of this repository";
                return Err(Failure::new(Code::Busy, message).hint("try again when it is done"));
            }
            Err(TryLockError::Error(cause)) => return Err(failed(cause)),
        }
    }
}
