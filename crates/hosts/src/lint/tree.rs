//! The files to look at.

use std::fs;
use std::path::{Path, PathBuf};

/// A file to look at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LintFile {
    /// Its path, with `/` between its parts.
    pub path: String,
    /// What is in it.
    pub bytes: Vec<u8>,
}

/// Why the files could not be read.
#[derive(Debug, thiserror::Error)]
#[error("cannot read {}", .path.display())]
pub struct TreeError {
    path: PathBuf,
    source: std::io::Error,
}

// What a host reads is a few kilobytes; a larger file is something else.
/// The most bytes of a file that is looked at.
const MAX_BYTES: u64 = 4 * 1024 * 1024;

/// The file at `path`, or those below it; links are not followed, `.git` and the packages of node
/// are left out, and so are files of over 4 MiB.
///
/// # Errors
///
/// If one cannot be read.
pub fn read_tree(path: &Path) -> Result<Vec<LintFile>, TreeError> {
    let mut files = Vec::new();
    add(path, &mut files)?;
    files.sort_by(|a: &LintFile, b| a.path.cmp(&b.path));
    Ok(files)
}

fn add(path: &Path, files: &mut Vec<LintFile>) -> Result<(), TreeError> {
    let failed = |source| TreeError {
        path: path.to_owned(),
        source,
    };
    let meta = fs::symlink_metadata(path).map_err(failed)?;
    if meta.is_dir() {
        let name = path.file_name().unwrap_or_default();
        if name == ".git" || name == "node_modules" {
            return Ok(());
        }
        for entry in fs::read_dir(path).map_err(failed)? {
            add(&entry.map_err(failed)?.path(), files)?;
        }
    } else if meta.is_file() && meta.len() <= MAX_BYTES {
        files.push(LintFile {
            path: path.to_string_lossy().into_owned(),
            bytes: agon_files::read_unlinked(path, MAX_BYTES).map_err(failed)?,
        });
    }
    Ok(())
}
