//! The files in the folder of a skill.

use std::fs;
use std::path::{Path, PathBuf};

use crate::lint::MANIFEST;

/// What is in the folder of a skill besides its manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct WalkedSkill {
    /// The entry.
    pub(super) entry: Vec<u8>,
    /// All else, by its path in the folder.
    pub(super) others: Vec<(String, Vec<u8>)>,
}

// Far more than any skill has; a folder that is named by mistake has more.
/// The most files of a skill.
const MAX_FILES: usize = 200;

/// The most bytes of one of them.
const MAX_BYTES: u64 = 4 * 1024 * 1024;

/// Reads the folder of a skill. What a link leads to may be anything of the user's, and what is not
/// copied would be missed later: both are refused.
///
/// # Errors
///
/// The file that it cannot be read for, and why.
pub(super) fn walk_skill(folder: &Path, entry: &str) -> Result<WalkedSkill, (PathBuf, String)> {
    let mut others = Vec::new();
    add(folder, "", &mut others)?;
    others.sort();
    let at = others.iter().position(|(path, _)| path == entry);
    let Some(at) = at else {
        return Err((folder.join(entry), "it is not there".to_owned()));
    };
    let (_, entry) = others.remove(at);
    others.retain(|(path, _)| path != MANIFEST);
    if others.iter().any(|(path, _)| path == "SKILL.md") {
        let message = "it is not the entry, and the entry becomes a file of this name";
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
            return Err((path, "its name is not UTF-8".to_owned()));
        };
        let shown = format!("{below}{name}");
        if meta.is_dir() {
            if name != ".git" && name != "node_modules" {
                add(&path, &format!("{shown}/"), files)?;
            }
        } else if !meta.is_file() {
            return Err((
                path,
                "it is a link or no file: put the file there".to_owned(),
            ));
        } else if meta.len() > MAX_BYTES {
            let message = format!("it has {} bytes, {MAX_BYTES} are allowed", meta.len());
            return Err((path, message));
        } else if files.len() == MAX_FILES {
            let message = format!("there are more than {MAX_FILES} files");
            return Err((folder.to_owned(), message));
        } else {
            let bytes = agon_files::read_unlinked(&path, MAX_BYTES).map_err(failed(&path))?;
            files.push((shown, bytes));
        }
    }
    Ok(())
}
