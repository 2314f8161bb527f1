//! Points at which the process kills itself, for crash tests; without the feature `failpoints` none
//! of them does anything.

/// Before a file is touched.
pub(crate) const BEFORE: &str = "install-file-before";
/// With the new file whole, under another name.
pub(crate) const WRITTEN: &str = "install-file-written";
/// After the file got its name.
pub(crate) const AFTER: &str = "install-file-after";

/// Every point.
#[cfg(feature = "failpoints")]
pub const NAMES: [&str; 3] = [BEFORE, WRITTEN, AFTER];

/// Nothing, without the feature.
#[cfg(not(feature = "failpoints"))]
pub(crate) const fn reach(_point: &str) {}

#[cfg(feature = "failpoints")]
pub use armed::arm;
#[cfg(feature = "failpoints")]
pub(crate) use armed::reach;

#[cfg(feature = "failpoints")]
mod armed {
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicU64, Ordering};

    use rustix::process::{Signal, getpid, kill_process};

    use super::NAMES;

    static ARMED: OnceLock<(String, u64)> = OnceLock::new();
    static REACHED: AtomicU64 = AtomicU64::new(0);

    /// Arms a point, written `NAME:N`: the process dies the Nth time it is reached. Says whether
    /// there is such a point.
    pub fn arm(text: &str) -> bool {
        let Some((name, nth)) = text.split_once(':') else {
            return false;
        };
        match nth.parse() {
            Ok(nth) if NAMES.contains(&name) => ARMED.set((name.to_owned(), nth)).is_ok(),
            Ok(_) | Err(_) => false,
        }
    }

    /// Dies here if that is armed.
    pub(crate) fn reach(point: &str) {
        if let Some((name, nth)) = ARMED.get()
            && name == point
            && REACHED.fetch_add(1, Ordering::SeqCst) + 1 == *nth
        {
            // What cannot be killed goes on, and the crash test fails.
            kill_process(getpid(), Signal::KILL).ok();
        }
    }
}
