//! Processes on systems other than Linux, by the `sysinfo` crate and POSIX.
//!
//! Three things are weaker than on Linux. The end of a child is found by looking, because there are
//! no pidfds. No process adopts orphans. The environment of programs that the system protects
//! cannot be read, so strays among them are found only while they are in their group.

use std::ffi::OsString;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStringExt as _;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use nix::unistd::getpgid;
use rustix::process::{Pid, Signal, kill_process};
use sysinfo::{Process, ProcessRefreshKind, ProcessStatus, ProcessesToUpdate, System, UpdateKind};
use tokio::io::unix::AsyncFd;

use super::Stat;

/// The number of a process as `sysinfo` writes it, for a number that can belong to one.
fn number(pid: i32) -> Option<sysinfo::Pid> {
    let pid = u32::try_from(pid).ok().filter(|pid| *pid > 0)?;
    Some(sysinfo::Pid::from_u32(pid))
}

/// Reads one process, with the parts that `kind` names, and passes it to `read`.
fn look<T>(pid: i32, kind: ProcessRefreshKind, read: impl FnOnce(&Process) -> T) -> Option<T> {
    let number = number(pid)?;
    let mut system = System::new().ok()?;
    let kind = kind.without_tasks();
    system.refresh_processes_specifics(ProcessesToUpdate::Some(&[number]), true, kind);
    system.process(number).map(read)
}

/// The numbers of all visible processes.
pub(crate) fn all_pids() -> impl Iterator<Item = i32> {
    let mut numbers = Vec::new();
    if let Ok(mut system) = System::new() {
        let kind = ProcessRefreshKind::nothing().without_tasks();
        system.refresh_processes_specifics(ProcessesToUpdate::All, true, kind);
        let found = system.processes().keys();
        numbers.extend(found.filter_map(|pid| i32::try_from(pid.as_u32()).ok()));
    }
    numbers.into_iter()
}

/// The same for every boot: a process is identified by the second in which it started, and no
/// second comes again after a reboot.
pub(crate) fn boot_id() -> io::Result<String> {
    Ok("00000000-0000-4000-8000-000000000000".to_owned())
}

/// What distinguishes this machine from others.
pub(crate) fn machine_identity() -> String {
    System::host_name().unwrap_or_default()
}

impl Stat {
    pub(crate) fn read(pid: i32) -> io::Result<Self> {
        let facts = |process: &Process| {
            let status = process.status();
            (status, process.start_time(), process.parent())
        };
        let (status, start, parent) =
            look(pid, ProcessRefreshKind::nothing(), facts).ok_or(io::ErrorKind::NotFound)?;
        // The group of a thread of the kernel is 0, which rustix would take for a defect.
        let group = getpgid(Some(nix::unistd::Pid::from_raw(pid)));
        Ok(Self {
            // Some systems keep only the number of a process that has ended.
            has_ended: matches!(status, ProcessStatus::Zombie | ProcessStatus::Dead) || start == 0,
            parent: parent
                .and_then(|parent| i32::try_from(parent.as_u32()).ok())
                .unwrap_or_default(),
            group: group.map_or(0, nix::unistd::Pid::as_raw),
            start,
        })
    }
}

/// When a child of this process started, which may have ended and is not yet reaped. A system that
/// no longer tells it has just started it.
pub(crate) fn start_of_child(pid: i32) -> io::Result<u64> {
    match Stat::read(pid) {
        Ok(stat) if stat.start > 0 => Ok(stat.start),
        Ok(_) | Err(_) => {
            let now = SystemTime::now().duration_since(UNIX_EPOCH);
            now.map(|now| now.as_secs()).map_err(io::Error::other)
        }
    }
}

/// The last assigned process number, if the system reports it.
pub(crate) const fn last_pid() -> Option<i32> {
    None
}

/// The variables that `pid` was started with, as `NAME=value`, as far as they can be read.
pub(crate) fn environment(pid: i32) -> io::Result<Vec<Vec<u8>>> {
    let kind = ProcessRefreshKind::nothing().with_environ(UpdateKind::Always);
    let variables = look(pid, kind, |process| process.environ().to_vec());
    let variables = variables.ok_or(io::ErrorKind::NotFound)?;
    Ok(variables.into_iter().map(OsString::into_vec).collect())
}

/// The file of the program that `pid` runs.
pub(crate) fn program_path(pid: i32) -> Option<PathBuf> {
    let kind = ProcessRefreshKind::nothing().with_exe(UpdateKind::Always);
    look(pid, kind, |process| process.exe().map(Path::to_owned)).flatten()
}

/// The command line of `pid`, the program's name first.
pub(crate) fn command_line(pid: i32) -> Vec<OsString> {
    let kind = ProcessRefreshKind::nothing().with_cmd(UpdateKind::Always);
    look(pid, kind, |process| process.cmd().to_vec()).unwrap_or_default()
}

/// There is no descriptor for the end of a process, so the caller looks for it again and again.
pub(crate) const fn open_exit_notice(_pid: Pid) -> io::Result<Option<AsyncFd<OwnedFd>>> {
    Ok(None)
}

/// Kills `pid` if `is_meant` holds. The number could be given to another process in between, after
/// all other numbers.
pub(crate) fn kill_if(pid: i32, is_meant: impl Fn() -> bool) {
    if let Some(number) = Pid::from_raw(pid).filter(|_| pid > 1)
        && is_meant()
    {
        kill_process(number, Signal::KILL).unwrap_or_default();
    }
}

/// Reports that this system does not make a process the parent of orphans.
pub(crate) fn become_subreaper() -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Leaves the name as it is: the system offers no way that `pkill` would see.
pub(crate) const fn rename_process(_name: &str) {}
