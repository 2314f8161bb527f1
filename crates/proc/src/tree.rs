//! Removes folders with their contents, without following symbolic links.

use std::fs::{self, File, Metadata};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use agon_files::{open_own_folder, set_folder_rights};
use rustix::fs::{CWD, Dir, Mode, OFlags, openat};
use rustix::process::geteuid;

// POSIX: `S_IRWXU`.
/// The rights of the owner: read, write and enter.
pub(crate) const OWNER_ONLY_MODE: u32 = 0o700;
// At three descriptors each (`open_up`) this needs 768, of the 1,024 that a process has by default
// on Linux.
/// Maximum depth at which rights are granted; each level needs descriptors.
const MAX_DEPTH: usize = 256;

/// Opens a real folder for reading, never a symbolic link; anything else is an immediate error.
pub(crate) fn open_folder(path: &Path) -> io::Result<File> {
    let read = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW;
    let flags = read | OFlags::NONBLOCK | OFlags::CLOEXEC;
    Ok(File::from(openat(CWD, path, flags, Mode::empty())?))
}

/// Returns whether an open file belongs to this user.
pub(crate) fn is_owned_by_user(opened: &Metadata) -> bool {
    opened.uid() == geteuid().as_raw()
}

/// Removes the rights of other users on a folder, without following a symbolic link.
pub(crate) fn restrict_to_owner(path: &Path) -> io::Result<()> {
    set_folder_rights(&open_own_folder(CWD, path)?, OWNER_ONLY_MODE)
}

/// Removes a folder with its contents, even if some of them are read-only.
pub(crate) fn remove_tree(path: &Path) -> io::Result<()> {
    if fs::remove_dir_all(path).is_ok() {
        return Ok(());
    }
    // Ignore errors here: if the folder cannot be removed below, that error is reported.
    open_own_folder(CWD, path)
        .and_then(|folder| grant_owner_rights_in_tree(&folder, MAX_DEPTH))
        .unwrap_or_default();
    match fs::remove_dir_all(path) {
        Err(cause) if cause.kind() != io::ErrorKind::NotFound => Err(cause),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Grants the owner all rights on the folders of a tree that belong to this user.
fn grant_owner_rights_in_tree(folder: &OwnedFd, depth: usize) -> io::Result<()> {
    let named = File::from(folder.try_clone()?);
    if depth == 0 || !is_owned_by_user(&named.metadata()?) {
        return Ok(());
    }
    set_folder_rights(folder, OWNER_ONLY_MODE)?;
    let read = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let mut entries = Dir::new(openat(folder, ".", read, Mode::empty())?)?;
    while let Some(entry) = entries.read() {
        let entry = entry?;
        let name = entry.file_name();
        if name == c"." || name == c".." {
            continue;
        }
        // Entries that are not folders are skipped, and a failure does not stop the others.
        open_own_folder(folder, name)
            .and_then(|inner| grant_owner_rights_in_tree(&inner, depth - 1))
            .unwrap_or_default();
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::path::PathBuf;

    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::symlink_metadata(path).unwrap().mode() & 0o777
    }

    fn set_mode(path: &Path, mode: u32) {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    }

    /// A folder that can be removed only after granting rights, and one elsewhere with mode 0755.
    fn tree_and_elsewhere(home: &Path) -> (PathBuf, PathBuf) {
        let (tree, elsewhere) = (home.join("tree"), home.join("elsewhere"));
        fs::create_dir_all(tree.join("read-only/empty")).unwrap();
        fs::create_dir_all(elsewhere.join("inner")).unwrap();
        for folder in [elsewhere.join("inner"), elsewhere.clone()] {
            set_mode(&folder, 0o755);
        }
        (tree, elsewhere)
    }

    #[test]
    fn a_link_goes_as_a_link_and_what_it_leads_to_keeps_its_rights() {
        let home = tempfile::tempdir().unwrap();
        let (tree, elsewhere) = tree_and_elsewhere(home.path());
        symlink(&elsewhere, tree.join("read-only/link")).unwrap();
        set_mode(&tree.join("read-only"), 0o000);
        set_mode(&tree, 0o500);
        remove_tree(&tree).unwrap();
        assert!(!tree.exists());
        assert_eq!(
            [&elsewhere, &elsewhere.join("inner")].map(|path| mode(path)),
            [0o755; 2]
        );
    }

    #[test]
    fn a_link_in_the_place_of_a_folder_is_neither_opened_nor_opened_up() {
        let home = tempfile::tempdir().unwrap();
        let (_, elsewhere) = tree_and_elsewhere(home.path());
        let link = home.path().join("link");
        symlink(&elsewhere, &link).unwrap();
        let opened = open_folder(&link).map(drop).map_err(|error| error.kind());
        assert_eq!(opened, Err(io::ErrorKind::NotADirectory));
        assert!(restrict_to_owner(&link).is_err());
        let opened = open_own_folder(CWD, link.as_path()).map(drop);
        assert!(opened.is_err());
        assert_eq!(
            [&elsewhere, &elsewhere.join("inner")].map(|path| mode(path)),
            [0o755; 2]
        );
    }

    #[test]
    fn a_pipe_in_the_place_of_a_folder_holds_nobody_up() {
        let home = tempfile::tempdir().unwrap();
        let pipe = home.path().join("pipe");
        rustix::fs::mknodat(CWD, &pipe, rustix::fs::FileType::Fifo, Mode::RUSR, 0).unwrap();
        let opened = open_folder(&pipe).map(drop).map_err(|error| error.kind());
        assert_eq!(opened, Err(io::ErrorKind::NotADirectory));
    }
}
