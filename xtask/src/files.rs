//! The text files of the workspace, as listed by git.

use std::fs;

use anyhow::{Context, Result};

use crate::workspace;

/// A text file of the workspace, tracked by git or untracked.
pub(crate) struct SourceFile {
    /// Its path from the workspace root, with `/`.
    pub(crate) path: String,
    pub(crate) text: String,
}

/// Reads the tracked and untracked files; files that are not text are skipped.
pub(crate) fn read() -> Result<Vec<SourceFile>> {
    let root = workspace::root()?;
    let listed = workspace::stdout_of(
        std::process::Command::new("git")
            .args([
                "ls-files",
                "-z",
                "--cached",
                "--others",
                "--exclude-standard",
            ])
            .current_dir(&root),
    )?;
    let mut paths: Vec<&str> = listed.split('\0').filter(|path| !path.is_empty()).collect();
    paths.sort_unstable();
    paths.dedup();
    let mut files = Vec::new();
    for path in paths {
        let whole = root.join(path);
        // Skip deleted files, which git still lists, and links, which have no text of their own.
        if !fs::symlink_metadata(&whole).is_ok_and(|it| it.is_file()) {
            continue;
        }
        let bytes = fs::read(&whole).with_context(|| format!("cannot read {path}"))?;
        if let Ok(text) = String::from_utf8(bytes) {
            files.push(SourceFile {
                path: path.to_owned(),
                text,
            });
        }
    }
    Ok(files)
}

/// A file for tests.
#[cfg(test)]
pub(crate) fn file(path: &str, text: &str) -> SourceFile {
    SourceFile {
        path: path.to_owned(),
        text: text.to_owned(),
    }
}
