//! The small model that tests run: fetched by the program itself, once.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use cargo_metadata::Metadata;

use crate::workspace;

/// Where `agon model pull` puts what it fetches.
const FOLDER_VARIABLE: &str = "AGON_MODELS_DIR";

/// The model of the tests.
const MODEL: &str = "smollm2-135m";

/// Fetches the model unless it is there, by the program that is built; the folder it is in, none
/// where it cannot be had.
///
/// # Errors
/// When it cannot be fetched on continuous integration.
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
        bail!("continuous integration skips nothing: {MODEL} could not be fetched");
    }
    println!("skipped: the small model could not be fetched");
    Ok(None)
}
