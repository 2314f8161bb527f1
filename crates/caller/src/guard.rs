//! The guard: this program once more, which ends the tools of a process that was killed.

use std::io::StdinLock;
use std::path::PathBuf;
use std::sync::Arc;

use agon_proc::{Guarded, Program, Watch, become_guard};

use crate::Caller;

/// This program, also where its file was replaced or removed since.
const THIS_PROGRAM: &str = "/proc/self/exe";
/// The word that makes a program a guard.
const WORD: &str = "__guard";

/// Whether this process was started as a guard; its program then [serves](serve_as_guard) and ends.
pub fn is_guard_process() -> bool {
    let mut words = std::env::args_os().skip(1);
    words.next().is_some_and(|word| word == WORD) && words.next().is_none()
}

/// Is a guard until its input ends.
pub fn serve_as_guard(input: StdinLock<'_>) {
    become_guard(input);
}

/// Makes this process find what its tools let go, also without a mark. Where the system refuses, only
/// what has one is found.
pub fn adopt_orphans() {
    agon_proc::adopt_orphans().unwrap_or_default();
}

/// `watch`, with a guard besides where there is a program for one.
pub fn with_guard(caller: &Caller, watch: Arc<dyn Watch>) -> Arc<dyn Watch> {
    let Some(program) = &caller.program else {
        return watch;
    };
    let is_this = std::env::current_exe().is_ok_and(|this| this == *program);
    let path = match is_this {
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
