//! What the operating system tells about processes, and what only one system can do.
//!
//! Linux has `/proc`, pidfds and the adoption of orphans. Elsewhere the `sysinfo` crate reads the
//! list of processes, and POSIX does the rest. `--cfg agon_portable` selects that side on Linux,
//! too, so that its tests run there.

#[cfg(all(target_os = "linux", not(agon_portable)))]
mod linux;
#[cfg(any(not(target_os = "linux"), agon_portable))]
mod portable;

#[cfg(all(target_os = "linux", not(agon_portable)))]
pub(crate) use linux::*;
#[cfg(any(not(target_os = "linux"), agon_portable))]
pub(crate) use portable::*;

/// What identifies a process and places it among others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stat {
    pub(crate) has_ended: bool,
    pub(crate) parent: i32,
    pub(crate) group: i32,
    /// When it started: clock ticks since boot on Linux, seconds since 1970 elsewhere.
    pub(crate) start: u64,
}

impl Stat {
    /// Returns whether the process is running, which an unreaped one is not.
    pub(crate) fn is_running(&self) -> bool {
        !self.has_ended
    }
}
