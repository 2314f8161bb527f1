//! Tracks how much of the limits is used while a source is pinned.

use std::time::Instant;

use super::PinError;
use crate::limits::PinLimits;

/// The remaining limits while a source is pinned.
#[derive(Debug)]
pub(crate) struct Allowance<'a> {
    limits: &'a PinLimits,
    files: usize,
    bytes: u64,
    held: u64,
    started: Instant,
}

impl<'a> Allowance<'a> {
    pub(crate) fn new(limits: &'a PinLimits) -> Self {
        Self {
            limits,
            files: 0,
            bytes: 0,
            held: 0,
            started: Instant::now(),
        }
    }

    /// Counts one more file, of which `bytes` will be read.
    pub(crate) fn count_file(&mut self, bytes: u64) -> Result<(), PinError> {
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
        self.check_time()
    }

    /// Checks the limits of files and time after `files` files have been listed.
    pub(crate) fn check_walk(&self, files: usize) -> Result<(), PinError> {
        if files > self.limits.files {
            return Err(PinError::TooManyFiles {
                limit: self.limits.files,
            });
        }
        self.check_time()
    }

    pub(crate) fn check_time(&self) -> Result<(), PinError> {
        if self.started.elapsed() > self.limits.time {
            return Err(PinError::TooSlow {
                limit: self.limits.time,
            });
        }
        Ok(())
    }

    /// Reserves `bytes` of memory; returns false if that would exceed the limit.
    pub(crate) fn reserve_memory(&mut self, bytes: u64) -> bool {
        let fits = self.held + bytes <= self.limits.held_bytes;
        if fits {
            self.held += bytes;
        }
        fits
    }
}
