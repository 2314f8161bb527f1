//! Runs an interactive program in the terminal.

use std::io;
use std::process::{Command, Stdio};

use rustix::termios::{OptionalActions, tcgetattr, tcsetattr};

use crate::{Program, StartError, orphan};

/// Runs `program` in the terminal of this process, waits for it, and returns whether it succeeded.
///
/// It shares the standard streams and the process group of this process, so that it receives all
/// input, including Ctrl-C. Afterwards the terminal's modes are restored. Blocks the thread.
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
    let starting = orphan::begin_start();
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
        orphan::unregister(child.id());
        status
    });
    if let Some(modes) = modes {
        // Ignore errors: a terminal that was closed meanwhile has no modes to restore.
        tcsetattr(&terminal, OptionalActions::Drain, &modes).unwrap_or_default();
    }
    let status = status.map_err(|cause| StartError::Spawn {
        program: program.path.clone(),
        cause,
    })?;
    Ok(status.success())
}
