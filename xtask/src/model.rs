//! The small model for tests, fetched once by the program itself.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use cargo_metadata::Metadata;

use crate::workspace;

/// The folder in which `agon model pull` stores models.
const FOLDER_VARIABLE: &str = "AGON_MODELS_DIR";

/// The model used by tests.
const MODEL: &str = "smollm2-135m";

/// Fetches the model with the built program, unless it is already there, and returns its folder;
/// `None` if it cannot be fetched.
///
/// # Errors
/// If it cannot be fetched on continuous integration.
pub(crate) fn prepare(metadata: &Metadata) -> Result<Option<PathBuf>> {
    let folder = metadata.target_directory.join("models").into_std_path_buf();
    let program = metadata.target_directory.join("debug/agon");
    let mut pull = Command::new(&program);
    pull.args(["model", "pull", MODEL])
        .env(FOLDER_VARIABLE, &folder)
        .stdin(Stdio::null());
    let status = pull
        .status()
        .with_context(|| format!("cannot run {pull:?}"))?;
    if status.success() {
        println!("small model: {}", folder.display());
        return Ok(Some(folder));
    }
    if workspace::on_ci() {
        bail!("continuous integration must not skip tests: {MODEL} could not be fetched");
    }
    println!("skipped: the small model could not be fetched");
    Ok(None)
}
