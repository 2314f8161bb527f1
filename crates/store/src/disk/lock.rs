//! The lock that allows one writer per folder, and its holder.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::DiskError;
use crate::time;

/// A lock that is held until dropped.
pub trait LockGuard: fmt::Debug + Send {}

/// The state of a lock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LockState {
    /// It is free.
    Free,
    /// A process holds it; contains which, if it says so.
    Taken(Option<Holder>),
}

/// The holder of a folder's lock, as written into the lock file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Holder {
    /// The process id.
    pub pid: u32,
    /// When it took the lock (RFC 3339).
    pub started: String,
}

impl Holder {
    /// Returns this process as the holder since `at_ms`.
    pub fn this_process(at_ms: u64) -> Self {
        let started = time::to_text(at_ms);
        let pid = std::process::id();
        Self { pid, started }
    }

    pub(crate) fn parse(text: &str) -> Option<Self> {
        let holder: Self = serde_json::from_str(text).ok()?;
        // Accept plain characters only: the text is printed, and anybody can write to the file.
        let plain = |c: char| c.is_ascii_alphanumeric() || "-:.+".contains(c);
        (holder.started.len() <= 40 && holder.started.chars().all(plain)).then_some(holder)
    }

    /// Returns the contents of the lock file.
    pub fn to_lock_note(&self) -> Vec<u8> {
        format!(
            "{{\"pid\":{},\"started\":\"{}\"}}\n",
            self.pid, self.started
        )
        .into_bytes()
    }
}

/// Why a lock could not be taken.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// Another writer holds it; contains which, if it says so.
    #[error("another process holds the lock")]
    Taken(Option<Holder>),
    /// The lock file cannot be used.
    #[error(transparent)]
    Disk(#[from] DiskError),
}
