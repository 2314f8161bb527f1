//! Finds the file of a team.

use std::path::{Path, PathBuf};

use agon_git::{DiscoverError, Repository};

use crate::store::error::StoreError;

/// The folders of a repository in which a team is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TeamLocation {
    /// The git folder shared by all work trees.
    pub common_dir: PathBuf,
    /// The git folder of this work tree.
    pub git_dir: PathBuf,
    /// The work tree; `None` in a bare repository.
    pub work_tree: Option<PathBuf>,
}

impl TeamLocation {
    /// Finds the location for a folder anywhere in a work tree. Environment variables that point
    /// git elsewhere are ignored.
    ///
    /// # Errors
    ///
    /// Fails if the folder is in no repository, or in one whose git folder belongs to another work
    /// tree.
    pub fn find(dir: &Path) -> Result<Self, StoreError> {
        match Repository::discover(dir) {
            Ok(repository) => Ok(repository.into()),
            Err(DiscoverError::None(dir)) => Err(StoreError::NoRepository(dir)),
            Err(error) => Err(StoreError::Repository(error)),
        }
    }

    /// Returns the repository, as seen from this work tree.
    pub fn repository(&self) -> Repository {
        Repository {
            git_dir: self.git_dir.clone(),
            common_dir: self.common_dir.clone(),
            work_tree: self.work_tree.clone(),
        }
    }

    /// Returns the path of the team's file.
    pub fn database(&self) -> PathBuf {
        self.common_dir.join("agon").join("team.db")
    }

    /// Returns the path of the token of this work tree's member.
    pub fn token_file(&self) -> PathBuf {
        self.git_dir.join("agon").join("member.json")
    }
}

impl From<Repository> for TeamLocation {
    fn from(found: Repository) -> Self {
        Self {
            common_dir: found.common_dir,
            git_dir: found.git_dir,
            work_tree: found.work_tree,
        }
    }
}

/// Refuses file systems shared by several machines: the store's journal uses memory shared by the
/// processes of one machine.
pub(super) fn check_file_system(dir: &Path) -> Result<(), StoreError> {
    match file_system_of(dir).and_then(shared_file_system_name) {
        Some(kind) => Err(StoreError::NetworkFileSystem {
            path: dir.to_owned(),
            kind,
        }),
        None => Ok(()),
    }
}

#[cfg(target_os = "linux")]
fn file_system_of(dir: &Path) -> Option<u64> {
    let stat = rustix::fs::statfs(dir).ok()?;
    // Some systems store these 32 bits as a signed number, so drop the extended sign.
    u64::try_from(stat.f_type & 0xFFFF_FFFF).ok()
}

#[cfg(not(target_os = "linux"))]
fn file_system_of(_dir: &Path) -> Option<u64> {
    None
}

/// Returns the name of a shared file system for its `statfs(2)` number.
const fn shared_file_system_name(number: u64) -> Option<&'static str> {
    match number {
        0x6969 => Some("NFS"),
        0x517B | 0xFF53_4D42 | 0xFE53_4D42 => Some("a Windows share"),
        0x0102_1997 => Some("9P"),
        0x00C3_6400 => Some("Ceph"),
        0x5346_414F => Some("AFS"),
        0x7375_7245 => Some("Coda"),
        0x0BD0_0BD0 => Some("Lustre"),
        0x4750_4653 => Some("GPFS"),
        0x7461_636F => Some("OCFS2"),
        // All FUSE file systems share this number, so local ones are refused together with sshfs.
        0x6573_5546 => Some("FUSE"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_systems_of_several_machines_are_known_by_their_numbers() {
        assert_eq!(shared_file_system_name(0x6969), Some("NFS"));
        assert_eq!(
            shared_file_system_name(0xFF53_4D42),
            Some("a Windows share")
        );
        for local in [0xEF53, 0x0102_1994, 0x9123_683E, 0x5846_5342, 0x794C_7630] {
            assert_eq!(shared_file_system_name(local), None);
        }
    }

    #[test]
    fn a_folder_outside_of_any_repository_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let refusal = TeamLocation::find(dir.path()).unwrap_err();
        assert!(matches!(refusal, StoreError::NoRepository(_)), "{refusal}");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_file_system_that_is_a_window_to_the_kernel_is_seen_as_itself() {
        assert_eq!(file_system_of(Path::new("/proc")), Some(0x9FA0));
        assert!(check_file_system(Path::new("/proc")).is_ok());
    }
}
