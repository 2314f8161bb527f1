//! Ends processes that survived a crash.

use std::thread;
use std::time::{Duration, Instant};

use rustix::process::Signal;

use crate::group::Group;
use crate::mark::has_group_mark;
use crate::stray::{StrayScope, end_strays};
use crate::system::{Stat, boot_id};

/// The result for a recorded group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Survivor {
    /// None of its processes was running.
    Gone,
    /// It was running and has been ended.
    Ended,
    /// Other processes have reused the number and were left alone.
    Reused,
    /// It is still running although it was killed.
    Stuck,
}

// Measured: hung tools ended within 0.35 s of a TERM. Gemini CLI 0.61 with its relauncher ignores
// it for over 6 s, so a longer wait would not help.
const GRACE: Duration = Duration::from_secs(1);
// The same as in `leader.rs`; with `GRACE` it makes the three seconds stated at `end_survivor`.
const KILL_TIMEOUT: Duration = Duration::from_secs(2);
// Longer than in `leader.rs`, which sends a KILL: ending after a TERM takes longer, and each check
// reads all of `/proc`.
const STEP: Duration = Duration::from_millis(5);

/// Ends a group that an earlier, crashed run recorded.
///
/// Sends TERM, then KILL, only if the machine has not been rebooted since and either the recorded
/// leader is running or a member has the group's mark. Also ends processes that left the group and
/// have its mark. Blocks for at most about three seconds.
pub fn end_survivor(group: &Group) -> Survivor {
    if group.leader_pid().is_none() || boot_id().ok().as_deref() != Some(group.boot.as_str()) {
        return Survivor::Gone;
    }
    let survivor = end_group(group);
    match end_strays(group, StrayScope::All) {
        true => survivor,
        false => Survivor::Stuck,
    }
}

fn end_group(group: &Group) -> Survivor {
    if !group.is_running() {
        return Survivor::Gone;
    }
    for (signal, wait) in [(Signal::TERM, GRACE), (Signal::KILL, KILL_TIMEOUT)] {
        // Checked before each signal, because the number may be reused in between.
        if !is_recorded_group(group) {
            return if group.is_running() {
                Survivor::Reused
            } else {
                Survivor::Ended
            };
        }
        group.signal(signal);
        let until = Instant::now() + wait;
        while Instant::now() < until {
            if !group.is_running() {
                return Survivor::Ended;
            }
            thread::sleep(STEP);
        }
    }
    Survivor::Stuck
}

fn is_recorded_group(group: &Group) -> bool {
    let leads = |leader: Stat| leader.start == group.leader_start && leader.group == group.pgid;
    Stat::read(group.pgid).is_ok_and(leads)
        || group
            .members()
            .iter()
            .any(|&pid| has_group_mark(pid, group))
}
