//! The workspace as cargo and git see it, and the commands that tasks run in it.

use std::{
    env,
    path::PathBuf,
    process::{Command, Stdio},
};

use anyhow::{Context, Result, bail};
use cargo_metadata::{Metadata, MetadataCommand};

/// Asks cargo about the members alone, without resolving dependencies.
pub(crate) fn members() -> Result<Metadata> {
    MetadataCommand::new()
        .no_deps()
        .exec()
        .context("cannot read the workspace")
}

/// Gives the folder that holds the workspace's root manifest.
pub(crate) fn root() -> Result<PathBuf> {
    Ok(members()?.workspace_root.into_std_path_buf())
}

/// Starts a cargo command line in the workspace, with the cargo that runs us.
pub(crate) fn cargo(metadata: &Metadata, args: &[&str]) -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(args).current_dir(&metadata.workspace_root);
    command
}

/// Runs a command to its end and gives what it printed.
///
/// # Errors
/// When it cannot start, fails, or prints something that is not UTF-8.
pub(crate) fn stdout_of(command: &mut Command) -> Result<String> {
    let shown = format!("{command:?}");
    let output = command
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("cannot run {shown}"))?;
    if !output.status.success() {
        bail!(
            "{shown} failed: {}",
            String::from_utf8_lossy(&output.stderr).trim()
        );
    }
    String::from_utf8(output.stdout).with_context(|| format!("{shown} printed no UTF-8"))
}

/// Tells whether this is a run of continuous integration, where nothing may be skipped.
pub(crate) fn on_ci() -> bool {
    env::var_os("CI").is_some_and(|value| !value.is_empty() && value != "false")
}
