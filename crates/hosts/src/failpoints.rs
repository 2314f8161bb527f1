//! Points at which the process kills itself in crash tests. Without the feature `failpoints` they
//! do nothing.

/// Before any change to a file.
pub(crate) const BEFORE: &str = "install-file-before";
/// After the new file was written under its temporary name.
pub(crate) const WRITTEN: &str = "install-file-written";
/// After the file was renamed.
pub(crate) const AFTER: &str = "install-file-after";

/// All points.
#[cfg(feature = "failpoints")]
pub const NAMES: [&str; 3] = [BEFORE, WRITTEN, AFTER];

/// Does nothing without the feature.
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

    /// Arms the point in `NAME:N`: the process dies the Nth time it is reached. Returns whether the point
    /// exists.
    pub fn arm(text: &str) -> bool {
        let Some((name, nth)) = text.split_once(':') else {
            return false;
        };
        match nth.parse() {
            Ok(nth) if NAMES.contains(&name) => ARMED.set((name.to_owned(), nth)).is_ok(),
            Ok(_) | Err(_) => false,
        }
    }

    /// Kills the process if this point is armed.
    pub(crate) fn reach(point: &str) {
        if let Some((name, nth)) = ARMED.get()
            && name == point
            && REACHED.fetch_add(1, Ordering::SeqCst) + 1 == *nth
        {
            // If the kill fails, the process continues and the crash test reports it.
            kill_process(getpid(), Signal::KILL).ok();
        }
    }
}
