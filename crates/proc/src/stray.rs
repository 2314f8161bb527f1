//! Ends processes that left their group: what a child starts in a session of its own.

use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

use crate::group::{Group, Stat, all_pids};
use crate::mark::has_group_mark;
use crate::orphan::is_orphan;

// Chosen, not measured: what starts processes faster than they are ended goes on for ever, and a
// drop blocks its thread so long. What is left stays on the record of the run.
/// How long it is tried to end all strays: one may start another while it is ended.
pub(crate) const STRAYS_TIMEOUT: Duration = Duration::from_millis(250);
// As `STEP` in `leader.rs`: the strays were sent a KILL.
/// Between two looks for strays; a killed one takes a moment to go.
pub(crate) const STRAYS_STEP: Duration = Duration::from_millis(1);

/// Where strays are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StrayScope {
    /// The processes whose number was given after the group's: enough for a group that has just
    /// ended.
    Later,
    /// All processes: since a group of an earlier run was started, the numbers may have gone round.
    All,
}

/// Ends the processes that carry the mark of `group`, whichever group they are in now, and gives
/// whether none is left. Blocks for at most [`STRAYS_TIMEOUT`].
///
/// A process that cleaned its environment is found only by who adopted it ([`crate::adopt_orphans`]).
pub(crate) fn end_strays(group: &Group, among: StrayScope) -> bool {
    let until = Instant::now() + STRAYS_TIMEOUT;
    while kill_strays(group, among) {
        if Instant::now() > until {
            return false;
        }
        thread::sleep(STRAYS_STEP);
    }
    true
}

/// Kills the processes that carry the mark of `group`, whichever group they are in now, and returns
/// whether there was one.
///
/// Costs the numbers of all processes, and one look at each that is asked for.
pub(crate) fn kill_strays(group: &Group, among: StrayScope) -> bool {
    let last = last_pid();
    let asked =
        |pid: &i32| among == StrayScope::All || is_pid_assigned_after(*pid, group.pgid, last);
    let strays: Vec<i32> = all_pids()
        .filter(asked)
        .filter(|&pid| is_stray(pid, group))
        .collect();
    for &pid in &strays {
        kill_stray(pid, group);
    }
    !strays.is_empty()
}

/// The number that was given last, where the system says so.
fn last_pid() -> Option<i32> {
    let load = fs::read_to_string("/proc/loadavg").ok()?;
    load.split_ascii_whitespace().next_back()?.parse().ok()
}

/// Whether `pid` can have been given after `first`: numbers rise, and begin again at their end.
fn is_pid_assigned_after(pid: i32, first: i32, last: Option<i32>) -> bool {
    match last {
        Some(last) if last >= first => (first..=last).contains(&pid),
        Some(last) => pid >= first || pid <= last,
        None => true,
    }
}

/// Whether `pid` is a running process that was started with the group's mark, or let go by it. Start times are
/// compared first, since that is cheap: nothing a child started is older than the child.
fn is_stray(pid: i32, group: &Group) -> bool {
    Stat::read(pid).is_ok_and(|stat| {
        let is_later = stat.start >= group.leader_start && stat.is_running();
        is_later && has_group_mark(pid, group) || is_orphan(pid, &stat, group)
    })
}

fn kill_stray(pid: i32, group: &Group) {
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
    use super::*;

    #[test]
    fn numbers_rise_and_begin_anew() {
        let later =
            |last| [90, 100, 101, 120, 121].map(|pid| is_pid_assigned_after(pid, 100, last));
        assert_eq!(later(Some(120)), [false, true, true, true, false]);
        assert_eq!(later(Some(95)), [true, true, true, true, true]);
        assert!(!is_pid_assigned_after(96, 100, Some(95)));
        assert_eq!(later(None), [true; 5]);
    }
}
