//! Runs a batch in the background, in a process that outlives its caller.

use std::fs::File;

use agon_caller::environments::{background_program, background_variables};
use agon_caller::{Caller, Code, Failure};
use agon_proc::{Program, spawn_detached};

/// Starts this program again with the arguments `typed`, without `--detach` and confirmed. Its
/// output goes to `log`.
///
/// # Errors
///
/// If no process can be started.
pub fn start(caller: &Caller, typed: &[String], log: &File) -> Result<(), Failure> {
    let args = typed
        .iter()
        .filter(|arg| !matches!(arg.as_str(), "--detach" | "--yes" | "-y"));
    let args = args.map(Into::into).chain(["--yes".into()]).collect();
    let program = Program {
        path: background_program(caller)?.to_owned(),
        args,
        env: background_variables(caller),
        cwd: caller.cwd.clone(),
    };
    let started = spawn_detached(&program, log);
    started
        .map(drop)
        .map_err(|error| Failure::from_error(Code::NotStarted, &error))
}
