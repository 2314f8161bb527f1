//! Solves the same random graphs with other solvers, if environment variables name them.
//!
//! - `PEER_SCALOP`: the executable of the crate `scalop`;
//! - `PEER_PYTHON`: a Python with some of the packages `pygarg` (with `python-sat`),
//!   `formal-argumentation`, `qbaf` and `uncertainpy.gradual`.
//!
//! Each test prints to stderr how many instances it compared, or that it was skipped.

#![expect(clippy::unwrap_used, reason = "tests")]
#![expect(clippy::print_stderr, reason = "the suite says what it compared")]
#![expect(
    clippy::disallowed_types,
    reason = "peers are programs of others, started by tests only"
)]

mod dung;
mod gradual;

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::Value;

const DRIVER: &str = include_str!("driver.py");

fn named(variable: &str) -> Option<PathBuf> {
    let found = std::env::var_os(variable).filter(|it| !it.is_empty());
    if found.is_none() {
        eprintln!("skipped: {variable} names no program");
    }
    found.map(PathBuf::from)
}

/// Sends questions to the packages of one Python; each gets one line as an answer, in order.
///
/// An answer has a member for each installed package that supports the task.
fn ask_python(python: &PathBuf, questions: &[Value]) -> Vec<Value> {
    let mut child = Command::new(python)
        .args(["-c", DRIVER])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let lines: Vec<String> = questions.iter().map(|it| format!("{it}\n")).collect();
    let writer = std::thread::spawn(move || {
        for line in lines {
            input.write_all(line.as_bytes()).unwrap();
        }
    });
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    assert!(output.status.success());
    let answers: Vec<Value> = String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(answers.len(), questions.len());
    answers
}

/// How often each solver agreed on each task, and its answers where it did not.
#[derive(Default)]
struct Tally {
    agreed: BTreeMap<String, usize>,
    differences: Vec<String>,
    /// Differences that are known faults of another solver.
    known: BTreeMap<String, usize>,
}

impl Tally {
    fn compare(&mut self, task: &str, same: bool, said: impl FnOnce() -> String) {
        *self.agreed.entry(task.into()).or_default() += usize::from(same);
        if !same {
            self.differences.push(format!("{task}: {}", said()));
        }
    }

    /// Fails if there are differences, or if nothing was compared.
    fn report(self, title: &str) {
        for (task, count) in &self.agreed {
            let known = self.known.get(task).copied().unwrap_or(0);
            let note = if known > 0 {
                format!(", {known} known faults of the peer")
            } else {
                String::new()
            };
            eprintln!("{title}: {task}: {count} agree{note}");
        }
        assert!(!self.agreed.is_empty(), "no peer is installed");
        assert_eq!(self.differences, Vec::<String>::new());
    }
}

/// A reproducible random number generator.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, end: u64) -> u32 {
        u32::try_from(self.next() % end).unwrap()
    }
}
