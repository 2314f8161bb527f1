//! The guard: this program once more, which ends the tools of a process that was killed.

use std::io::{self, IsTerminal};
use std::process::ExitCode;
use std::sync::Arc;

use agon_proc::{Guarded, Program, Watch, be_guard};

use crate::error::{Exit, Failure};
use crate::output::Out;

/// This program, also where its file was replaced or removed since.
const THIS_PROGRAM: &str = "/proc/self/exe";
/// The word that makes this program a guard.
const WORD: &str = "__guard";

/// Is a guard, if that is what this process was started as, and how it ended then.
pub(crate) fn served() -> Option<ExitCode> {
    let mut words = std::env::args_os().skip(1);
    let asked = words.next().is_some_and(|word| word == WORD) && words.next().is_none();
    asked.then(|| serve().into())
}

fn serve() -> Exit {
    let input = io::stdin();
    if input.is_terminal() {
        let message =
            "`agon __guard` ends the tools of an agon that was killed; agon starts it itself";
        Out::of_process().failure(&Failure::new(Exit::Usage, "usage", message), false);
        return Exit::Usage;
    }
    be_guard(input.lock());
    Exit::Done
}

/// `watch`, with a guard besides.
pub(crate) fn guarded(watch: Arc<dyn Watch>) -> Arc<dyn Watch> {
    let program = Program {
        path: THIS_PROGRAM.into(),
        args: vec![WORD.into()],
        env: [].into(),
        cwd: "/".into(),
    };
    Arc::new(Guarded::new(watch, program))
}
