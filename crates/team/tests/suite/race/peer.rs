//! The same race on another task board: Backlog.md, which keeps each task in a file.
//!
//! Installed only for this test: `npm install backlog.md@1.52.0`; the variable names its program.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const PROGRAM: &str = "PEER_BACKLOG";

/// Returns the program, if the variable names one.
pub(super) fn program() -> Option<PathBuf> {
    std::env::var_os(PROGRAM).map(PathBuf::from)
}

fn backlog(dir: &Path, args: &[&str]) -> Option<String> {
    let ran = Command::new(program()?)
        .args(args)
        .current_dir(dir)
        .env("HOME", dir)
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .unwrap();
    ran.status
        .success()
        .then(|| String::from_utf8_lossy(&ran.stdout).into_owned())
}

/// Creates a board with these tasks.
pub(super) fn begin(dir: &Path, tasks: usize) {
    let init = ["init", "race", "--defaults", "--no-git"];
    backlog(dir, &[&init[..], &["--integration-mode", "none"]].concat()).unwrap();
    for number in 1..=tasks {
        backlog(dir, &["task", "create", &format!("task {number}")]).unwrap();
    }
}

/// Claims a task the way its documentation tells agents to: finds one that is to do, and sets it to
/// in progress under its own name. A reported success counts as a claim.
pub(super) fn claim_all(dir: &Path, racer: usize, claimed: &mut dyn FnMut(&str)) {
    let name = format!("@racer-{racer}");
    while let Some(list) = backlog(dir, &["task", "list", "--plain", "-s", "To Do"]) {
        let id = list
            .split_ascii_whitespace()
            .find(|word| word.starts_with("TASK-"));
        let Some(id) = id else { return };
        let edit = ["task", "edit", id, "-s", "In Progress", "-a", &name];
        if backlog(dir, &edit).is_some() {
            claimed(id);
        }
    }
}
