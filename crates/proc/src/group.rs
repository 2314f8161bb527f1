//! Process groups, and how to recognize one again.

use std::fs;
use std::io;

use rustix::process::{Pid, Signal, kill_process_group, test_kill_process_group};
use serde::{Deserialize, Serialize};

/// The environment variable that passes [`Group::mark`] to every process of a group.
pub const MARK: &str = "AGON_GROUP";

/// Identifies a process group, even after the program that started it has ended.
///
/// The number of a process group can be reused; the other three fields cannot.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Group {
    /// The process group's number, which is its leader's process number.
    pub pgid: i32,
    /// When the leader started, in clock ticks since boot
    /// (field 22 of `/proc/PID/stat`).
    pub leader_start: u64,
    /// The boot id of the machine at that time.
    pub boot: String,
    /// A random value in the environment of the group's processes. It identifies a member whose
    /// leader has ended.
    pub mark: String,
}

impl Group {
    /// The group led by the process `pid`, which must be running or unreaped.
    pub(crate) fn of_leader(pid: u32, mark: String) -> io::Result<Self> {
        let pgid = i32::try_from(pid).map_err(|_| io::ErrorKind::InvalidData)?;
        let stat = Stat::read(pgid)?;
        Ok(Self {
            pgid,
            leader_start: stat.start,
            boot: boot_id()?,
            mark,
        })
    }

    pub(crate) fn leader_pid(&self) -> Option<Pid> {
        // Never signal group 0, which is our own, or 1: `kill(-1)` signals every process.
        (self.pgid > 1).then(|| Pid::from_raw(self.pgid)).flatten()
    }

    /// Sends `signal` to every process of the group. Does nothing if the group has ended.
    pub(crate) fn signal(&self, signal: Signal) {
        if let Some(pid) = self.leader_pid() {
            kill_process_group(pid, signal).ok();
        }
    }

    /// Returns whether any process of the group is running, not counting unreaped ones.
    pub(crate) fn is_running(&self) -> bool {
        // The cheap check first; it also counts unreaped processes.
        self.leader_pid()
            .is_some_and(|pid| test_kill_process_group(pid).is_ok())
            && !self.members().is_empty()
    }

    /// The running processes of the group.
    pub(crate) fn members(&self) -> Vec<i32> {
        let is_member = |&pid: &i32| {
            Stat::read(pid).is_ok_and(|stat| stat.group == self.pgid && stat.is_running())
        };
        all_pids().filter(is_member).collect()
    }
}

/// The numbers of all visible processes.
pub(crate) fn all_pids() -> impl Iterator<Item = i32> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

/// The boot id of the machine.
pub(crate) fn boot_id() -> io::Result<String> {
    Ok(fs::read_to_string("/proc/sys/kernel/random/boot_id")?
        .trim()
        .to_owned())
}

/// Generates a value for [`Group::mark`].
pub(crate) fn random_uuid() -> io::Result<String> {
    Ok(fs::read_to_string("/proc/sys/kernel/random/uuid")?
        .trim()
        .to_owned())
}

/// The fields of `/proc/PID/stat` that identify a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stat {
    state: u8,
    pub(crate) parent: i32,
    pub(crate) group: i32,
    pub(crate) start: u64,
}

impl Stat {
    pub(crate) fn read(pid: i32) -> io::Result<Self> {
        let stat = fs::read(format!("/proc/{pid}/stat"))?;
        Self::parse(&stat).ok_or_else(|| io::ErrorKind::InvalidData.into())
    }

    fn parse(stat: &[u8]) -> Option<Self> {
        // Split at the last `)`: the process name before it can contain spaces and brackets.
        let after_name = stat.iter().rposition(|&byte| byte == b')')? + 1;
        let mut fields = std::str::from_utf8(stat.get(after_name..)?)
            .ok()?
            .split_ascii_whitespace();
        let state = *fields.next()?.as_bytes().first()?;
        let parent = fields.next()?.parse().ok()?;
        let group = fields.next()?.parse().ok()?;
        let start = fields.nth(16)?.parse().ok()?;
        Some(Self {
            state,
            parent,
            group,
            start,
        })
    }

    pub(crate) fn is_running(&self) -> bool {
        !matches!(self.state, b'Z' | b'X' | b'x')
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_spaces_and_brackets_does_not_shift_the_fields() {
        let line = b"42 (a) b (c) S 1 77 9 0 -1 4194560 1 0 0 0 5 6 7 8 20 0 1 0 123456 1 2 3";
        assert_eq!(
            Stat::parse(line),
            Some(Stat {
                state: b'S',
                parent: 1,
                group: 77,
                start: 123_456
            })
        );
    }

    #[test]
    fn a_cut_line_has_no_identity() {
        assert_eq!(Stat::parse(b"42 (a) S 1 77"), None);
        assert_eq!(Stat::parse(b""), None);
    }

    #[test]
    fn a_group_numbered_zero_or_one_is_never_signalled() {
        for pgid in [-7, 0, 1] {
            let group = Group {
                pgid,
                leader_start: 0,
                boot: String::new(),
                mark: String::new(),
            };
            assert_eq!(group.leader_pid(), None);
            assert!(!group.is_running());
        }
    }
}
