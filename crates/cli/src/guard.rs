//! The guard: a second Agon process that ends the AI tools of a killed Agon process.

use std::io::{self, IsTerminal};
use std::process::ExitCode;

use agon_caller::guard;

use crate::error::{Code, Exit, Failure};
use crate::output::Out;

/// Runs this process as the guard and returns its exit code; `None` if it was not started as one.
pub(crate) fn run_guard_if_wanted() -> Option<ExitCode> {
    guard::is_guard_process().then(|| run_guard().into())
}

fn run_guard() -> Exit {
    let input = io::stdin();
    if input.is_terminal() {
        let message = "`agon __guard` ends the tools of a killed Agon process; only Agon starts it";
        let failure = Failure::new(Code::Usage, message);
        Out::of_process().report_failure(&failure, false);
        return failure.kind.into();
    }
    guard::serve_as_guard(input.lock());
    Exit::Done
}
