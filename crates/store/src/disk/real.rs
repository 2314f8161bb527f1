//! The disk of this machine.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant, UNIX_EPOCH};

use rustix::fs::{CWD, OFlags, RenameFlags};

use super::lock::{Holder, LockError, LockGuard, LockState};
use super::{Disk, DiskError, DiskFile, FileKind, FileMark, Meta};

/// The disk of this machine, using `std::fs`.
///
/// Never opens a symbolic link for writing.
#[derive(Clone, Copy, Debug, Default)]
pub struct RealDisk;

// A journal of this size takes about 200 MB of memory to read. The journal of a long debate has a
// few hundred kilobytes, and its documents are far smaller than the limit.
/// Maximum number of bytes read from a file.
pub(crate) const MAX_READ_BYTES: u64 = 64 << 20;

impl Disk for RealDisk {
    fn read_from(&self, path: &Path, offset: u64) -> Result<Vec<u8>, DiskError> {
        let read = agon_files::open(path)
            .and_then(|file| agon_files::read_from_offset(file, offset, MAX_READ_BYTES));
        read.map_err(|cause| DiskError::new("read", path, cause))
    }

    fn metadata(&self, path: &Path) -> Result<Option<Meta>, DiskError> {
        let found = match fs::symlink_metadata(path) {
            Ok(found) => found,
            Err(cause) if is_absence_error(&cause) => return Ok(None),
            Err(cause) => return Err(DiskError::new("check", path, cause)),
        };
        let kind = match found.file_type() {
            kind if kind.is_symlink() => FileKind::Link,
            kind if kind.is_dir() => FileKind::Dir,
            kind if kind.is_file() => FileKind::File,
            _ => FileKind::Other,
        };
        let since = found.modified().ok();
        let since = since.and_then(|at| at.duration_since(UNIX_EPOCH).ok());
        Ok(Some(Meta {
            kind,
            len: found.len(),
            changed_ms: since.and_then(|since| u64::try_from(since.as_millis()).ok()),
            mark: Some(file_mark(&found)),
        }))
    }

    fn list_names(&self, dir: &Path) -> Result<Vec<OsString>, DiskError> {
        let read = || {
            let entries = fs::read_dir(dir)?.map(|entry| Ok(entry?.file_name()));
            let mut names = entries.collect::<io::Result<Vec<_>>>()?;
            names.sort();
            Ok(names)
        };
        read().map_err(|cause| DiskError::new("list", dir, cause))
    }

    fn open_append(&self, path: &Path) -> Result<Box<dyn DiskFile>, DiskError> {
        open_no_follow(path, OpenOptions::new().append(true))
    }

    fn create_file(&self, path: &Path) -> Result<Box<dyn DiskFile>, DiskError> {
        open_no_follow(
            path,
            OpenOptions::new().write(true).create(true).truncate(true),
        )
    }

    fn rename(&self, from: &Path, to: &Path) -> Result<(), DiskError> {
        fs::rename(from, to).map_err(|cause| DiskError::new("write", to, cause))
    }

    fn rename_no_replace(&self, from: &Path, to: &Path) -> Result<(), DiskError> {
        let failed = |cause| DiskError::new("create", to, cause);
        match rustix::fs::renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
            Ok(()) => Ok(()),
            // Some file systems do not support this; even there, a directory never replaces one
            // that is not empty.
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

    fn remove_file(&self, path: &Path) -> Result<(), DiskError> {
        fs::remove_file(path).map_err(|cause| DiskError::new("remove", path, cause))
    }

    fn create_dir(&self, path: &Path) -> Result<(), DiskError> {
        fs::create_dir(path).map_err(|cause| DiskError::new("create", path, cause))
    }

    fn sync_dir(&self, path: &Path) -> Result<(), DiskError> {
        File::open(path)
            .and_then(|dir| dir.sync_all())
            .map_err(|cause| DiskError::new("sync", path, cause))
    }

    fn probe_lock(&self, path: &Path) -> Result<LockState, DiskError> {
        let failed = |cause| DiskError::new("check", path, cause);
        let opened = OpenOptions::new()
            .read(true)
            .custom_flags(no_follow_flags())
            .open(path);
        let mut file = match opened {
            Ok(file) => file,
            Err(cause) if is_absence_error(&cause) => return Ok(LockState::Free),
            Err(cause) => return Err(failed(cause)),
        };
        require_regular_file(&file).map_err(failed)?;
        // Take a shared lock, so that several checks do not block each other.
        match file.try_lock_shared() {
            Ok(()) => Ok(LockState::Free),
            Err(TryLockError::WouldBlock) => Ok(LockState::Taken(read_lock_holder(&mut file))),
            Err(TryLockError::Error(cause)) => Err(failed(cause)),
        }
    }

    fn lock(&self, path: &Path, note: &[u8]) -> Result<Box<dyn LockGuard>, LockError> {
        let failed = |cause| DiskError::new("lock", path, cause);
        let mut file = open_lock_file(path).map_err(failed)?;
        if !try_lock_exclusive(&file).map_err(failed)? {
            return Err(LockError::Taken(read_lock_holder(&mut file)));
        }
        let written = file.set_len(0).and_then(|()| file.write_all(note));
        written.map_err(failed)?;
        Ok(Box::new(HeldFile { _file: file }))
    }
}

fn file_mark(meta: &fs::Metadata) -> FileMark {
    FileMark {
        file: (meta.dev(), meta.ino()),
        modified: (meta.mtime(), meta.mtime_nsec()),
        changed: (meta.ctime(), meta.ctime_nsec()),
    }
}

/// Returns whether an error means that there is nothing at the path; below a file, there is nothing
/// either.
fn is_absence_error(cause: &io::Error) -> bool {
    matches!(
        cause.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
    )
}

// A check releases the lock at once, so this allows for many checks on a busy machine. Tested by
// `a_writer_waits_out_those_who_look_and_is_refused_by_a_writer_at_once`.
/// How long a writer waits for checks of the lock.
const LOOKS: Duration = Duration::from_secs(2);

/// Tries to lock `file`; false if another writer holds the lock.
///
/// Waits for a reader that holds the lock briefly while checking it.
fn try_lock_exclusive(file: &File) -> io::Result<bool> {
    let since = Instant::now();
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(true),
            Err(TryLockError::Error(cause)) => return Err(cause),
            Err(TryLockError::WouldBlock) => {}
        }
        // If a shared lock is possible, only checks hold the lock and no writer does, so try again.
        match file.try_lock_shared() {
            Ok(()) => file.unlock()?,
            Err(TryLockError::WouldBlock) => return Ok(false),
            Err(TryLockError::Error(cause)) => return Err(cause),
        }
        if since.elapsed() > LOOKS {
            return Ok(false);
        }
        thread::sleep(Duration::from_millis(1));
    }
}

/// Returns the holder named in the lock file, which is only informative.
fn read_lock_holder(file: &mut File) -> Option<Holder> {
    let mut text = String::new();
    file.take(1_000).read_to_string(&mut text).ok()?;
    Holder::parse(&text)
}

/// Returns flags to open a file of a debate without following links or blocking on a pipe.
fn no_follow_flags() -> i32 {
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    flags.bits().cast_signed()
}

/// Opens the file of a lock, or creates it.
pub(super) fn open_lock_file(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    let file = options.custom_flags(no_follow_flags()).open(path)?;
    require_regular_file(&file)?;
    Ok(file)
}

fn require_regular_file(file: &File) -> io::Result<()> {
    agon_files::require_regular(&file.metadata()?)
}

fn open_no_follow(path: &Path, options: &mut OpenOptions) -> Result<Box<dyn DiskFile>, DiskError> {
    let file = options.custom_flags(no_follow_flags()).open(path);
    let file = file.and_then(|file| require_regular_file(&file).map(|()| file));
    let file = file.map_err(|cause| DiskError::new("open", path, cause))?;
    let path = path.to_owned();
    Ok(Box::new(RealFile { file, path }))
}

#[derive(Debug)]
struct RealFile {
    file: File,
    path: PathBuf,
}

impl RealFile {
    fn map_io_error(&self, doing: &'static str, done: io::Result<()>) -> Result<(), DiskError> {
        done.map_err(|cause| DiskError::new(doing, &self.path, cause))
    }
}

impl DiskFile for RealFile {
    fn write(&mut self, bytes: &[u8]) -> Result<(), DiskError> {
        let done = self.file.write_all(bytes);
        self.map_io_error("write", done)
    }

    fn sync(&mut self) -> Result<(), DiskError> {
        self.map_io_error("sync", self.file.sync_data())
    }

    fn truncate(&mut self, len: u64) -> Result<(), DiskError> {
        self.map_io_error("truncate", self.file.set_len(len))
    }

    fn current_mark(&self) -> Result<Option<FileMark>, DiskError> {
        let meta = self.file.metadata();
        let meta = meta.map_err(|cause| DiskError::new("check", &self.path, cause))?;
        Ok(Some(file_mark(&meta)))
    }
}

#[derive(Debug)]
pub(super) struct HeldFile {
    pub(super) _file: File,
}

impl LockGuard for HeldFile {}
