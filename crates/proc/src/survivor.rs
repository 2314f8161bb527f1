//! Ends what a crash left running.

use std::thread;
use std::time::{Duration, Instant};

use rustix::process::Signal;

use crate::group::{Group, Stat, boot_id};
use crate::mark::has_group_mark;
use crate::stray::{StrayScope, end_strays};

/// What became of a recorded group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Survivor {
    /// Nothing of it was running.
    Gone,
    /// It was running and has been ended.
    Ended,
    /// The number is in use by others; they were left alone.
    Reused,
    /// It still runs although it was killed.
    Stuck,
}

// Measured: tools that hung were gone within 0.35 s of a TERM. Gemini CLI 0.61 with its relauncher
// ignores it for over 6 s, so waiting longer would not help.
const GRACE: Duration = Duration::from_secs(1);
// As in `leader.rs`; with `GRACE` it is the three seconds that `end_survivor` says.
const KILL_TIMEOUT: Duration = Duration::from_secs(2);
// Longer than in `leader.rs`, which has sent a KILL: who gets a TERM takes a moment, and each look
// reads all of `/proc`.
const STEP: Duration = Duration::from_millis(5);

/// Ends a group that an earlier, crashed run wrote down.
///
/// It is ended with TERM, then KILL, only if this is the boot it was started
/// in and either its leader is the recorded one or a member carries its mark.
/// Processes that left the group and carry its mark are ended with it.
/// Blocks for at most about three seconds.
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
        // Again before each signal: in between the number may have changed hands.
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
