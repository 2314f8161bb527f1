//! Lists the files of a folder without a repository.

use crate::manifest::LeftOut;
use crate::source::PinError;
use crate::source::allowance::Allowance;
use crate::source::disk::Folder;

/// Names of folders that tools fill, not people.
const FILLED_BY_TOOLS: [&str; 4] = ["node_modules", ".venv", "__pycache__", ".tox"];

/// The file that marks a folder whose content can be generated again.
const CACHE_TAG: &str = "CACHEDIR.TAG";

/// The files of a folder, and the paths that are left out.
#[derive(Debug, Default)]
pub(crate) struct FolderListing {
    pub(crate) files: Vec<String>,
    pub(crate) left_out: Vec<(String, LeftOut)>,
}

/// Lists the files of a folder and its subfolders.
pub(crate) fn list_files(
    folder: &Folder,
    spent: &mut Allowance<'_>,
) -> Result<FolderListing, PinError> {
    let FolderListing {
        mut files,
        mut left_out,
    } = FolderListing::default();
    let mut open = vec![String::new()];
    while let Some(parent) = open.pop() {
        let at = folder.path().join(&parent);
        let entries = match std::fs::read_dir(&at) {
            Ok(entries) => entries,
            Err(cause) if parent.is_empty() => {
                return Err(PinError::Read { path: at, cause });
            }
            Err(_) => {
                left_out.push((parent, LeftOut::Unreadable));
                continue;
            }
        };
        for entry in entries.flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let path = match parent.as_str() {
                "" => name.clone(),
                parent => format!("{parent}/{name}"),
            };
            let Ok(kind) = entry.file_type() else {
                left_out.push((path, LeftOut::Unreadable));
                continue;
            };
            if kind.is_dir() {
                match folder_left_out_reason(&entry.path(), &name) {
                    Some(why) => left_out.push((path, why)),
                    None => open.push(path),
                }
            } else if kind.is_file() || kind.is_symlink() {
                files.push(path);
                spent.check_walk(files.len())?;
            } else {
                left_out.push((path, LeftOut::Special));
            }
        }
        spent.check_time()?;
    }
    files.sort_unstable();
    Ok(FolderListing { files, left_out })
}

/// Returns why a folder is left out; `None` if it is listed.
fn folder_left_out_reason(path: &std::path::Path, name: &str) -> Option<LeftOut> {
    if FILLED_BY_TOOLS.contains(&name) || name == ".git" || path.join(CACHE_TAG).exists() {
        Some(LeftOut::Ignored)
    } else if path.join(".git").exists() {
        Some(LeftOut::Submodule)
    } else {
        None
    }
}
