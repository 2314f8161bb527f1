//! What a write would do to files that others wrote.

use std::path::Path;

use agon_record::state::State;
use agon_store::{Disk, DiskError, Layout, Projection, RelPath};

use crate::manifest::{FileStatus, Manifest, accept_imported_status};

/// Files that would not stay as they are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Overwritten {
    /// Those of the debate itself that another tool wrote.
    pub of_the_debate: Vec<RelPath>,
    /// Those that are not of the debate, or were changed by hand: a write is refused.
    pub in_the_way: Vec<RelPath>,
}

/// What a write of `files` into the debate folder `root` would do to files that are there.
///
/// # Errors
///
/// If a file cannot be looked at.
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
