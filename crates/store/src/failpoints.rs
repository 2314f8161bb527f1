//! Points at which the process can kill itself, for crash tests.
//!
//! With the feature `failpoints`, the program arms one of them from text such as
//! `journal-append-after:3`; the third time the point is reached, the process kills itself with
//! SIGKILL. Without the feature, the points do nothing.

/// All points: before a line is written, with half of it written, with all of it written but not
/// synced, and after the sync; before and after a projection is renamed into place; after the
/// record of an imported folder is renamed into place.
#[cfg(any(test, feature = "failpoints"))]
pub const NAMES: [&str; 7] = [
    "journal-append-before",
    "journal-append-middle",
    "journal-append-written",
    "journal-append-after",
    "projection-before",
    "projection-after",
    "import-after",
];

/// Before a line is written.
pub const BEFORE: &str = "journal-append-before";
/// With half of a line written.
pub const MIDDLE: &str = "journal-append-middle";
/// With a whole line written but not synced.
pub const WRITTEN: &str = "journal-append-written";
/// After a line was synced.
pub const AFTER: &str = "journal-append-after";
/// Before a projection is renamed into place.
pub const PROJECTION_BEFORE: &str = "projection-before";
/// After the record of an imported folder is renamed into place.
pub const IMPORTED: &str = "import-after";
/// After a projection is renamed into place.
pub const PROJECTION_AFTER: &str = "projection-after";

#[cfg(any(test, feature = "failpoints"))]
pub use armed::{ArmError, arm_failpoint, is_due, kill_this_process};

#[cfg(any(test, feature = "failpoints"))]
mod armed {
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicU64, Ordering};

    use rustix::process::{Signal, getpid, kill_process};

    use super::NAMES;

    static ARMED: OnceLock<(String, u64)> = OnceLock::new();
    static REACHED: AtomicU64 = AtomicU64::new(0);

    /// Why a text does not name a failpoint.
    #[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
    pub enum ArmError {
        /// It does not have the form `NAME:N`.
        #[error("invalid failpoint `{0}`; write NAME:N")]
        Shape(String),
        /// No failpoint has this name.
        #[error("unknown failpoint `{0}`")]
        Name(String),
        /// Another failpoint is already armed.
        #[error("another failpoint is already armed")]
        Twice,
    }

    /// Arms a point, written `NAME:N`: the process dies the Nth time it is reached.
    ///
    /// # Errors
    ///
    /// If the text does not name a failpoint, or another one is armed.
    pub fn arm_failpoint(text: &str) -> Result<(), ArmError> {
        let shape = || ArmError::Shape(text.to_owned());
        let (name, nth) = text.split_once(':').ok_or_else(shape)?;
        let nth: u64 = nth.parse().map_err(|_| shape())?;
        if !NAMES.contains(&name) {
            return Err(ArmError::Name(name.to_owned()));
        }
        let armed = ARMED.set((name.to_owned(), nth));
        armed.map_err(|_| ArmError::Twice)
    }

    /// Returns whether the process must die at this point now.
    pub fn is_due(name: &str) -> bool {
        match ARMED.get() {
            Some((armed, nth)) if armed == name => {
                REACHED.fetch_add(1, Ordering::SeqCst) + 1 == *nth
            }
            Some(_) | None => false,
        }
    }

    /// Ends the process like `kill -9`.
    pub fn kill_this_process() {
        // If the kill fails, the process continues and the crash test fails.
        kill_process(getpid(), Signal::KILL).ok();
    }
}

/// Returns whether the process must die now: never, without the feature.
#[cfg(not(any(test, feature = "failpoints")))]
pub const fn is_due(_name: &str) -> bool {
    false
}

/// Does nothing without the feature.
#[cfg(not(any(test, feature = "failpoints")))]
pub const fn kill_this_process() {}

/// Dies here if this failpoint is armed and due.
pub fn die_if_armed(name: &str) {
    if is_due(name) {
        kill_this_process();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_point_that_exists_is_armed() {
        let name = "journal-append-never".to_owned();
        assert_eq!(
            arm_failpoint("journal-append-never:1"),
            Err(ArmError::Name(name))
        );
        for shape in ["journal-append-after", "journal-append-after:x"] {
            assert_eq!(arm_failpoint(shape), Err(ArmError::Shape(shape.to_owned())));
        }
    }
}
