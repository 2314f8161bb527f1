//! A temporary git folder that reads a repository's objects and keeps its own objects to itself.

use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use agon_team::store::TeamLocation;

/// The name prefix of these folders.
const PREFIX: &str = "scratch-";
/// The age after which a folder must be the leftover of a killed process.
const LEFT_AFTER: Duration = Duration::from_secs(24 * 3_600);

/// A path for a temporary folder, which is deleted when this is dropped.
#[derive(Debug)]
pub(super) struct ScratchGitDir(PathBuf);

impl ScratchGitDir {
    /// Chooses a path beside the team's file, on the repository's disk.
    ///
    /// # Errors
    ///
    /// Fails if the parent folder cannot be created.
    pub(super) fn choose(location: &TeamLocation) -> io::Result<Self> {
        let parent = location.git_dir.join("agon");
        match DirBuilder::new().mode(0o700).create(&parent) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
            Ok(()) | Err(_) => {}
        }
        remove_leftovers(&parent);
        Ok(Self(
            parent.join(format!("{PREFIX}{}", ulid::Ulid::generate())),
        ))
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for ScratchGitDir {
    fn drop(&mut self) {
        // If this fails, a later process deletes the folder after a day.
        fs::remove_dir_all(&self.0).ok();
    }
}

/// Deletes folders left behind by killed processes.
fn remove_leftovers(parent: &Path) {
    let Ok(entries) = fs::read_dir(parent) else {
        return;
    };
    for entry in entries.flatten() {
        let is_ours = entry.file_name().as_bytes().starts_with(PREFIX.as_bytes());
        let age = entry.metadata().and_then(|meta| meta.modified()).ok();
        let age = age.and_then(|time| SystemTime::now().duration_since(time).ok());
        if is_ours && age.is_some_and(|age| age > LEFT_AFTER) {
            fs::remove_dir_all(entry.path()).ok();
        }
    }
}
