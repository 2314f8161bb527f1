//! A small process that ends the children of another one, should that be killed.
//!
//! Whoever is killed outright ends nothing any more. The guard reads from a pipe which groups there
//! are; the pipe closes when its writer is gone, however that came about, and what is then still on
//! the guard's list is ended.

use std::fmt;
use std::io::{self, BufRead, Write};
use std::os::unix::process::CommandExt;
use std::process::{ChildStdin, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};

use crate::survivor::end_survivor;
use crate::{Group, Program, Watch};

/// Tells a guard of every group, besides another watch.
pub struct Guarded {
    watch: Arc<dyn Watch>,
    guard: Mutex<Guard>,
}

enum Guard {
    /// To be started with the first group.
    Ready(Program),
    /// It reads from here.
    Runs(ChildStdin),
    /// It could not be started, or is gone. What it would have ended, the next process ends that
    /// finds it on the record.
    Gone,
}

impl fmt::Debug for Guarded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Guarded").finish_non_exhaustive()
    }
}

impl Guarded {
    /// Tells `watch`, and a guard that `program` starts: a program that calls [`serve_guard`].
    ///
    /// It is started with the first group, and ends with this.
    pub fn new(watch: Arc<dyn Watch>, program: Program) -> Self {
        let guard = Mutex::new(Guard::Ready(program));
        Self { watch, guard }
    }

    fn tell(&self, sign: char, group: &Group) {
        let mut guard = self.guard.lock().unwrap_or_else(PoisonError::into_inner);
        if let Guard::Ready(program) = &*guard {
            *guard = start(program).map_or(Guard::Gone, Guard::Runs);
        }
        if let Guard::Runs(pipe) = &mut *guard
            && pipe.write_all(line(sign, group).as_bytes()).is_err()
        {
            *guard = Guard::Gone;
        }
    }
}

impl Watch for Guarded {
    fn started(&self, group: &Group) -> io::Result<()> {
        self.tell('+', group);
        let noted = self.watch.started(group);
        if noted.is_err() {
            // The group is ended where it was started.
            self.tell('-', group);
        }
        noted
    }

    fn ended(&self, group: &Group) {
        self.tell('-', group);
        self.watch.ended(group);
    }
}

/// In a group of its own, so that a terminal's Ctrl-C does not reach it.
fn start(program: &Program) -> io::Result<ChildStdin> {
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
    child.stdin.take().ok_or(io::ErrorKind::BrokenPipe.into())
}

fn line(sign: char, group: &Group) -> String {
    let Group {
        pgid,
        leader_start,
        boot,
        mark,
    } = group;
    format!("{sign} {pgid} {leader_start} {boot} {mark}\n")
}

fn read(line: &str) -> Option<(&str, Group)> {
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

/// Is a guard: reads which groups there are until the input closes, then ends those that are left.
pub fn serve_guard(input: impl BufRead) {
    let mut groups: Vec<Group> = Vec::new();
    for line in input.lines().map_while(Result::ok) {
        match read(&line) {
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
        let said = line('+', &group(42));
        assert_eq!(read(said.trim_end()), Some(("+", group(42))));
        for other in ["", "+", "+ 42 7 boot", "+ x 7 boot mark"] {
            assert_eq!(read(other), None, "{other}");
        }
    }
}
