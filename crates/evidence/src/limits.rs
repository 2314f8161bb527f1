//! Limits on how much of a source is read.

use std::time::Duration;

/// Limits on pinning a source and looking things up in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PinLimits {
    /// Maximum number of files in a source.
    pub files: usize,
    /// Maximum size of a file in bytes; larger files are left out.
    pub file_bytes: u64,
    /// Maximum number of bytes read to pin a source.
    pub bytes: u64,
    /// Maximum number of bytes kept in memory of files that no commit contains, so that they
    /// survive an edit.
    pub held_bytes: u64,
    /// Maximum duration of pinning.
    pub time: Duration,
}

impl Default for PinLimits {
    fn default() -> Self {
        Self {
            files: 200_000,
            file_bytes: 2 << 20,
            bytes: 1 << 30,
            held_bytes: 64 << 20,
            time: Duration::from_secs(60),
        }
    }
}
