//! Starts a program that outlives this one.

use std::fs::File;
use std::io;
use std::process::{Command, Stdio};

use crate::group::{Group, MARK, random_digits};
use crate::orphan;
use crate::system::{Stat, boot_id};
use crate::{Program, StartError};

/// Starts `program` so that it outlives this process, and does not wait for it.
///
/// It has no input, writes only to `log`, has the environment of `program` and
/// [`MARK`](crate::MARK), and inherits no descriptors. The first thing it must do is
/// [`leave_terminal`]: until then it is in the caller's process group and ends with it.
///
/// It is the only program that does not end with this process. Use its group, which it leads after
/// leaving, with [`is_leader_running`] to check on it later.
///
/// # Errors
///
/// If it could not be started.
pub fn spawn_detached(program: &Program, log: &File) -> Result<Group, StartError> {
    if !program.cwd.is_dir() {
        let path = program.cwd.clone();
        return Err(StartError::Directory { path });
    }
    let refused = |cause| StartError::Spawn {
        program: program.path.clone(),
        cause,
    };
    let mark = random_digits().map_err(refused)?;
    let said = log.try_clone().map_err(refused)?;
    let told = log.try_clone().map_err(refused)?;
    let starting = orphan::begin_start();
    let mut child = Command::new(&program.path)
        .args(&program.args)
        .env_clear()
        .envs(&program.env)
        .env(MARK, &mark)
        .current_dir(&program.cwd)
        .stdin(Stdio::null())
        .stdout(said)
        .stderr(told)
        .spawn()
        .map_err(refused)?;
    starting.started(child.id());
    match Group::of_leader(child.id(), mark) {
        Ok(group) => {
            orphan::spare_strays_of(&group);
            Ok(group)
        }
        Err(cause) => {
            // Both fail only if the child has already ended.
            child.kill().ok();
            child.wait().ok();
            orphan::unregister(child.id());
            Err(StartError::Attach {
                program: program.path.clone(),
                cause,
            })
        }
    }
}

/// Moves this process to a session of its own, without a terminal.
///
/// Afterwards it receives no signals from a terminal, such as those for closing it.
///
/// # Errors
///
/// If it already leads a process group.
pub fn leave_terminal() -> io::Result<()> {
    rustix::process::setsid()?;
    Ok(())
}

/// Returns whether the leader of `group` is still running, on the current boot of the machine.
pub fn is_leader_running(group: &Group) -> bool {
    group.leader_pid().is_some()
        && boot_id().is_ok_and(|boot| boot == group.boot)
        && Stat::read(group.pgid)
            .is_ok_and(|stat| stat.start == group.leader_start && stat.is_running())
}

/// Returns when the process `pid` started, if it is running: clock ticks since boot on Linux, seconds
/// since 1970 elsewhere. The number and this time identify a process.
pub fn start_of_process(pid: u32) -> Option<u64> {
    let stat = Stat::read(i32::try_from(pid).ok()?).ok()?;
    stat.is_running().then_some(stat.start)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::thread;
    use std::time::Duration;

    use rustix::process::Signal;

    use super::*;

    #[test]
    fn what_is_detached_writes_to_its_log_and_is_known_again() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("log");
        let log = File::create(&path).unwrap();
        let program = Program {
            path: "/bin/sh".into(),
            args: vec![
                "-c".into(),
                "cat; echo said; echo told >&2; exec sleep 60".into(),
            ],
            env: [("PATH".into(), "/usr/bin:/bin".into())].into(),
            cwd: dir.path().to_owned(),
        };
        let group = spawn_detached(&program, &log).unwrap();
        assert!(is_leader_running(&group));
        let reused = Group {
            leader_start: group.leader_start + 1,
            ..group.clone()
        };
        assert!(!is_leader_running(&reused));
        while fs::read_to_string(&path).unwrap() != "said\ntold\n" {
            thread::sleep(Duration::from_millis(5));
        }
        rustix::process::kill_process(group.leader_pid().unwrap(), Signal::KILL).unwrap();
        while is_leader_running(&group) {
            thread::sleep(Duration::from_millis(5));
        }
    }

    #[test]
    fn a_program_that_is_not_there_is_not_started() {
        let dir = tempfile::tempdir().unwrap();
        let log = File::create(dir.path().join("log")).unwrap();
        let program = Program {
            path: dir.path().join("nothing"),
            args: Vec::new(),
            env: [].into(),
            cwd: dir.path().to_owned(),
        };
        assert!(matches!(
            spawn_detached(&program, &log),
            Err(StartError::Spawn { .. })
        ));
    }
}
