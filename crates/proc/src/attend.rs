//! A program that has the terminal while a person works in it.

use std::process::{Command, Stdio};

use crate::{Program, StartError};

/// Starts `program` in the terminal of this process and waits for its end; whether it ended well.
///
/// It has our standard input, output and error, and stays in our process group, so that what is
/// typed reaches it, Ctrl-C included. Blocks the thread.
///
/// # Errors
///
/// If it could not be started.
pub fn attend(program: &Program) -> Result<bool, StartError> {
    if !program.cwd.is_dir() {
        let path = program.cwd.clone();
        return Err(StartError::Directory { path });
    }
    let status = Command::new(&program.path)
        .args(&program.args)
        .env_clear()
        .envs(&program.env)
        .current_dir(&program.cwd)
        .stdin(Stdio::inherit())
        .stdout(Stdio::inherit())
        .stderr(Stdio::inherit())
        .status();
    let status = status.map_err(|cause| StartError::Spawn {
        program: program.path.clone(),
        cause,
    })?;
    Ok(status.success())
}
