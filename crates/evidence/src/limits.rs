//! How much of a source is looked at.

use std::time::{Duration, Instant};

use crate::source::PinError;

/// Bounds of pinning and of looking up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
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

impl Default for Limits {
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

/// What is left of the limits while a source is pinned.
#[derive(Debug)]
pub(crate) struct Spent<'a> {
    limits: &'a Limits,
    files: usize,
    bytes: u64,
    held: u64,
    started: Instant,
}

impl<'a> Spent<'a> {
    pub(crate) fn new(limits: &'a Limits) -> Self {
        Self {
            limits,
            files: 0,
            bytes: 0,
            held: 0,
            started: Instant::now(),
        }
    }

    /// Counts one more file, of which `bytes` are to be read.
    pub(crate) fn file(&mut self, bytes: u64) -> Result<(), PinError> {
        self.files += 1;
        self.bytes += bytes;
        if self.files > self.limits.files {
            return Err(PinError::TooManyFiles {
                limit: self.limits.files,
            });
        }
        if self.bytes > self.limits.bytes {
            return Err(PinError::TooManyBytes {
                limit: self.limits.bytes,
            });
        }
        self.time()
    }

    /// Checks a walk that has listed `files` files so far.
    pub(crate) fn walked(&self, files: usize) -> Result<(), PinError> {
        if files > self.limits.files {
            return Err(PinError::TooManyFiles {
                limit: self.limits.files,
            });
        }
        self.time()
    }

    pub(crate) fn time(&self) -> Result<(), PinError> {
        if self.started.elapsed() > self.limits.time {
            return Err(PinError::TooSlow {
                limit: self.limits.time,
            });
        }
        Ok(())
    }

    /// Whether `bytes` more may be held in memory; if so, they are counted.
    pub(crate) fn hold(&mut self, bytes: u64) -> bool {
        let fits = self.held + bytes <= self.limits.held_bytes;
        if fits {
            self.held += bytes;
        }
        fits
    }
}
