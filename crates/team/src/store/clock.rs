//! Where the time comes from.

use std::fs;
use std::time::{SystemTime, UNIX_EPOCH};

use rustix::time::{ClockId, clock_gettime};

use crate::time::Moment;

/// Says what time it is; a parameter of the store, so that tests can let it jump.
pub trait Clock: Send + Sync + std::fmt::Debug {
    /// The moment now.
    fn now(&self) -> Moment;
}

/// The clocks of the machine.
#[derive(Clone, Debug)]
pub struct SystemClock {
    boot: Box<str>,
}

impl SystemClock {
    /// The clocks of this start of the machine. Where the system does not tell its starts apart, a
    /// lease may outlive one, by as long as the machine had been up.
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
        // Before 1970 is as good as 1970: it is only shown.
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
