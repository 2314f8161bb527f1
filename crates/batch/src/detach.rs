//! Runs a batch in the background, in a process that outlives its caller.

use std::ffi::OsString;
use std::fs::{self, File};
use std::thread::sleep;
use std::time::{Duration, Instant};

use agon_caller::environments::{background_program, background_variables};
use agon_caller::{Caller, Code, Failure};
use agon_proc::{Group, Program, is_leader_running, leave_terminal, spawn_detached};

use crate::folder::BatchFolder;

// The other process plans the batch again first, which takes a second for 64 kinds of requests.
/// How long the caller waits for the other process to begin before it reports the batch anyway.
const BEGIN_TIMEOUT: Duration = Duration::from_secs(30);
/// The time between two checks of it.
const POLL_INTERVAL: Duration = Duration::from_millis(25);

/// Starts this program with the arguments `args`, and waits until it writes the progress of the batch
/// in `folder`. Its output goes to `log`. The program must call [`leave_caller`] first.
///
/// After 30 seconds it is left to run, even if it is still planning the batch.
///
/// # Errors
///
/// If no process can be started, or it ended before it ran the batch.
pub fn start(
    caller: &Caller,
    folder: &BatchFolder,
    args: Vec<OsString>,
    log: &File,
) -> Result<(), Failure> {
    let written = || {
        let progress = fs::metadata(folder.progress());
        progress.and_then(|meta| meta.modified()).ok()
    };
    let before = written();
    let program = Program {
        path: background_program(caller)?.to_owned(),
        args,
        env: background_variables(caller),
        cwd: caller.cwd.clone(),
    };
    let group = spawn_detached(&program, log)
        .map_err(|error| Failure::from_error(Code::NotStarted, &error))?;
    match is_running_after(&group, BEGIN_TIMEOUT, || written() != before) {
        true => Ok(()),
        false => {
            let message = format!(
                "the batch did not start; its process wrote the reason to {}",
                folder.log().display()
            );
            Err(Failure::new(Code::NotStarted, message))
        }
    }
}

/// Leaves the terminal and the process group of the caller, so that this process outlives it.
pub fn leave_caller() {
    // Ignore a failure: the process then ends with the caller's session, and the same command
    // continues the batch.
    leave_terminal().unwrap_or_default();
}

/// Waits until the process that leads `group` has begun, but not longer than `timeout`. Returns false
/// if it ended before.
fn is_running_after(group: &Group, timeout: Duration, has_begun: impl Fn() -> bool) -> bool {
    let since = Instant::now();
    loop {
        // Ask first whether it runs: it may begin and end between the two questions.
        let is_running = is_leader_running(group);
        if has_begun() {
            return true;
        }
        if !is_running || since.elapsed() >= timeout {
            return is_running;
        }
        sleep(POLL_INTERVAL);
    }
}

#[cfg(test)]
mod tests;
