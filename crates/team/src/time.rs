//! Moments and deadlines that do not depend on the wall clock.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A moment on this machine.
///
/// Comparisons use the time since boot. It is the same for all processes, never jumps, and stops
/// while the machine sleeps. The wall clock is only for display.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moment {
    /// The boot that it belongs to.
    pub boot: Box<str>,
    /// Milliseconds since boot.
    pub uptime_ms: u64,
    /// Milliseconds since 1970 by the wall clock.
    pub wall_ms: i64,
}

impl Moment {
    /// Returns the deadline this long after it.
    pub fn after(&self, wait: Duration) -> Deadline {
        let wait_ms = u64::try_from(wait.as_millis()).unwrap_or(u64::MAX);
        Deadline {
            boot: self.boot.clone(),
            uptime_ms: self.uptime_ms.saturating_add(wait_ms).min(MAX_UPTIME_MS),
            wall_ms: self.wall_ms.saturating_add_unsigned(wait_ms),
        }
    }
}

/// The latest deadline, because SQLite only has signed numbers.
const MAX_UPTIME_MS: u64 = i64::MAX as u64;

/// When something ends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Deadline {
    /// The boot that it belongs to.
    pub boot: Box<str>,
    /// Milliseconds since boot.
    pub uptime_ms: u64,
    /// The expected wall clock time, in milliseconds since 1970; only for display.
    pub wall_ms: i64,
}

impl Deadline {
    /// Returns whether it has passed, which is true from its own millisecond on.
    ///
    /// A deadline of an earlier boot has always passed, because no process that held a lease then
    /// is left.
    pub fn has_passed(&self, now: &Moment) -> bool {
        self.boot != now.boot || now.uptime_ms >= self.uptime_ms
    }

    /// Returns the earlier of this deadline and `latest`, on each clock that both have.
    pub(crate) fn at_most(mut self, latest: &Self) -> Self {
        if self.boot == latest.boot {
            self.uptime_ms = self.uptime_ms.min(latest.uptime_ms);
        }
        self.wall_ms = self.wall_ms.min(latest.wall_ms);
        self
    }

    /// Returns the time left; zero once it has passed.
    pub fn remaining(&self, now: &Moment) -> Duration {
        if self.has_passed(now) {
            Duration::ZERO
        } else {
            Duration::from_millis(self.uptime_ms.saturating_sub(now.uptime_ms))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(uptime_ms: u64, wall_ms: i64) -> Moment {
        Moment {
            boot: "one".into(),
            uptime_ms,
            wall_ms,
        }
    }

    #[test]
    fn a_deadline_passes_in_its_very_millisecond() {
        let deadline = at(1_000, 0).after(Duration::from_millis(500));
        assert!(!deadline.has_passed(&at(1_499, 0)));
        assert!(deadline.has_passed(&at(1_500, 0)));
        assert_eq!(
            deadline.remaining(&at(1_400, 0)),
            Duration::from_millis(100)
        );
        assert_eq!(deadline.remaining(&at(1_600, 0)), Duration::ZERO);
    }

    #[test]
    fn a_wall_clock_that_jumps_moves_no_deadline() {
        const DAY: i64 = 24 * 60 * 60 * 1_000;
        let deadline = at(1_000, 0).after(Duration::from_secs(60));
        for jump in [DAY, -DAY, 365 * DAY, -365 * DAY] {
            assert!(!deadline.has_passed(&at(60_999, jump)), "{jump}");
            assert!(deadline.has_passed(&at(61_000, jump)), "{jump}");
        }
    }

    #[test]
    fn a_deadline_of_an_earlier_start_has_passed() {
        let deadline = at(1_000, 0).after(Duration::from_secs(60));
        let restarted = Moment {
            boot: "two".into(),
            ..at(5, 0)
        };
        assert!(deadline.has_passed(&restarted));
    }

    #[test]
    fn an_endless_wait_has_a_deadline_too() {
        let deadline = at(1_000, 0).after(Duration::MAX);
        assert_eq!(deadline.uptime_ms, MAX_UPTIME_MS);
        assert!(!deadline.has_passed(&at(u64::from(u32::MAX), 0)));
    }
}
