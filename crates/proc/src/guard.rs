//! A small process that ends the children of another process if that is killed.
//!
//! A killed process cannot end its children. The guard reads from a pipe which groups exist. The
//! pipe closes when its writer ends for any reason, and the guard then ends the remaining groups.

use std::fmt;
use std::io::{self, BufRead, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use tokio::runtime;
use tokio::signal::unix::{SignalKind, signal};

use crate::orphan;
use crate::survivor::end_survivor;
use crate::system::rename_process;
use crate::{Group, Program, Watch};

/// The process name of a guard, chosen so that `pkill agon` does not match it.
const NAME: &str = "tool-guard";
// Whatever ends a guard twice would end a third one too. Tested by
// `tests/suite/guard.rs::a_guard_that_is_gone_is_started_once_more_and_told_of_the_live_groups`.
/// The first start, and one restart if that guard has ended.
const MAX_STARTS: usize = 2;

/// A watch that reports every group to a guard and to another watch.
pub struct Guarded {
    watch: Arc<dyn Watch>,
    guard: Mutex<Guard>,
}

struct Guard {
    program: Program,
    /// `None` before the first group, and if no guard can be started. Remaining groups are then
    /// ended by the next process that finds them in the record.
    running: Option<Running>,
    starts: usize,
    /// The current groups.
    groups: Vec<Group>,
}

/// A running guard, reaped when dropped.
struct Running {
    pipe: Option<ChildStdin>,
    child: Option<Child>,
}

impl fmt::Debug for Guarded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Guarded").finish_non_exhaustive()
    }
}

impl Guarded {
    /// Reports to `watch`, and to a guard started with `program`, which must call [`become_guard`].
    ///
    /// The guard is started with the first group and restarted once if it ends. It ends with this
    /// value.
    pub fn new(watch: Arc<dyn Watch>, program: Program) -> Self {
        let guard = Mutex::new(Guard {
            program,
            running: None,
            starts: 0,
            groups: Vec::new(),
        });
        Self { watch, guard }
    }

    fn update_guard(&self, sign: char, group: &Group) {
        let mut guard = self.guard.lock().unwrap_or_else(PoisonError::into_inner);
        guard.groups.retain(|known| known != group);
        if sign == '+' {
            guard.groups.push(group.clone());
        }
        guard.send_or_restart(&format_line(sign, group));
    }
}

impl Guard {
    fn send_or_restart(&mut self, line: &str) {
        if let Some(running) = &mut self.running {
            if running.write(line).is_ok() {
                return;
            }
            self.running = None;
        }
        if self.starts < MAX_STARTS && !self.groups.is_empty() {
            self.starts += 1;
            let lines: String = self
                .groups
                .iter()
                .map(|group| self::format_line('+', group))
                .collect();
            let started = Running::start(&self.program).and_then(|mut running| {
                running.write(&lines)?;
                Ok(running)
            });
            self.running = started.ok();
        }
    }
}

impl Running {
    /// Starts a guard in a group of its own, so that a terminal's Ctrl-C does not reach it.
    fn start(program: &Program) -> io::Result<Self> {
        let starting = orphan::begin_start();
        let mut child = Command::new(&program.path)
            .args(&program.args)
            .env_clear()
            .envs(&program.env)
            .current_dir(&program.cwd)
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        starting.started(child.id());
        Ok(Self {
            pipe: child.stdin.take(),
            child: Some(child),
        })
    }

    fn write(&mut self, lines: &str) -> io::Result<()> {
        let pipe = self.pipe.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
        pipe.write_all(lines.as_bytes())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        drop(self.pipe.take());
        let child = self.child.take();
        // The guard may still be ending groups, so wait for its end in another thread.
        let reap = move || {
            if let Some(mut child) = child {
                drop(child.wait());
                orphan::unregister(child.id());
            }
        };
        drop(thread::Builder::new().name("reap-guard".into()).spawn(reap));
    }
}

impl Watch for Guarded {
    fn on_group_started(&self, group: &Group) -> io::Result<()> {
        self.update_guard('+', group);
        let noted = self.watch.on_group_started(group);
        if noted.is_err() {
            // The caller ends a group that could not be recorded, so the guard forgets it.
            self.update_guard('-', group);
        }
        noted
    }

    fn on_group_ended(&self, group: &Group) {
        self.update_guard('-', group);
        self.watch.on_group_ended(group);
    }
}

fn format_line(sign: char, group: &Group) -> String {
    let Group {
        pgid,
        leader_start,
        boot,
        mark,
    } = group;
    format!("{sign} {pgid} {leader_start} {boot} {mark}\n")
}

fn parse_line(line: &str) -> Option<(&str, Group)> {
    let mut words = line.split_ascii_whitespace();
    let sign = words.next()?;
    let group = Group {
        pgid: words.next()?.parse().ok()?,
        leader_start: words.next()?.parse().ok()?,
        boot: words.next()?.to_owned(),
        mark: words.next()?.to_owned(),
    };
    Some((sign, group))
}

/// Turns this process into a guard: renames it, ignores TERM, HUP, INT and QUIT, and runs
/// [`end_groups_on_close`].
pub fn become_guard(input: impl BufRead) {
    // If this fails, continue: a guard that a signal can end is better than none.
    ignore_termination_signals().unwrap_or_default();
    rename_process(NAME);
    end_groups_on_close(input);
}

fn ignore_termination_signals() -> io::Result<()> {
    let runtime = runtime::Builder::new_current_thread().enable_io().build()?;
    let _entered = runtime.enter();
    let polite = [
        SignalKind::terminate(),
        SignalKind::hangup(),
        SignalKind::interrupt(),
        SignalKind::quit(),
    ];
    // A handler, even one that does nothing, replaces the signal's default effect.
    polite
        .into_iter()
        .try_for_each(|kind| signal(kind).map(drop))
}

/// Reads which groups start and end until the input closes, then ends the remaining ones.
pub fn end_groups_on_close(input: impl BufRead) {
    let mut groups: Vec<Group> = Vec::new();
    for line in input.lines().map_while(Result::ok) {
        match parse_line(&line) {
            Some(("+", group)) => groups.push(group),
            Some((_, gone)) => groups.retain(|group| *group != gone),
            None => {}
        }
    }
    for group in groups {
        end_survivor(&group);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(pgid: i32) -> Group {
        Group {
            pgid,
            leader_start: 7,
            boot: "0a1b2c3d-0000-4000-8000-000000000000".into(),
            mark: "00000000-0000-4000-8000-000000000000".into(),
        }
    }

    #[test]
    fn a_group_is_read_as_it_was_written() {
        let said = format_line('+', &group(42));
        assert_eq!(parse_line(said.trim_end()), Some(("+", group(42))));
        for other in ["", "+", "+ 42 7 boot", "+ x 7 boot mark"] {
            assert_eq!(parse_line(other), None, "{other}");
        }
    }
}
