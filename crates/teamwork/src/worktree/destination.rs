//! Writes into a member's work tree without following links.
//!
//! A commit, or a member that worked there before, may have turned any folder into a link. Each
//! part of a path is therefore opened relative to its parent folder, and never through a link.

use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Component, Path};

use rustix::fs::{AtFlags, Mode, OFlags, linkat, mkdirat, openat, statat, symlinkat, unlinkat};
use rustix::io::Errno;

/// The root of a work tree.
pub(super) struct Destination {
    root: OwnedFd,
}

const FOLDER: OFlags = OFlags::RDONLY
    .union(OFlags::DIRECTORY)
    .union(OFlags::NOFOLLOW)
    .union(OFlags::CLOEXEC);

impl Destination {
    pub(super) fn open(tree: &Path) -> io::Result<Self> {
        let root = rustix::fs::open(tree, FOLDER, Mode::empty())?;
        Ok(Self { root })
    }

    /// Returns whether the path exists, even as a dangling link.
    pub(super) fn has(&self, path: &Path) -> io::Result<bool> {
        let (folder, name) = self.parent(path, false)?;
        let Some(folder) = folder else {
            return Ok(false);
        };
        match statat(&folder, name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(_) => Ok(true),
            Err(Errno::NOENT) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    /// Copies a file with its permissions; returns the number of bytes. The copy appears under its
    /// name only when it is complete, and does not replace an existing file.
    pub(super) fn copy(&self, source: &Path, path: &Path, most: u64) -> io::Result<u64> {
        let mut from = agon_files::open(source)?;
        let found = from.metadata()?;
        if found.len() > most {
            return Err(io::Error::from(io::ErrorKind::FileTooLarge));
        }
        let (folder, name) = self.parent(path, true)?;
        let folder = folder.ok_or(io::ErrorKind::NotFound)?;
        let part = format!(".agon-{}", ulid::Ulid::generate());
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW;
        let mode = Mode::from_bits_truncate((found.permissions().mode() & 0o777) as _);
        let to = openat(&folder, &*part, flags | OFlags::CLOEXEC, mode)?;
        let copied = io::copy(&mut from, &mut File::from(to)).and_then(|bytes| {
            match linkat(&folder, &*part, &folder, name, AtFlags::empty()) {
                Ok(()) | Err(Errno::EXIST) => Ok(bytes),
                Err(error) => Err(error.into()),
            }
        });
        let removed = unlinkat(&folder, &*part, AtFlags::empty());
        let bytes = copied?;
        removed?;
        Ok(bytes)
    }

    /// Makes a link, unless the path exists.
    pub(super) fn link(&self, target: &Path, path: &Path) -> io::Result<()> {
        let (folder, name) = self.parent(path, true)?;
        let folder = folder.ok_or(io::ErrorKind::NotFound)?;
        match symlinkat(target, &folder, name) {
            Ok(()) | Err(Errno::EXIST) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// Opens the parent folder of a path and returns it with the file name. If `makes`, missing
    /// folders are created.
    fn parent<'a>(&self, path: &'a Path, makes: bool) -> io::Result<(Option<OwnedFd>, &'a OsStr)> {
        let invalid = || io::Error::from(io::ErrorKind::InvalidInput);
        let name = path.file_name().ok_or_else(invalid)?;
        let mut folder = self.root.try_clone()?;
        for part in path.parent().into_iter().flat_map(Path::components) {
            let Component::Normal(part) = part else {
                return Err(invalid());
            };
            if makes {
                match mkdirat(&folder, part, Mode::from_bits_truncate(0o777)) {
                    Ok(()) | Err(Errno::EXIST) => {}
                    Err(error) => return Err(error.into()),
                }
            }
            folder = match openat(&folder, part, FOLDER, Mode::empty()) {
                Ok(folder) => folder,
                Err(Errno::NOENT) if !makes => return Ok((None, name)),
                Err(error) => return Err(error.into()),
            };
        }
        Ok((Some(folder), name))
    }
}
