//! Reads the files of a folder without ever following a symbolic link.

use std::cell::RefCell;
use std::io::{self, ErrorKind};
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use agon_files::open_folder_handle;
use rustix::fs::{AtFlags, CWD, FileType, Mode, mkdirat, readlinkat, statat};
use rustix::io::Errno;

// A process may have 1,024 open files by default on Linux, and several folders are read at once.
/// Maximum number of folders that are kept open; deeper ones are opened again for each file.
const MAX_KEPT: usize = 24;

/// A folder; nothing outside it is read.
///
/// Every path is opened folder by folder, each relative to the one above, and none of them may be a
/// symbolic link. The folders on the way to the last file stay open, so reading sorted paths costs
/// one more system call for each folder, not for each folder of each file.
#[derive(Debug)]
pub(crate) struct Folder {
    /// The canonical path of the folder.
    path: PathBuf,
    /// The folder itself and those on the way to the last file that was read, the outermost first.
    way: RefCell<Vec<OpenFolder>>,
}

#[derive(Debug)]
struct OpenFolder {
    /// Its name in the one above; empty for the outermost.
    name: String,
    opened: Arc<OwnedFd>,
}

/// What happens to a folder that does not exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Missing {
    /// It cannot be opened.
    Fails,
    /// It is created, readable only by its owner.
    IsCreated,
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
            way: RefCell::default(),
        }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Reads what is at a path in the folder; `/` separates the parts.
    pub(crate) fn read_entry(&self, path: &str, most: u64) -> DiskEntry {
        let (parent, name) = path.rsplit_once('/').unwrap_or(("", path));
        let parent = match self.open_folder(parent, Missing::Fails) {
            Ok(parent) => parent,
            Err(error) if error.kind() == ErrorKind::NotADirectory && self.is_real(parent) => {
                return DiskEntry::Nothing;
            }
            Err(_) if self.has_parent(path) => return DiskEntry::Unreadable,
            Err(_) => return DiskEntry::Nothing,
        };
        if name.is_empty() {
            return DiskEntry::Directory;
        }
        let Ok(found) = statat(&*parent, name, AtFlags::SYMLINK_NOFOLLOW) else {
            return DiskEntry::Nothing;
        };
        match FileType::from_raw_mode(found.st_mode) {
            FileType::Symlink => {
                let target = readlinkat(&*parent, name, Vec::new());
                target.map_or(DiskEntry::Unreadable, |target| {
                    DiskEntry::Link(target.to_string_lossy().into_owned())
                })
            }
            FileType::Directory => DiskEntry::Directory,
            FileType::RegularFile => match u64::try_from(found.st_size) {
                Ok(bytes) if bytes <= most => read_regular_file(&parent, name, most),
                Ok(bytes) => DiskEntry::Oversized(bytes),
                Err(_) => DiskEntry::Unreadable,
            },
            _ => DiskEntry::Special,
        }
    }

    /// Opens a folder by its path in this one, without following a symbolic link.
    ///
    /// # Errors
    ///
    /// If it is missing and is not created, or a part of the path is not a folder.
    pub(crate) fn open_folder(&self, path: &str, missing: Missing) -> io::Result<Arc<OwnedFd>> {
        let mut way = self.way.borrow_mut();
        if way.is_empty() {
            way.push(OpenFolder {
                name: String::new(),
                opened: open_real_folder(CWD, &self.path)?,
            });
        }
        let [outermost, ..] = way.as_slice() else {
            return Err(ErrorKind::NotFound.into());
        };
        let mut at = Arc::clone(&outermost.opened);
        if path.is_empty() {
            return Ok(at);
        }
        for (depth, name) in path.split('/').enumerate() {
            // These names would lead to a folder above or to the same one.
            if matches!(name, "" | "." | "..") {
                return Err(ErrorKind::InvalidInput.into());
            }
            let depth = depth + 1;
            if let Some(known) = way.get(depth).filter(|known| known.name == name) {
                at = Arc::clone(&known.opened);
                continue;
            }
            at = match open_real_folder(&*at, name) {
                Err(error)
                    if error.kind() == ErrorKind::NotFound && missing == Missing::IsCreated =>
                {
                    create_folder(&at, name)?
                }
                opened => opened?,
            };
            way.truncate(depth);
            if way.len() == depth && depth < MAX_KEPT {
                way.push(OpenFolder {
                    name: name.to_owned(),
                    opened: Arc::clone(&at),
                });
            }
        }
        Ok(at)
    }

    /// Returns whether no part of `path` is a symbolic link.
    fn is_real(&self, path: &str) -> bool {
        let expected = self.path.join(path);
        expected.canonicalize().is_ok_and(|it| it == expected)
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
}

/// Opens a folder; fails for a symbolic link.
fn open_real_folder(parent: impl AsFd, name: impl rustix::path::Arg) -> io::Result<Arc<OwnedFd>> {
    open_folder_handle(parent, name).map(Arc::new)
}

/// Creates a folder that only its owner can read, unless another thread has just created it.
fn create_folder(parent: &OwnedFd, name: &str) -> io::Result<Arc<OwnedFd>> {
    match mkdirat(parent, name, Mode::RWXU) {
        Ok(()) | Err(Errno::EXIST) => open_real_folder(parent, name),
        Err(error) => Err(error.into()),
    }
}

fn read_regular_file(parent: &OwnedFd, name: &str, most: u64) -> DiskEntry {
    // Since it was checked, the file may have grown, or become a link or a pipe, so check again.
    match agon_files::read_at(parent, name, most) {
        Ok(bytes) => DiskEntry::Bytes(bytes),
        Err(error) if error.kind() == ErrorKind::FileTooLarge => DiskEntry::Oversized(most + 1),
        Err(error) if error.kind() == ErrorKind::InvalidInput => DiskEntry::Special,
        Err(_) => DiskEntry::Unreadable,
    }
}

#[cfg(test)]
mod tests;
