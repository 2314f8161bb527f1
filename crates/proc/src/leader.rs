//! The started child: its process group and its end. Ensures that nothing keeps running.

use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, waitid};
use tokio::io::unix::AsyncFd;
use tokio::process::{ChildStderr, ChildStdin, ChildStdout};
use tokio::time::{sleep, timeout};

use crate::group::{Group, MARK, random_digits};
use crate::orphan;
use crate::stray::{STRAYS_STEP, STRAYS_TIMEOUT, StrayScope, end_strays, kill_strays};
use crate::system::open_exit_notice;
use crate::{Program, Watch};

// Measured on five hung tools: each ended within 0.35 s of a TERM to its group. A process that
// survives a KILL for this long is stuck in the kernel.
/// How long to wait for a killed process to end.
const EXIT_TIMEOUT: Duration = Duration::from_secs(2);
// As long as `STRAYS_TIMEOUT`. Dropping the leader may wait for both, so it blocks a runtime thread
// for at most half a second.
/// How long `drop` waits for the process to end. It blocks its thread.
const DROP_EXIT_TIMEOUT: Duration = Duration::from_millis(250);
// A process starts in 0.44 ms (measured), so a longer step would dominate the wait for one that is
// just ending.
const STEP: Duration = Duration::from_millis(1);
// Used only without pidfds (before Linux 5.3, and on other systems), to check whether a running tool has ended: doing so
// every millisecond would cost too much.
const SLOW_STEP: Duration = Duration::from_millis(10);

/// Why a program could not be started; nothing of it is running.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The working directory is not a directory.
    #[error("`{}` is not a directory", path.display())]
    Directory {
        /// The directory.
        path: PathBuf,
    },
    /// The operating system could not start it.
    #[error("cannot start `{}`", program.display())]
    Spawn {
        /// The program.
        program: PathBuf,
        /// The operating system's reason.
        #[source]
        cause: io::Error,
    },
    /// It started, but could not be identified or attached to, and was ended.
    #[error("cannot attach to `{}`", program.display())]
    Attach {
        /// The program.
        program: PathBuf,
        /// The operating system's reason.
        #[source]
        cause: io::Error,
    },
    /// It started, but its group could not be recorded, and was ended.
    #[error("cannot record the process group of `{}`", program.display())]
    Watch {
        /// The program.
        program: PathBuf,
        /// The error of the watch.
        #[source]
        cause: io::Error,
    },
}

/// The three pipes of a started child.
#[derive(Debug)]
pub(crate) struct Pipes {
    pub(crate) stdin: ChildStdin,
    pub(crate) stdout: ChildStdout,
    pub(crate) stderr: ChildStderr,
}

/// A child that leads its own process group. Dropping it before [`Leader::kill_and_reap`] kills the
/// group.
pub(crate) struct Leader<W: Watch> {
    child: Child,
    /// Readable once the leader has ended; `None` if the system has no such descriptor.
    exit_notice: Option<AsyncFd<OwnedFd>>,
    group: Group,
    watch: Option<W>,
    ended: bool,
    /// Whether processes it starts outside the group may outlive it.
    leaves_strays: bool,
}

impl<W: Watch> Leader<W> {
    /// Starts `program` and notifies `watch`; nothing is written to it yet.
    pub(crate) fn start(program: &Program, watch: W) -> Result<(Self, Pipes), StartError> {
        if !program.cwd.is_dir() {
            let path = program.cwd.clone();
            return Err(StartError::Directory { path });
        }
        let spawn_error = |cause| StartError::Spawn {
            program: program.path.clone(),
            cause,
        };
        let attach_error = |cause| StartError::Attach {
            program: program.path.clone(),
            cause,
        };
        let mark = random_digits().map_err(spawn_error)?;
        let starting = orphan::begin_start();
        let child = Command::new(&program.path)
            .args(&program.args)
            .env_clear()
            .envs(&program.env)
            .env(MARK, &mark)
            .current_dir(&program.cwd)
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(spawn_error)?;
        starting.started(child.id());

        // From here on, an early return drops the leader, which kills the group.
        let mut leader = Self {
            group: Group {
                pgid: i32::try_from(child.id()).unwrap_or(0),
                leader_start: 0,
                boot: String::new(),
                mark: mark.clone(),
            },
            child,
            exit_notice: None,
            watch: None,
            ended: false,
            leaves_strays: false,
        };
        leader.group = Group::of_leader(leader.child.id(), mark).map_err(attach_error)?;
        orphan::register_leader(&leader.group);
        if let Some(pid) = leader.group.leader_pid() {
            leader.exit_notice = open_exit_notice(pid).map_err(attach_error)?;
        }
        let pipes = leader.take_pipes().map_err(attach_error)?;
        watch
            .on_group_started(&leader.group)
            .map_err(|cause| StartError::Watch {
                program: program.path.clone(),
                cause,
            })?;
        leader.watch = Some(watch);
        Ok((leader, pipes))
    }

    fn take_pipes(&mut self) -> io::Result<Pipes> {
        let gone = || io::Error::from(io::ErrorKind::BrokenPipe);
        Ok(Pipes {
            stdin: ChildStdin::from_std(self.child.stdin.take().ok_or_else(gone)?)?,
            stdout: ChildStdout::from_std(self.child.stdout.take().ok_or_else(gone)?)?,
            stderr: ChildStderr::from_std(self.child.stderr.take().ok_or_else(gone)?)?,
        })
    }

    pub(crate) fn group(&self) -> &Group {
        &self.group
    }

    /// Lets processes it starts outside its group outlive it, such as a shared service.
    pub(crate) fn spare_strays(&mut self) {
        self.leaves_strays = true;
        orphan::spare_strays_of(&self.group);
    }

    /// Waits until the leader has ended. The leader is not reaped, so its number stays reserved and
    /// a signal still reaches the right group.
    pub(crate) async fn wait_for_exit(&self) {
        if let Some(pidfd) = &self.exit_notice
            && pidfd.readable().await.is_ok()
        {
            return;
        }
        while !self.has_exited() {
            sleep(SLOW_STEP).await;
        }
    }

    fn has_exited(&self) -> bool {
        let flags = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
        let waited = |pid: Pid| waitid(WaitId::Pid(pid), flags);
        // An error means that there is no such child: it has ended.
        self.group
            .leader_pid()
            .is_none_or(|pid| waited(pid).map_or(true, |status| status.is_some()))
    }

    /// Sends `signal` to the whole group.
    pub(crate) fn signal_group(&self, signal: Signal) {
        if !self.ended {
            self.group.signal(signal);
        }
    }

    /// Kills the remaining group, reaps the leader, and waits until all processes of the group and
    /// all its strays have ended. Returns the leader's exit status, unless it is stuck in the
    /// kernel.
    pub(crate) async fn kill_and_reap(&mut self) -> Option<ExitStatus> {
        self.signal_group(Signal::KILL);
        if timeout(EXIT_TIMEOUT, self.wait_for_exit()).await.is_err() {
            return None;
        }
        // Reaping releases the process number, so do not send a signal after this.
        let status = self.child.wait().ok();
        self.ended = true;
        orphan::unregister(self.child.id());
        let until = Instant::now() + EXIT_TIMEOUT;
        while self.group.is_running() {
            if Instant::now() > until {
                return status;
            }
            sleep(STEP).await;
        }
        let until = Instant::now() + STRAYS_TIMEOUT;
        while !self.leaves_strays && kill_strays(&self.group, StrayScope::Later) {
            if Instant::now() > until {
                // Leave the group in the record: a later process tries to end its strays again.
                return status;
            }
            sleep(STRAYS_STEP).await;
        }
        self.notify_ended();
        status
    }

    fn notify_ended(&mut self) {
        if let Some(watch) = self.watch.take() {
            watch.on_group_ended(&self.group);
        }
    }
}

impl<W: Watch> Drop for Leader<W> {
    fn drop(&mut self) {
        if self.ended {
            return;
        }
        self.signal_group(Signal::KILL);
        let until = Instant::now() + DROP_EXIT_TIMEOUT;
        while Instant::now() < until {
            self.ended = self.ended || !matches!(self.child.try_wait(), Ok(None));
            if self.ended {
                orphan::unregister(self.child.id());
            }
            if self.ended && !self.group.is_running() {
                if self.leaves_strays || end_strays(&self.group, StrayScope::Later) {
                    self.notify_ended();
                }
                return;
            }
            thread::sleep(STEP);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Unwatched;

    #[tokio::test]
    async fn the_end_is_seen_without_a_pidfd_too() {
        let program = Program {
            path: "/bin/sh".into(),
            args: vec!["-c".into(), "read line; exit 3".into()],
            env: [].into(),
            cwd: "/".into(),
        };
        let (mut leader, pipes) = Leader::start(&program, Unwatched).unwrap();
        leader.exit_notice = None;
        assert!(!leader.has_exited());
        drop(pipes.stdin);
        leader.wait_for_exit().await;
        assert_eq!(
            leader
                .kill_and_reap()
                .await
                .and_then(|status| status.code()),
            Some(3)
        );
    }
}
