//! The guard: this program once more, which ends the tools of a process that was killed.

use std::io::{self, IsTerminal};
use std::process::ExitCode;

use agon_caller::guard;

use crate::error::{Code, Exit, Failure};
use crate::output::Out;

/// Runs this process as the guard if it was started as one, and returns its exit code; none
/// otherwise.
pub(crate) fn run_guard_if_wanted() -> Option<ExitCode> {
    guard::is_guard_process().then(|| run_guard().into())
}

fn run_guard() -> Exit {
    let input = io::stdin();
    if input.is_terminal() {
        let message =
            "`agon __guard` ends the tools of an agon that was killed; agon starts it itself";
        let failure = Failure::new(Code::Usage, message);
        Out::of_process().report_failure(&failure, false);
        return failure.kind.into();
    }
    guard::serve_as_guard(input.lock());
    Exit::Done
}
