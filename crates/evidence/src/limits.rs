//! How much of a source is looked at.

use std::time::Duration;

/// Bounds of pinning and of looking up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PinLimits {
    /// The most files that a source may have.
    pub files: usize,
    /// The most bytes of one file that are looked into; a larger file is left out.
    pub file_bytes: u64,
    /// The most bytes that are read to pin a source.
    pub bytes: u64,
    /// The most bytes of files that no commit has which are held in memory, so that they
    /// survive an edit.
    pub held_bytes: u64,
    /// The longest that pinning may take.
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
