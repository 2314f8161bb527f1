//! A lock that allows one installation at a time.

use std::fs::{File, TryLockError};
use std::path::Path;
use std::time::{Duration, Instant};

// Writing about thirty small files takes far less than a second, so 10 s is ample.
/// Maximum wait for another process.
const MAX_WAIT: Duration = Duration::from_secs(10);

/// Time between two attempts.
const RETRY_INTERVAL: Duration = Duration::from_millis(20);

/// The lock. While it exists, no other process installs or uninstalls Agon for this user.
#[derive(Debug)]
pub struct InstallLock {
    _home: Option<File>,
}

/// Another process holds the lock for longer than an installation takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("another `agon install` or `agon uninstall` is running")]
pub struct InstallLocked;

impl InstallLock {
    /// Waits for the lock of the user with this home and takes it.
    ///
    /// The home folder itself is locked, because a lock file would remain after an uninstall. Some file
    /// systems cannot lock folders; there, files that were changed meanwhile are still refused.
    ///
    /// # Errors
    ///
    /// If another process holds it for too long.
    pub fn take(home: &Path) -> Result<Self, InstallLocked> {
        let Ok(folder) = File::open(home) else {
            return Ok(Self { _home: None });
        };
        let began = Instant::now();
        loop {
            match folder.try_lock() {
                Ok(()) => {
                    return Ok(Self {
                        _home: Some(folder),
                    });
                }
                Err(TryLockError::Error(_)) => return Ok(Self { _home: None }),
                Err(TryLockError::WouldBlock) if began.elapsed() >= MAX_WAIT => {
                    return Err(InstallLocked);
                }
                Err(TryLockError::WouldBlock) => std::thread::sleep(RETRY_INTERVAL),
            }
        }
    }
}
