//! Time limits for silence during an answer.

use std::time::Duration;

use crate::profile::Http;

/// The time limits for silence during an answer.
#[derive(Clone, Copy, Debug)]
pub(super) struct SilenceLimits {
    /// The limit before the first message.
    pub(super) first: Duration,
    /// The limit between two messages.
    pub(super) between: Duration,
}

impl SilenceLimits {
    /// Reads the limits from the profile, each at most `within`.
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

    /// Returns the limit after this number of messages.
    pub(super) fn limit_after(self, messages: usize) -> Duration {
        if messages == 0 {
            self.first
        } else {
            self.between
        }
    }
}
