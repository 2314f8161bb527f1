//! How long an answer may be silent.

use std::time::Duration;

use crate::profile::Http;

/// The longest silences of an answer.
#[derive(Clone, Copy, Debug)]
pub(super) struct SilenceLimits {
    /// Until its first message.
    pub(super) first: Duration,
    /// In the middle of it.
    pub(super) between: Duration,
}

impl SilenceLimits {
    /// What the profile says, and no wait is longer than `within`.
    pub(super) fn new(http: &Http, within: Duration) -> Self {
        let at_most = |ms| Duration::from_millis(ms).min(within);
        Self {
            first: at_most(http.first_byte_ms),
            between: at_most(http.between_bytes_ms),
        }
    }

    pub(super) fn longest(self) -> Duration {
        self.first.max(self.between)
    }

    /// The longest silence in an answer of which so many messages have come.
    pub(super) fn limit_after(self, messages: usize) -> Duration {
        if messages == 0 {
            self.first
        } else {
            self.between
        }
    }
}
