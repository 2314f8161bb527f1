//! One installation at a time.

use std::fs::{File, TryLockError};
use std::path::Path;
use std::time::{Duration, Instant};

// An installation writes some thirty small files: far under a second.
/// The longest wait for another process.
const MAX_WAIT: Duration = Duration::from_secs(10);

/// The time between two looks at whether it is done.
const LOOK_INTERVAL: Duration = Duration::from_millis(20);

/// While it lives, no other process puts Agon into a host of this user's, or takes it out.
#[derive(Debug)]
pub struct InstallLock {
    _home: Option<File>,
}

/// Another process holds the lock for longer than an installation takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("another process is at it: `agon install` or `agon uninstall`")]
pub struct InstallLocked;

impl InstallLock {
    /// The lock of the user with this home, once it is free.
    ///
    /// The folder itself is locked: a file for it would be left when all else is taken back. Some
    /// file systems lock no folder; there a file that was changed meanwhile is still refused.
    ///
    /// # Errors
    ///
    /// If another process holds it too long.
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
                Err(TryLockError::WouldBlock) => std::thread::sleep(LOOK_INTERVAL),
            }
        }
    }
}
