//! Finds debates.

use std::path::{Path, PathBuf};

use agon_store::{Disk, DiskError, Layout};

use crate::foreign::is_foreign_debate;
use crate::listed::{ListedDebate, ListedFolder, Unreadable, read_listed};
use crate::removal::interrupted_removals;

/// Why no debate was found.
#[derive(Debug, thiserror::Error)]
pub enum FindError {
    /// No debate has this name.
    #[error("there is no debate `{name}`; looked in {}", join_paths(looked))]
    NotFound {
        /// The name, path or id that the user gave.
        name: String,
        /// The paths that were tried.
        looked: Vec<PathBuf>,
    },
    /// A file operation failed.
    #[error(transparent)]
    Disk(#[from] DiskError),
}

fn join_paths(paths: &[PathBuf]) -> String {
    let paths: Vec<_> = paths
        .iter()
        .map(|path| path.display().to_string())
        .collect();
    paths.join(", ")
}

/// Returns the folder of the debate `name`.
///
/// Tries it as a path (a bare name is relative to the current directory), then as a name in
/// `debates_dir`, then as a ULID in `list` or a unique beginning of one. Calls `list` only if `name`
/// may be one.
///
/// # Errors
///
/// If there is none, or a directory cannot be read.
pub fn find_debate(
    disk: &dyn Disk,
    name: &str,
    debates_dir: &Path,
    list: &dyn Fn() -> Result<Vec<ListedDebate>, DiskError>,
) -> Result<PathBuf, FindError> {
    let mut looked = vec![PathBuf::from(name)];
    if is_bare_name(name) {
        looked.push(debates_dir.join(name));
    }
    for path in &looked {
        if name.is_empty() {
            continue;
        }
        if Layout::new(path).has_journal(disk)? || is_foreign_debate(disk, path)? {
            return Ok(path.clone());
        }
    }
    if may_begin_ulid(name) {
        let begins = name.to_ascii_uppercase();
        let is_meant = |found: &&ListedDebate| {
            let record = &found.record;
            !record.foreign && record.ulid.to_string().starts_with(&begins)
        };
        let listed = list()?;
        let mut matches = listed.iter().filter(is_meant);
        if let (Some(found), None) = (matches.next(), matches.next()) {
            return Ok(found.path.clone());
        }
    }
    let name = name.chars().take(120).collect();
    Err(FindError::NotFound { name, looked })
}

// The first ten characters of a ULID are its time. Eight of them stand for about a second, and
// fewer rarely distinguish debates of the same day.
/// Minimum number of characters accepted as the beginning of a ULID.
const MIN_ULID_CHARS: usize = 8;

fn may_begin_ulid(name: &str) -> bool {
    (MIN_ULID_CHARS..=ulid::ULID_LEN).contains(&name.len())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

fn is_bare_name(name: &str) -> bool {
    !name.contains(['/', '\\']) && !matches!(name, "" | "." | "..")
}

/// The debates in a directory.
#[derive(Debug, Default)]
pub struct Listing {
    /// Debates that can be read, by folder name.
    pub debates: Vec<ListedDebate>,
    /// Debates that cannot be read.
    pub unreadable: Vec<Unreadable>,
    /// Debates whose removal was interrupted.
    pub interrupted_removals: Vec<PathBuf>,
}

/// Returns the debates in `debates_dir`; none if the directory does not exist.
///
/// # Errors
///
/// If the directory cannot be read.
pub fn list_debates(disk: &dyn Disk, debates_dir: &Path) -> Result<Listing, DiskError> {
    let names = match disk.list_names(debates_dir) {
        Ok(names) => names,
        Err(error) if error.is_not_found() => Vec::new(),
        Err(error) => return Err(error),
    };
    let names = names.iter().map(|name| name.to_string_lossy().into_owned());
    let mut listing = Listing {
        interrupted_removals: interrupted_removals(disk, debates_dir, names.clone())?,
        ..Listing::default()
    };
    for name in names.filter(|name| !name.starts_with('.')) {
        match read_listed(disk, debates_dir, &name)? {
            ListedFolder::Debate(debate) => listing.debates.push(*debate),
            ListedFolder::Unreadable(unreadable) => listing.unreadable.push(unreadable),
            ListedFolder::NotADebate => {}
        }
    }
    Ok(listing)
}
