//! `cargo xtask tidy`: what neither the compiler nor a common tool checks about the files of this
//! workspace. Licences, bans and sources of dependencies are `cargo deny`'s, as `deny.toml` says.

mod budget;
mod lengths;
mod locks;
mod pins;
mod words;

use std::fs;

use anyhow::{Context, Result};

use crate::{changelog, verdict, workspace};

/// A text file of the workspace, tracked or about to be.
pub(crate) struct SourceFile {
    /// Its path from the root of the workspace, with `/`.
    pub(crate) path: String,
    pub(crate) text: String,
}

/// Checks the workspace and prints what is wrong.
pub(crate) fn run() -> Result<bool> {
    let files = files()?;
    let mut good = true;
    good &= verdict("lengths", &lengths::violations(&files, lengths::EXCEPTIONS));
    good &= verdict("words", &words::violations(&files));
    good &= verdict("locks", &locks::violations(&files)?);
    good &= verdict("changelog", &changelog::violations(&files));
    let metadata = workspace::members()?;
    good &= verdict("pins", &pins::violations(&metadata));
    good &= verdict("budget", &budget::violations(&metadata)?);
    Ok(good)
}

/// Reads what git tracks or would track; files that are no text are left out.
pub(crate) fn files() -> Result<Vec<SourceFile>> {
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
        // A tracked file that was deleted, or a link, has no text of its own.
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

#[cfg(test)]
fn file(path: &str, text: &str) -> SourceFile {
    SourceFile {
        path: path.to_owned(),
        text: text.to_owned(),
    }
}
