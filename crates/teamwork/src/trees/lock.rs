//! One process at a time adds, lists and forgets work trees.

use std::fs::{File, TryLockError};
use std::path::Path;
use std::time::{Duration, Instant};

use agon_caller::{Caller, Code, Failure};
use agon_team::store::TeamLocation;

use crate::door::failure;

// To make a tree of a large repository takes seconds.
/// How long others may be at the work trees.
const LOCK_TIMEOUT: Duration = Duration::from_secs(60);
/// How often it is looked whether they are done.
const LOCK_INTERVAL: Duration = Duration::from_millis(20);

/// Waits until no other process of Agon's adds, lists or forgets work trees of the repository: git
/// fails where it meets one that is half made. What is returned lets the next one go on.
///
/// # Errors
///
/// If it takes longer than a minute, or the lock's file cannot be opened.
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
                let message = "another process is at the work trees of this repository";
                return Err(Failure::new(Code::Busy, message).hint("try again once it is done"));
            }
            Err(TryLockError::Error(cause)) => return Err(failed(cause)),
        }
    }
}
