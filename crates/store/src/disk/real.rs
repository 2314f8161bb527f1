//! The disk of this machine.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, OFlags, RenameFlags};

use super::{Disk, DiskError, DiskFile, Held, Kind, Meta};
use crate::lock::{Holder, LockError};

/// The disk of this machine, by `std::fs`.
///
/// Files are opened for writing only where no symbolic link stands.
#[derive(Clone, Copy, Debug, Default)]
pub struct RealDisk;

impl Disk for RealDisk {
    fn read_from(&self, path: &Path, offset: u64) -> Result<Vec<u8>, DiskError> {
        let read = || {
            let mut file = File::open(path)?;
            file.seek(SeekFrom::Start(offset))?;
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes)?;
            Ok(bytes)
        };
        read().map_err(|cause| DiskError::new("read", path, cause))
    }

    fn metadata(&self, path: &Path) -> Result<Option<Meta>, DiskError> {
        let found = match fs::symlink_metadata(path) {
            Ok(found) => found,
            // A name below a file is as absent as one that is not there.
            Err(cause)
                if matches!(
                    cause.kind(),
                    io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
                ) =>
            {
                return Ok(None);
            }
            Err(cause) => return Err(DiskError::new("look at", path, cause)),
        };
        let kind = match found.file_type() {
            kind if kind.is_symlink() => Kind::Link,
            kind if kind.is_dir() => Kind::Dir,
            kind if kind.is_file() => Kind::File,
            _ => Kind::Other,
        };
        let len = found.len();
        Ok(Some(Meta { kind, len }))
    }

    fn list(&self, dir: &Path) -> Result<Vec<OsString>, DiskError> {
        let read = || {
            let entries = fs::read_dir(dir)?.map(|entry| Ok(entry?.file_name()));
            let mut names = entries.collect::<io::Result<Vec<_>>>()?;
            names.sort();
            Ok(names)
        };
        read().map_err(|cause| DiskError::new("list", dir, cause))
    }

    fn append(&self, path: &Path) -> Result<Box<dyn DiskFile>, DiskError> {
        open(path, OpenOptions::new().append(true))
    }

    fn create(&self, path: &Path) -> Result<Box<dyn DiskFile>, DiskError> {
        open(
            path,
            OpenOptions::new().write(true).create(true).truncate(true),
        )
    }

    fn rename(&self, from: &Path, to: &Path) -> Result<(), DiskError> {
        fs::rename(from, to).map_err(|cause| DiskError::new("write", to, cause))
    }

    fn rename_new(&self, from: &Path, to: &Path) -> Result<(), DiskError> {
        let failed = |cause| DiskError::new("create", to, cause);
        match rustix::fs::renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
            Ok(()) => Ok(()),
            // Some file systems cannot; there a directory still never
            // replaces one that holds anything.
            Err(rustix::io::Errno::INVAL | rustix::io::Errno::NOSYS) => {
                if self.metadata(to)?.is_some() {
                    return Err(failed(io::ErrorKind::AlreadyExists.into()));
                }
                fs::rename(from, to).map_err(failed)
            }
            Err(errno) => Err(failed(errno.into())),
        }
    }

    fn remove_tree(&self, path: &Path) -> Result<(), DiskError> {
        fs::remove_dir_all(path).map_err(|cause| DiskError::new("remove", path, cause))
    }

    fn create_dir(&self, path: &Path) -> Result<(), DiskError> {
        fs::create_dir(path).map_err(|cause| DiskError::new("create", path, cause))
    }

    fn sync_dir(&self, path: &Path) -> Result<(), DiskError> {
        File::open(path)
            .and_then(|dir| dir.sync_all())
            .map_err(|cause| DiskError::new("sync", path, cause))
    }

    fn lock(&self, path: &Path, note: &[u8]) -> Result<Box<dyn Held>, LockError> {
        let failed = |cause| DiskError::new("lock", path, cause);
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .custom_flags(no_follow())
            .open(path)
            .map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut text = String::new();
                // Who holds it is a courtesy: what cannot be read is left out.
                let read = file.read_to_string(&mut text);
                let holder = read.ok().and_then(|_| Holder::parse(&text));
                return Err(LockError::Taken(holder));
            }
            Err(TryLockError::Error(cause)) => return Err(failed(cause).into()),
        }
        let written = file.set_len(0).and_then(|()| file.write_all(note));
        written.map_err(failed)?;
        Ok(Box::new(HeldFile { _file: file }))
    }
}

fn no_follow() -> i32 {
    (OFlags::NOFOLLOW | OFlags::CLOEXEC).bits().cast_signed()
}

fn open(path: &Path, options: &mut OpenOptions) -> Result<Box<dyn DiskFile>, DiskError> {
    let file = options
        .custom_flags(no_follow())
        .open(path)
        .map_err(|cause| DiskError::new("open", path, cause))?;
    let path = path.to_owned();
    Ok(Box::new(RealFile { file, path }))
}

#[derive(Debug)]
struct RealFile {
    file: File,
    path: PathBuf,
}

impl RealFile {
    fn told(&self, doing: &'static str, done: io::Result<()>) -> Result<(), DiskError> {
        done.map_err(|cause| DiskError::new(doing, &self.path, cause))
    }
}

impl DiskFile for RealFile {
    fn write(&mut self, bytes: &[u8]) -> Result<(), DiskError> {
        let done = self.file.write_all(bytes);
        self.told("write", done)
    }

    fn sync(&mut self) -> Result<(), DiskError> {
        self.told("sync", self.file.sync_data())
    }

    fn truncate(&mut self, len: u64) -> Result<(), DiskError> {
        self.told("cut", self.file.set_len(len))
    }
}

#[derive(Debug)]
struct HeldFile {
    _file: File,
}

impl Held for HeldFile {}
