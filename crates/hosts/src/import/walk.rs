//! Reads the files in the folder of a skill.

use std::fs;
use std::path::{Path, PathBuf};

use crate::lint::MANIFEST;

/// The files of a skill except its manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct WalkedSkill {
    /// The entry file.
    pub(super) entry: Vec<u8>,
    /// All other files, by path in the folder.
    pub(super) others: Vec<(String, Vec<u8>)>,
}

// More files than any skill has, but fewer than a folder that was named by mistake.
/// Maximum number of files of a skill.
const MAX_FILES: usize = 200;

/// Maximum bytes of a file.
const MAX_BYTES: u64 = 4 * 1024 * 1024;

/// Reads the folder of a skill. Links are refused, because they may lead to any of the user's files and
/// skipping them would leave the skill incomplete.
///
/// # Errors
///
/// The file that cannot be read, and the reason.
pub(super) fn walk_skill(folder: &Path, entry: &str) -> Result<WalkedSkill, (PathBuf, String)> {
    let mut others = Vec::new();
    add(folder, "", &mut others)?;
    others.sort();
    let at = others.iter().position(|(path, _)| path == entry);
    let Some(at) = at else {
        return Err((folder.join(entry), "it does not exist".to_owned()));
    };
    let (_, entry) = others.remove(at);
    others.retain(|(path, _)| path != MANIFEST);
    if others.iter().any(|(path, _)| path == "SKILL.md") {
        let message = "rename it: the entry file is imported as SKILL.md";
        return Err((folder.join("SKILL.md"), message.to_owned()));
    }
    Ok(WalkedSkill { entry, others })
}

fn add(
    folder: &Path,
    below: &str,
    files: &mut Vec<(String, Vec<u8>)>,
) -> Result<(), (PathBuf, String)> {
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |error: std::io::Error| (path.clone(), error.to_string())
    };
    for entry in fs::read_dir(folder).map_err(failed(folder))? {
        let path = entry.map_err(failed(folder))?.path();
        let meta = fs::symlink_metadata(&path).map_err(failed(&path))?;
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else {
            return Err((path, "its name is not valid UTF-8".to_owned()));
        };
        let shown = format!("{below}{name}");
        if meta.is_dir() {
            if name != ".git" && name != "node_modules" {
                add(&path, &format!("{shown}/"), files)?;
            }
        } else if !meta.is_file() {
            return Err((
                path,
                "it is not a regular file: replace it with a copy of the file".to_owned(),
            ));
        } else if meta.len() > MAX_BYTES {
            let message = format!("it has {} bytes; the limit is {MAX_BYTES}", meta.len());
            return Err((path, message));
        } else if files.len() == MAX_FILES {
            let message = format!("it has more than {MAX_FILES} files");
            return Err((folder.to_owned(), message));
        } else {
            let bytes = agon_files::read_no_follow(&path, MAX_BYTES).map_err(failed(&path))?;
            files.push((shown, bytes));
        }
    }
    Ok(())
}
