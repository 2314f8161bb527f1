//! Finds and changes configuration files.

use std::fs;
use std::path::{Path, PathBuf};

use agon_config::commented_file;
use agon_store::{RealDisk, write_file_atomically};
use schemars::JsonSchema;
use serde::Serialize;

use crate::caller::Caller;
use crate::{Code, Failure, write_failure};

/// The owner of a configuration file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Whose {
    /// The user's.
    User,
    /// The project's.
    Project,
}

/// Returns the path of a configuration file, which may not exist yet.
///
/// # Errors
///
/// Returns an error if the user has no home folder.
pub fn file_path(caller: &Caller, whose: Whose) -> Result<PathBuf, Failure> {
    match whose {
        Whose::Project => Ok(caller.project().join("agon.toml")),
        Whose::User => caller.user_config_file().ok_or_else(|| {
            let message = "no home folder for your own configuration";
            Failure::new(Code::Configuration, message)
                .hint("set HOME, or set AGON_CONFIG_DIR to a folder")
        }),
    }
}

/// The maximum size of a configuration file, in bytes.
const MAX_BYTES: u64 = 1 << 20;

/// Changes the text of a configuration file, and creates a missing one with every key explained.
/// `refusal` returns the failure if `change` rejects the file.
///
/// # Errors
///
/// Returns an error if the file cannot be read or written, or `change` rejects it. The file is then
/// unchanged.
pub fn change_file(
    path: &Path,
    whose: Whose,
    change: impl FnOnce(&str) -> Option<String>,
    refusal: impl FnOnce() -> Failure,
) -> Result<(), Failure> {
    let text = match agon_files::read_to_string(path, MAX_BYTES) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            commented_file(whose == Whose::Project)
        }
        Err(error) => {
            let message = format!("cannot read {}: {error}", path.display());
            return Err(Failure::new(Code::Configuration, message));
        }
    };
    let text = change(&text).ok_or_else(refusal)?;
    if let Some(folder) = path.parent() {
        let made = fs::create_dir_all(folder);
        made.map_err(|error| Failure::from_error(Code::Store, &error))?;
    }
    // Write to the target of a link instead of replacing the link.
    let real = fs::canonicalize(path).unwrap_or_else(|_| Path::to_owned(path));
    write_file_atomically(&RealDisk, &real, text.as_bytes()).map_err(|error| write_failure(&error))
}
