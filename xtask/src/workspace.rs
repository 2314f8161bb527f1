//! The workspace according to cargo and git, and commands that run in it.

use std::{
    env,
    path::PathBuf,
    process::{Command, Stdio},
};

use anyhow::{Context, Result, bail};
use cargo_metadata::{Metadata, MetadataCommand};

/// Returns the workspace members, without resolving dependencies.
pub(crate) fn members() -> Result<Metadata> {
    MetadataCommand::new()
        .no_deps()
        .exec()
        .context("cannot read the workspace")
}

/// Returns the folder of the workspace's root manifest.
pub(crate) fn root() -> Result<PathBuf> {
    Ok(members()?.workspace_root.into_std_path_buf())
}

/// Creates a cargo command for the workspace, using the cargo that runs this program.
pub(crate) fn cargo(metadata: &Metadata, args: &[&str]) -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(args).current_dir(&metadata.workspace_root);
    command
}

/// Runs a command and returns its output.
///
/// # Errors
/// If it cannot start, fails, or prints output that is not UTF-8.
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
    String::from_utf8(output.stdout)
        .with_context(|| format!("{shown} printed output that is not UTF-8"))
}

/// Returns whether this is a run of continuous integration, which must not skip tests.
pub(crate) fn on_ci() -> bool {
    env::var_os("CI").is_some_and(|value| !value.is_empty() && value != "false")
}
