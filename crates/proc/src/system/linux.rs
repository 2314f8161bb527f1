//! Processes on Linux: `/proc`, pidfds, and the adoption of orphans.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStringExt as _;
use std::path::PathBuf;

use rustix::process::{
    Pid, PidfdFlags, Signal, getpid, pidfd_open, pidfd_send_signal, set_child_subreaper,
};
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;

use super::Stat;

/// The size of the first read of an environment, larger than most environments.
const USUAL_BYTES: usize = 64 << 10;

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

/// What distinguishes this machine and its process numbers from others.
pub(crate) fn machine_identity() -> String {
    let text = |path| fs::read_to_string(path).unwrap_or_default();
    let numbers = fs::read_link("/proc/self/ns/pid").unwrap_or_default();
    let [id, host] = ["/etc/machine-id", "/proc/sys/kernel/hostname"].map(text);
    format!("{} {} {}", id.trim(), host.trim(), numbers.display())
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
            has_ended: matches!(state, b'Z' | b'X' | b'x'),
            parent,
            group,
            start,
        })
    }
}

/// When a child of this process started, which may have ended and is not yet reaped.
pub(crate) fn start_of_child(pid: i32) -> io::Result<u64> {
    Ok(Stat::read(pid)?.start)
}

/// The last assigned process number, if the system reports it.
pub(crate) fn last_pid() -> Option<i32> {
    let load = fs::read_to_string("/proc/loadavg").ok()?;
    load.split_ascii_whitespace().next_back()?.parse().ok()
}

/// The variables that `pid` was started with, as `NAME=value`; none during an `exec`.
pub(crate) fn environment(pid: i32) -> io::Result<Vec<Vec<u8>>> {
    let bytes = read_at_once(&format!("/proc/{pid}/environ"))?;
    let variables = bytes.split(|&byte| byte == 0);
    let variables = variables.filter(|variable| !variable.is_empty());
    Ok(variables.map(<[u8]>::to_vec).collect())
}

/// Reads a file with as few reads as possible: an `exec` between two reads would truncate the
/// environment.
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

/// The file of the program that `pid` runs. Kernel threads and ended processes have none.
pub(crate) fn program_path(pid: i32) -> Option<PathBuf> {
    fs::read_link(format!("/proc/{pid}/exe")).ok()
}

/// The command line of `pid`, the program's name first.
pub(crate) fn command_line(pid: i32) -> Vec<OsString> {
    let line = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    let words = line.split(|byte| *byte == 0);
    words
        .map(|word| OsString::from_vec(word.to_vec()))
        .collect()
}

/// Opens a descriptor that becomes readable when `pid` ends; `None` before Linux 5.3.
#[expect(
    deprecated,
    reason = "its unsafe successor asks that the descriptor stays open and the same: an `OwnedFd` does"
)]
pub(crate) fn open_exit_notice(pid: Pid) -> io::Result<Option<AsyncFd<OwnedFd>>> {
    match pidfd_open(pid, PidfdFlags::NONBLOCK) {
        Ok(fd) => AsyncFd::with_interest(fd, Interest::READABLE).map(Some),
        Err(_) => Ok(None),
    }
}

/// Kills `pid` if `is_meant` still holds once the number cannot be given to another process.
pub(crate) fn kill_if(pid: i32, is_meant: impl Fn() -> bool) {
    let Some(number) = Pid::from_raw(pid) else {
        return;
    };
    if let Ok(opened) = pidfd_open(number, PidfdFlags::empty())
        && is_meant()
    {
        pidfd_send_signal(opened, Signal::KILL).unwrap_or_default();
    }
}

/// Makes this process the parent of all orphans among its descendants.
pub(crate) fn become_subreaper() -> io::Result<()> {
    Ok(set_child_subreaper(Some(getpid()))?)
}

/// Changes the name of this process in lists of processes.
pub(crate) fn rename_process(name: &str) {
    fs::write("/proc/self/comm", name).unwrap_or_default();
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
                has_ended: false,
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
}
