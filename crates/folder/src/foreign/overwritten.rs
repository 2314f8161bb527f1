//! Finds files of others that a write would change.

use std::path::Path;

use agon_record::state::State;
use agon_store::{Disk, DiskError, Layout, Projection, RelPath};

use crate::manifest::{FileStatus, Manifest, accept_imported_status};

/// Files that a write would change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Overwritten {
    /// Files of the debate that another tool wrote.
    pub of_the_debate: Vec<RelPath>,
    /// Files that are not part of the debate or were changed by hand; they prevent the write.
    pub in_the_way: Vec<RelPath>,
}

/// Returns which existing files a write of `files` into the debate folder `root` would change.
///
/// # Errors
///
/// If a file cannot be read.
pub fn overwritten_files(
    disk: &dyn Disk,
    root: &Path,
    state: &State,
    files: &[Projection],
) -> Result<Overwritten, DiskError> {
    let (manifest, _) = Manifest::read(disk, &Layout::new(root))?;
    let mut found = Overwritten::default();
    for (path, bytes) in files {
        let status = manifest.file_status(disk, root, path, bytes)?;
        match accept_imported_status(disk, root, state, path, status)? {
            FileStatus::Missing | FileStatus::Current | FileStatus::Broken(_) => {}
            FileStatus::Older(_) => found.of_the_debate.push(path.clone()),
            FileStatus::Foreign => found.in_the_way.push(path.clone()),
        }
    }
    Ok(found)
}
