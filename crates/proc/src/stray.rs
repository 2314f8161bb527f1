//! Ends processes that left their group: what a child starts in a session of its own.

use std::fs;

use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

use crate::group::{Group, MARK, Stat, processes};

/// Looks for strays until one finds none: a stray may start another while it is ended.
const ROUNDS: usize = 8;

/// Ends the processes that carry the mark of `group`, whichever group they are in now.
///
/// A process that cleaned its environment is not found. Costs the numbers of all processes, and one
/// look at each that was started later than the group.
pub(crate) fn end_strays(group: &Group) {
    for _ in 0..ROUNDS {
        let last = last_number();
        let later = processes().filter(|&pid| is_later(pid, group.pgid, last));
        let strays: Vec<i32> = later.filter(|&pid| is_stray(pid, group)).collect();
        if strays.is_empty() {
            return;
        }
        for pid in strays {
            end(pid, group);
        }
    }
}

/// The number that was given last, where the system says so.
fn last_number() -> Option<i32> {
    let load = fs::read_to_string("/proc/loadavg").ok()?;
    load.split_ascii_whitespace().next_back()?.parse().ok()
}

/// Whether `pid` can have been given after `first`: numbers rise, and begin anew at their end.
fn is_later(pid: i32, first: i32, last: Option<i32>) -> bool {
    match last {
        Some(last) if last >= first => (first..=last).contains(&pid),
        Some(last) => pid >= first || pid <= last,
        None => true,
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

#[cfg(test)]
mod tests {
    use super::is_later;

    #[test]
    fn numbers_rise_and_begin_anew() {
        let later = |last| [90, 100, 101, 120, 121].map(|pid| is_later(pid, 100, last));
        assert_eq!(later(Some(120)), [false, true, true, true, false]);
        assert_eq!(later(Some(95)), [true, true, true, true, true]);
        assert!(!is_later(96, 100, Some(95)));
        assert_eq!(later(None), [true; 5]);
    }
}
