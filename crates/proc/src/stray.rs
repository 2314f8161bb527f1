//! Ends processes that left their group: what a child starts in a session of its own.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

use crate::group::{Group, MARK, Stat, all_pids};
use crate::orphan::is_orphan;

// Chosen, not measured: what starts processes faster than they are ended goes on for ever, and a
// drop blocks its thread so long. What is left stays on the record of the run.
/// How long it is tried to end all strays: one may start another while it is ended.
pub(crate) const STRAYS_TIMEOUT: Duration = Duration::from_millis(250);
// As `STEP` in `leader.rs`: the strays were sent a KILL.
/// Between two looks for strays; a killed one takes a moment to go.
pub(crate) const STRAYS_STEP: Duration = Duration::from_millis(1);

/// More than environments have but for a few.
const USUAL_BYTES: usize = 64 << 10;
// Some 0.1 ms on a quiet machine; a process that has to wait for its turn takes longer.
/// How long a process may take to become another program.
const EXEC_TIMEOUT: Duration = Duration::from_millis(20);

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

/// Whether `pid` was started with the mark of `group` in its environment.
pub(crate) fn has_group_mark(pid: i32, group: &Group) -> bool {
    let entry = format!("{MARK}={}", group.mark);
    !group.mark.is_empty()
        && read_environment(pid).is_ok_and(|environment| {
            environment
                .split(|&byte| byte == 0)
                .any(|variable| variable == entry.as_bytes())
        })
}

/// The environment that `pid` was started with. It reads as empty while the process becomes another
/// program, which is waited for: a stray that just does that would be taken for another's.
fn read_environment(pid: i32) -> io::Result<Vec<u8>> {
    let until = Instant::now() + EXEC_TIMEOUT;
    loop {
        let environment = read_at_once(&format!("/proc/{pid}/environ"))?;
        // Threads of the system have no program, and what has ended has none any longer.
        let has_program = || fs::read_link(format!("/proc/{pid}/exe")).is_ok();
        if !environment.is_empty() || !has_program() || Instant::now() > until {
            return Ok(environment);
        }
        thread::sleep(STRAYS_STEP);
    }
}

/// What a file has, by as few reads as can be: an environment ends where its process became another
/// program between two of them.
fn read_at_once(path: &str) -> io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    let mut read = vec![0; USUAL_BYTES];
    let mut end = 0;
    loop {
        let room = read.get_mut(end..).unwrap_or_default();
        match file.read(room)? {
            0 => break,
            more => end += more,
        }
        if end == read.len() {
            read.resize(end * 2, 0);
        }
    }
    read.truncate(end);
    Ok(read)
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
    use std::process::Command;

    use super::*;

    #[test]
    fn a_process_that_becomes_one_program_after_another_keeps_its_mark() {
        let folder = tempfile::tempdir().unwrap();
        let script = folder.path().join("again.sh");
        fs::write(&script, "exec sh \"$0\"\n").unwrap();
        let mut command = Command::new("sh");
        let mut child = command.arg(&script).env(MARK, "m-1").spawn().unwrap();
        let pid = i32::try_from(child.id()).unwrap();
        let group = Group {
            pgid: pid,
            leader_start: 0,
            boot: String::new(),
            mark: "m-1".to_owned(),
        };
        let missed = (0..2_000).filter(|_| !has_group_mark(pid, &group)).count();
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(missed, 0, "of 2,000 looks");
    }

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
