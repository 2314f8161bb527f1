//! One writer per folder: the lock, and who holds it.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::DiskError;
use crate::time;

/// A lock that is held until it is dropped.
pub trait LockGuard: fmt::Debug + Send {}

/// What a look at a lock shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Look {
    /// It is free.
    Free,
    /// A process holds it; who, where it says so.
    Taken(Option<Holder>),
}

/// Who holds a folder's lock, as it wrote into it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Holder {
    /// Its process.
    pub pid: u32,
    /// Since when, as RFC 3339.
    pub started: String,
}

impl Holder {
    /// This process, from `at_ms` on.
    pub fn this_process(at_ms: u64) -> Self {
        let started = time::to_text(at_ms);
        let pid = std::process::id();
        Self { pid, started }
    }

    pub(crate) fn parse(text: &str) -> Option<Self> {
        let holder: Self = serde_json::from_str(text).ok()?;
        // It is shown, and anybody can write there.
        let plain = |c: char| c.is_ascii_alphanumeric() || "-:.+".contains(c);
        (holder.started.len() <= 40 && holder.started.chars().all(plain)).then_some(holder)
    }

    /// What is written into the lock.
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
    /// Another writer has it; who, where it says so.
    #[error("another process holds the lock")]
    Taken(Option<Holder>),
    /// The lock's file cannot be used.
    #[error(transparent)]
    Disk(#[from] DiskError),
}
