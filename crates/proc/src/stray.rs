//! Ends strays: processes that a child started in a session of its own.

use std::thread;
use std::time::{Duration, Instant};

use crate::group::Group;
use crate::mark::has_group_mark;
use crate::orphan::is_orphan;
use crate::system::{Stat, all_pids, kill_if, last_pid};

// Chosen, not measured: a process that forks faster than its children are ended never stops, and a
// drop blocks its thread this long. Remaining strays stay in the record of the run.
/// How long to keep ending strays, because one may start another meanwhile.
pub(crate) const STRAYS_TIMEOUT: Duration = Duration::from_millis(250);
// Poll as often as `STEP` in `leader.rs`: the strays were sent SIGKILL and end soon.
/// Interval between searches for strays; a killed one takes a moment to end.
pub(crate) const STRAYS_STEP: Duration = Duration::from_millis(1);

/// The processes that are searched for strays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StrayScope {
    /// Processes with a number assigned after the group's: enough for a group that has just ended.
    Later,
    /// All processes: the numbers may have wrapped around since the group of an earlier run
    /// started.
    All,
}

/// Ends the processes with the mark of `group`, whichever group they are in now, and returns
/// whether none is left. Blocks for at most [`STRAYS_TIMEOUT`].
///
/// A process that cleared its environment is found only by its adopter ([`crate::adopt_orphans`]).
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

/// Kills the processes with the mark of `group`, whichever group they are in now, and returns
/// whether there were any.
///
/// Reads the list of all processes, and examines each one in scope.
pub(crate) fn kill_strays(group: &Group, among: StrayScope) -> bool {
    let last = last_pid();
    let asked =
        |pid: &i32| among == StrayScope::All || is_pid_assigned_after(*pid, group.pgid, last);
    let strays: Vec<i32> = all_pids()
        .filter(asked)
        .filter(|&pid| is_stray(pid, group))
        .collect();
    for &pid in &strays {
        kill_if(pid, || is_stray(pid, group));
    }
    !strays.is_empty()
}

/// Returns whether `pid` can have been assigned after `first`: numbers ascend and wrap around.
fn is_pid_assigned_after(pid: i32, first: i32, last: Option<i32>) -> bool {
    match last {
        Some(last) if last >= first => (first..=last).contains(&pid),
        Some(last) => pid >= first || pid <= last,
        None => true,
    }
}

/// Returns whether `pid` is a running process with the group's mark, or its orphan. Compares start
/// times first, which is cheap: no process is older than the child that started it.
fn is_stray(pid: i32, group: &Group) -> bool {
    Stat::read(pid).is_ok_and(|stat| {
        let is_later = stat.start >= group.leader_start && stat.is_running();
        is_later && has_group_mark(pid, group) || is_orphan(pid, &stat, group)
    })
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
