//! Reads the files of a folder without ever following a symbolic link.

use std::cell::RefCell;
use std::collections::HashMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// A folder; nothing outside it is read.
#[derive(Debug)]
pub(crate) struct Folder {
    /// The canonical path of the folder, with which a symbolic link inside it can be detected.
    path: PathBuf,
    /// The folders inside it that were checked, and whether a symbolic link leads to each.
    real: RefCell<HashMap<String, bool>>,
}

/// The entry on disk at a path.
#[derive(Debug)]
pub(crate) enum DiskEntry {
    /// All the bytes of a regular file.
    Bytes(Vec<u8>),
    /// A regular file over the size limit, with its length.
    Oversized(u64),
    /// A symbolic link, with its target.
    Link(String),
    /// A pipe, a socket or a device.
    Special,
    /// A folder.
    Directory,
    /// There is nothing at the path.
    Nothing,
    /// An entry that cannot be read, or is behind a symbolic link.
    Unreadable,
}

impl Folder {
    /// Creates a reader of the folder with this canonical path.
    pub(crate) fn new(path: PathBuf) -> Self {
        Self {
            path,
            real: RefCell::default(),
        }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Reads what is at a path in the folder; `/` separates the parts.
    pub(crate) fn read_entry(&self, path: &str, most: u64) -> DiskEntry {
        if !self.has_link_free_parent(path) {
            return match self.has_parent(path) {
                true => DiskEntry::Unreadable,
                false => DiskEntry::Nothing,
            };
        }
        let full = self.path.join(path);
        let Ok(meta) = full.symlink_metadata() else {
            return DiskEntry::Nothing;
        };
        let kind = meta.file_type();
        if kind.is_symlink() {
            let target = std::fs::read_link(&full);
            return target.map_or(DiskEntry::Unreadable, |target| {
                DiskEntry::Link(target.to_string_lossy().into_owned())
            });
        }
        if kind.is_dir() {
            return DiskEntry::Directory;
        }
        if !kind.is_file() {
            return DiskEntry::Special;
        }
        if meta.len() > most {
            return DiskEntry::Oversized(meta.len());
        }
        read_regular_file(&full, most)
    }

    /// Returns whether every folder on the way to `path` exists, even as a broken link.
    fn has_parent(&self, path: &str) -> bool {
        let ends = path.match_indices('/').map(|(end, _)| end);
        let mut parents = ends.filter_map(|end| path.get(..end));
        parents.all(|parent| {
            let found = self.path.join(parent).symlink_metadata();
            !found.is_err_and(|error| {
                matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
            })
        })
    }

    /// Returns whether every folder on the way to `path` is real, not a symbolic link.
    fn has_link_free_parent(&self, path: &str) -> bool {
        let Some((parent, _)) = path.rsplit_once('/') else {
            return true;
        };
        if let Some(real) = self.real.borrow().get(parent) {
            return *real;
        }
        let expected = self.path.join(parent);
        let real = expected.canonicalize().is_ok_and(|it| it == expected);
        self.real.borrow_mut().insert(parent.to_owned(), real);
        real
    }
}

fn read_regular_file(path: &Path, most: u64) -> DiskEntry {
    // Since it was checked, the file may have grown, or become a link or a pipe, so check again.
    match agon_files::read_no_follow(path, most) {
        Ok(bytes) => DiskEntry::Bytes(bytes),
        Err(error) if error.kind() == ErrorKind::FileTooLarge => DiskEntry::Oversized(most + 1),
        Err(error) if error.kind() == ErrorKind::InvalidInput => DiskEntry::Special,
        Err(_) => DiskEntry::Unreadable,
    }
}
