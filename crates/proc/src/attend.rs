//! A program that has the terminal while a person works in it.

use std::io;
use std::process::{Command, Stdio};

use rustix::termios::{OptionalActions, tcgetattr, tcsetattr};

use crate::{Program, StartError, orphan};

/// Starts `program` in the terminal of this process and waits for its end; whether it ended well.
///
/// It has our standard input, output and error, and stays in our process group, so that what is
/// typed reaches it, Ctrl-C included. However it ends, the terminal's modes are then those that
/// they were. Blocks the thread.
///
/// # Errors
///
/// If it could not be started.
pub fn run_in_terminal(program: &Program) -> Result<bool, StartError> {
    if !program.cwd.is_dir() {
        let path = program.cwd.clone();
        return Err(StartError::Directory { path });
    }
    let terminal = io::stdin();
    let modes = tcgetattr(&terminal).ok();
    let starting = orphan::starting();
    let started = Command::new(&program.path)
        .args(&program.args)
        .env_clear()
        .envs(&program.env)
        .current_dir(&program.cwd)
        .stdin(Stdio::inherit())
        .stdout(Stdio::inherit())
        .stderr(Stdio::inherit())
        .spawn();
    let status = started.and_then(|mut child| {
        starting.started(child.id());
        let status = child.wait();
        orphan::ended(child.id());
        status
    });
    if let Some(modes) = modes {
        // A terminal that is gone has no modes.
        tcsetattr(&terminal, OptionalActions::Drain, &modes).unwrap_or_default();
    }
    let status = status.map_err(|cause| StartError::Spawn {
        program: program.path.clone(),
        cause,
    })?;
    Ok(status.success())
}
