//! The guard: a second process of this program that ends the tools of a killed process.

use std::io::StdinLock;
use std::path::PathBuf;
use std::sync::Arc;

use agon_proc::{Guarded, Program, Watch, become_guard};

use crate::Caller;

/// On Linux, this program, even if its file was replaced or removed.
const THIS_PROGRAM: &str = "/proc/self/exe";
/// The argument that makes the program a guard.
const WORD: &str = "__guard";

/// Returns whether this process was started as a guard, which must only [serve](serve_as_guard).
pub fn is_guard_process() -> bool {
    let mut words = std::env::args_os().skip(1);
    words.next().is_some_and(|word| word == WORD) && words.next().is_none()
}

/// Runs as a guard until the input ends.
pub fn serve_as_guard(input: StdinLock<'_>) {
    become_guard(input);
}

/// Makes this process adopt orphaned descendants of its tools. If the system refuses, only marked
/// processes are found.
pub fn adopt_orphans() {
    agon_proc::adopt_orphans().unwrap_or_default();
}

/// Adds a guard to `watch`, if the caller has a program for it.
pub fn with_guard(caller: &Caller, watch: Arc<dyn Watch>) -> Arc<dyn Watch> {
    let Some(program) = &caller.program else {
        return watch;
    };
    let is_this = std::env::current_exe().is_ok_and(|this| this == *program);
    let path = match is_this && cfg!(target_os = "linux") {
        true => PathBuf::from(THIS_PROGRAM),
        false => program.clone(),
    };
    let program = Program {
        path,
        args: vec![WORD.into()],
        env: [].into(),
        cwd: "/".into(),
    };
    Arc::new(Guarded::new(watch, program))
}
