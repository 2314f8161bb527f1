//! Files outside a debate folder, for the program that hosts Agon.

use std::io;
use std::path::Path;

use crate::disk::{
    Disk, DiskError, Durable, FileKind, create_dirs_synced, parent_of, replace_file,
};

/// Writes a file at `path` in one step, creating parent directories.
///
/// # Errors
///
/// If a directory or the file cannot be written; an existing file then stays unchanged.
pub fn write_file_atomically(disk: &dyn Disk, path: &Path, bytes: &[u8]) -> Result<(), DiskError> {
    let temp = agon_files::temporary_sibling(path);
    create_dirs_synced(disk, parent_of(path))?;
    replace_file(disk, &temp, path, bytes, Durable::No).inspect_err(|_| {
        // Ignore failures, because nothing reads a leftover temporary file.
        disk.remove_file(&temp).ok();
    })
}

/// Writes a file at `below` in the folder `root` in one step, creating the directories between
/// them.
///
/// # Errors
///
/// As [`write_file_atomically`], or if one of those directories is a link, which could lead out of
/// `root`.
pub fn write_file_below(
    disk: &dyn Disk,
    root: &Path,
    below: &Path,
    bytes: &[u8],
) -> Result<(), DiskError> {
    let between = parent_of(below).ancestors();
    for folder in between.filter(|folder| !folder.as_os_str().is_empty()) {
        refuse_link(disk, &root.join(folder))?;
    }
    write_file_atomically(disk, &root.join(below), bytes)
}

/// Fails if `path` is a symbolic link.
///
/// # Errors
///
/// If it is a link, or cannot be checked.
pub(crate) fn refuse_link(disk: &dyn Disk, path: &Path) -> Result<(), DiskError> {
    match disk.metadata(path)? {
        Some(meta) if meta.kind == FileKind::Link => {
            let cause = io::Error::new(io::ErrorKind::InvalidInput, "it is a symbolic link");
            Err(DiskError::new("write to", path, cause))
        }
        Some(_) | None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;
    use crate::RealDisk;

    #[test]
    fn a_file_is_written_below_its_folder_and_never_through_a_link() {
        let dir = tempfile::tempdir().unwrap();
        let (root, elsewhere) = (dir.path().join("root"), dir.path().join("elsewhere"));
        fs::create_dir_all(root.join("c")).unwrap();
        fs::create_dir(&elsewhere).unwrap();
        symlink(&elsewhere, root.join("a")).unwrap();
        symlink(&elsewhere, root.join("c/d")).unwrap();
        symlink(elsewhere.join("none"), root.join("e")).unwrap();
        for below in ["a/f", "a/b/f", "c/d/f", "e/f"] {
            let refused = write_file_below(&RealDisk, &root, Path::new(below), b"x");
            let refused = refused.unwrap_err();
            assert_eq!(
                refused.cause.to_string(),
                "it is a symbolic link",
                "{below}"
            );
        }
        assert_eq!(fs::read_dir(&elsewhere).unwrap().count(), 0);
        for below in ["c/f", "g/h/f", "f"] {
            write_file_below(&RealDisk, &root, Path::new(below), b"x").unwrap();
            assert_eq!(fs::read(root.join(below)).unwrap(), b"x");
        }
    }
}
