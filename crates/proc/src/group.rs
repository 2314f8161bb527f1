//! Process groups, and how to recognize one again.

use std::io;

use rustix::process::{Pid, Signal, kill_process_group, test_kill_process_group};
use serde::{Deserialize, Serialize};

use crate::system::{Stat, all_pids, boot_id, start_of_child};

/// The environment variable that passes [`Group::mark`] to every process of a group.
pub const MARK: &str = "AGON_GROUP";

/// Identifies a process group, even after the program that started it has ended.
///
/// The number of a process group can be reused; the other three fields cannot.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Group {
    /// The process group's number, which is its leader's process number.
    pub pgid: i32,
    /// When the leader started: on Linux in clock ticks since boot (field 22 of `/proc/PID/stat`),
    /// elsewhere in seconds since 1970.
    pub leader_start: u64,
    /// The boot id of the machine at that time; on systems other than Linux always the same.
    pub boot: String,
    /// A random value in the environment of the group's processes. It identifies a member whose
    /// leader has ended.
    pub mark: String,
}

impl Group {
    /// The group led by the process `pid`, which must be running or unreaped.
    pub(crate) fn of_leader(pid: u32, mark: String) -> io::Result<Self> {
        let pgid = i32::try_from(pid).map_err(|_| io::ErrorKind::InvalidData)?;
        Ok(Self {
            pgid,
            leader_start: start_of_child(pgid)?,
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

/// Generates a value for [`Group::mark`], 32 hexadecimal digits.
pub(crate) fn random_digits() -> io::Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    Ok(bytes.iter().fold(String::new(), |mut digits, byte| {
        digits.push_str(&format!("{byte:02x}"));
        digits
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

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
