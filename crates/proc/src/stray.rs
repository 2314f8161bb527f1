//! Ends processes that left their group: what a child starts in a session of its own.

use std::fs;

use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

use crate::group::{Group, MARK, Stat, processes};

/// Looks for strays until one finds none: a stray may start another while it is ended.
const ROUNDS: usize = 8;

/// Ends the processes that carry the mark of `group`, whichever group they are in now.
///
/// A process that cleaned its environment is not found. Costs one look at each process there is.
pub(crate) fn end_strays(group: &Group) {
    for _ in 0..ROUNDS {
        let strays: Vec<i32> = processes().filter(|&pid| is_stray(pid, group)).collect();
        if strays.is_empty() {
            return;
        }
        for pid in strays {
            end(pid, group);
        }
    }
}

/// The cheap question first: nothing that a child started is older than the child.
fn is_stray(pid: i32, group: &Group) -> bool {
    Stat::read(pid).is_ok_and(|stat| stat.start >= group.leader_start && stat.is_running())
        && is_marked(pid, group)
}

/// Whether `pid` was started with the mark of `group` in its environment.
pub(crate) fn is_marked(pid: i32, group: &Group) -> bool {
    let entry = format!("{MARK}={}", group.mark);
    !group.mark.is_empty()
        && fs::read(format!("/proc/{pid}/environ")).is_ok_and(|environment| {
            environment
                .split(|&byte| byte == 0)
                .any(|variable| variable == entry.as_bytes())
        })
}

fn end(pid: i32, group: &Group) {
    let Some(number) = Pid::from_raw(pid) else {
        return;
    };
    // The number may change hands; what was opened stays the process that it was.
    if let Ok(opened) = pidfd_open(number, PidfdFlags::empty())
        && is_stray(pid, group)
    {
        pidfd_send_signal(opened, Signal::KILL).unwrap_or_default();
    }
}
