//! The file operations that a debate folder needs, and nothing more.

#[cfg(any(test, feature = "testing"))]
pub(crate) mod fault;
pub(crate) mod lock;
pub(crate) mod real;

use std::ffi::OsString;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use lock::{LockError, LockGuard, Look};

/// Where a debate is kept.
///
/// Every file operation on a debate goes through this seam, so that a test
/// can fail, tear or forget each of them. What is written survives a crash of
/// the machine only after [`DiskFile::sync`], and a new name only after
/// [`Disk::sync_dir`] of the directory it stands in.
pub trait Disk: fmt::Debug + Send + Sync {
    /// The bytes of a file.
    fn read(&self, path: &Path) -> Result<Vec<u8>, DiskError> {
        self.read_from(path, 0)
    }

    /// The bytes of a file from `offset` to its end; none when it is shorter.
    fn read_from(&self, path: &Path, offset: u64) -> Result<Vec<u8>, DiskError>;

    /// What stands at `path`, without following a link there.
    fn metadata(&self, path: &Path) -> Result<Option<Meta>, DiskError>;

    /// The names in a directory, sorted.
    fn list_names(&self, dir: &Path) -> Result<Vec<OsString>, DiskError>;

    /// Opens an existing file to write at its end.
    fn open_append(&self, path: &Path) -> Result<Box<dyn DiskFile>, DiskError>;

    /// Opens a file to overwrite it; what was in it is gone.
    fn create_file(&self, path: &Path) -> Result<Box<dyn DiskFile>, DiskError>;

    /// Gives a file another name in one step; a file of that name is replaced.
    fn rename(&self, from: &Path, to: &Path) -> Result<(), DiskError>;

    /// Gives a directory another name in one step, if nothing has that name.
    fn rename_no_replace(&self, from: &Path, to: &Path) -> Result<(), DiskError>;

    /// Removes a directory with all that is in it.
    fn remove_tree(&self, path: &Path) -> Result<(), DiskError>;

    /// Removes a file.
    fn remove_file(&self, path: &Path) -> Result<(), DiskError>;

    /// Creates a directory.
    fn create_dir(&self, path: &Path) -> Result<(), DiskError>;

    /// Makes the names in a directory durable.
    fn sync_dir(&self, path: &Path) -> Result<(), DiskError>;

    /// Whether a process holds the lock at `path`; nothing is created or changed.
    fn probe_lock(&self, path: &Path) -> Result<Look, DiskError>;

    /// Takes the lock at `path`, creating the file if needed, and writes `note` into it.
    ///
    /// The lock ends with the value, or with the process.
    fn lock(&self, path: &Path, note: &[u8]) -> Result<Box<dyn LockGuard>, LockError>;
}

/// A file open for writing.
pub trait DiskFile: fmt::Debug + Send {
    /// Writes at the end.
    fn write(&mut self, bytes: &[u8]) -> Result<(), DiskError>;

    /// Makes what was written durable.
    fn sync(&mut self) -> Result<(), DiskError>;

    /// Cuts the file to `len` bytes.
    fn truncate(&mut self, len: u64) -> Result<(), DiskError>;

    /// Identifies the file's current state (device, inode, times); none where the disk cannot tell.
    fn current_mark(&self) -> Result<Option<FileMark>, DiskError>;
}

/// What stands at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Meta {
    /// File, directory or something else.
    pub kind: FileKind,
    /// Length in bytes, of a file.
    pub len: u64,
    /// When it was last changed, in milliseconds since 1970; none where that is not told.
    pub changed_ms: Option<u64>,
    /// What tells a file and its state from others; none where that is not told.
    pub mark: Option<FileMark>,
}

/// What tells a file, as it is now, from another one and from itself before a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileMark {
    /// The device and the number of the file on it.
    file: (u64, u64),
    /// When its bytes were last changed: seconds and nanoseconds.
    modified: (i64, i64),
    /// When anything about it was last changed, which cannot be set.
    changed: (i64, i64),
}

impl FileMark {
    /// Whether it is the same file, changed or not.
    ///
    /// Only for two looks at about the same time: some file systems, such as those over a network
    /// or in user space, give a file another number.
    pub fn is_same_file(&self, other: &Self) -> bool {
        self.file == other.file
    }

    /// Whether nothing was changed between the two looks, taking both for the same file.
    pub fn has_same_times(&self, other: &Self) -> bool {
        (self.modified, self.changed) == (other.modified, other.changed)
    }

    /// The mark of another file in the same state.
    #[cfg(any(test, feature = "testing"))]
    #[must_use]
    pub fn with_other_inode(self) -> Self {
        let (device, number) = self.file;
        Self {
            file: (device, number.wrapping_add(1)),
            ..self
        }
    }
}

/// What kind of thing stands at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// A file.
    File,
    /// A directory.
    Dir,
    /// A symbolic link.
    Link,
    /// Anything else, such as a socket.
    Other,
}

/// A file operation that failed.
#[derive(Debug, thiserror::Error)]
#[error("cannot {doing} {}", path.display())]
pub struct DiskError {
    /// What was tried, such as `read`.
    pub doing: &'static str,
    /// Where.
    pub path: PathBuf,
    /// The operating system's reason.
    #[source]
    pub cause: io::Error,
}

impl DiskError {
    /// The error of an operation that is called `doing` in messages.
    pub fn new(doing: &'static str, path: &Path, cause: io::Error) -> Self {
        let path = path.to_owned();
        Self { doing, path, cause }
    }

    /// Whether there is nothing at the path.
    pub fn is_not_found(&self) -> bool {
        self.cause.kind() == io::ErrorKind::NotFound
    }

    /// Whether something is there that Agon never makes: a link, a pipe, a device, or a file over
    /// the limit.
    pub fn is_unfit(&self) -> bool {
        matches!(
            self.cause.kind(),
            io::ErrorKind::InvalidInput | io::ErrorKind::FileTooLarge
        )
    }

    /// Whether something is in the way of what was to be made.
    pub fn is_target_occupied(&self) -> bool {
        matches!(
            self.cause.kind(),
            io::ErrorKind::AlreadyExists | io::ErrorKind::DirectoryNotEmpty
        )
    }
}

/// Whether a replaced file must survive a crash of the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Durable {
    /// It is synced, and so is its name.
    Yes,
    /// It may be lost, or come back as it was before.
    No,
}

/// Puts `bytes` at `to` in one step, by way of `temp` on the same file system.
///
/// # Errors
///
/// If a file operation fails; what was at `to` is then as it was, or replaced and not yet synced.
pub fn replace_file(
    disk: &dyn Disk,
    temp: &Path,
    to: &Path,
    bytes: &[u8],
    durable: Durable,
) -> Result<(), DiskError> {
    let mut file = disk.create_file(temp)?;
    file.write(bytes)?;
    if durable == Durable::Yes {
        file.sync()?;
    }
    drop(file);
    disk.rename(temp, to)?;
    match to.parent() {
        Some(dir) if durable == Durable::Yes => disk.sync_dir(dir),
        _ => Ok(()),
    }
}

/// Writes a new file, synced; its directory is the caller's to sync.
///
/// # Errors
///
/// If it cannot be written.
pub fn write_synced(disk: &dyn Disk, path: &Path, bytes: &[u8]) -> Result<(), DiskError> {
    let mut file = disk.create_file(path)?;
    file.write(bytes)?;
    file.sync()
}

/// The bytes of a file; none when there is no such file.
///
/// # Errors
///
/// If it is there and cannot be read.
pub fn read_if_there(disk: &dyn Disk, path: &Path) -> Result<Option<Vec<u8>>, DiskError> {
    match disk.read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.is_not_found() => Ok(None),
        Err(error) => Err(error),
    }
}

/// Creates a directory and what is missing above it, each synced into its parent.
///
/// # Errors
///
/// If one cannot be made.
pub fn create_dirs_synced(disk: &dyn Disk, dir: &Path) -> Result<(), DiskError> {
    if dir.as_os_str().is_empty() || disk.metadata(dir)?.is_some() {
        return Ok(());
    }
    let parent = parent_of(dir);
    create_dirs_synced(disk, parent)?;
    match disk.create_dir(dir) {
        Err(error) if !error.is_target_occupied() => return Err(error),
        Ok(()) | Err(_) => {}
    }
    disk.sync_dir(parent)
}

/// The directory a path stands in; `.` for a bare name.
pub fn parent_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        Some(_) | None => Path::new("."),
    }
}
