//! The store's source of time.

use std::fs;
use std::time::{SystemTime, UNIX_EPOCH};

use rustix::time::{ClockId, clock_gettime};

use crate::time::Moment;

/// A source of time. The store gets it as a parameter, so that tests can change the time.
pub trait Clock: Send + Sync + std::fmt::Debug {
    /// Returns the current moment.
    fn now(&self) -> Moment;
}

/// The clocks of the machine.
#[derive(Clone, Debug)]
pub struct SystemClock {
    boot: Box<str>,
}

impl SystemClock {
    /// Creates the clocks for the current boot. On systems without a boot id, a lease may outlive a
    /// reboot by as long as the machine had been running.
    pub fn new() -> Self {
        let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
        Self {
            boot: boot.trim().into(),
        }
    }
}

impl Default for SystemClock {
    fn default() -> Self {
        Self::new()
    }
}

impl Clock for SystemClock {
    fn now(&self) -> Moment {
        let uptime = clock_gettime(ClockId::Monotonic);
        let seconds = u64::try_from(uptime.tv_sec).unwrap_or_default();
        let ms = u64::try_from(uptime.tv_nsec / 1_000_000).unwrap_or_default();
        // A time before 1970 can count as 1970, because it is only displayed.
        let wall = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        Moment {
            boot: self.boot.clone(),
            uptime_ms: seconds.saturating_mul(1_000).saturating_add(ms),
            wall_ms: i64::try_from(wall.as_millis()).unwrap_or(i64::MAX),
        }
    }
}
