//! Runs a batch in the background, in a process that outlives its caller.

use std::fs::{self, File};
use std::thread::sleep;
use std::time::Duration;

use agon_caller::environments::{background_program, background_variables};
use agon_caller::{Caller, Code, Failure};
use agon_proc::{Program, spawn_detached};

use crate::folder::BatchFolder;

// The other process plans the batch again first, which takes a second for 64 kinds of requests.
/// How often to check whether the other process has started, and the wait between two checks.
const CHECKS: (u32, Duration) = (1_200, Duration::from_millis(25));

/// Starts this program again with the arguments `typed`, without `--detach` and confirmed, and waits
/// until it writes the progress of the batch in `folder`. Its output goes to `log`.
///
/// # Errors
///
/// If no process can be started, or it does not run the batch within 30 seconds.
pub fn start(
    caller: &Caller,
    folder: &BatchFolder,
    typed: &[String],
    log: &File,
) -> Result<(), Failure> {
    let written = || {
        fs::metadata(folder.progress())
            .and_then(|meta| meta.modified())
            .ok()
    };
    let before = written();
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
    spawn_detached(&program, log).map_err(|error| Failure::from_error(Code::NotStarted, &error))?;
    let (checks, wait) = CHECKS;
    for _ in 0..checks {
        if written() != before {
            return Ok(());
        }
        sleep(wait);
    }
    let message = format!(
        "the batch did not start; its process wrote the reason to {}",
        folder.log().display()
    );
    Err(Failure::new(Code::NotStarted, message))
}
