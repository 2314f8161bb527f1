//! The file operations that a debate folder needs.

#[cfg(any(test, feature = "testing"))]
pub(crate) mod fault;
pub(crate) mod lock;
pub(crate) mod real;
pub(crate) mod wait;

use std::ffi::OsString;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use lock::{LockError, LockGuard, LockState};

/// A disk that stores debates.
///
/// Every file operation on a debate goes through this trait, so that a test can make each of them
/// fail, write partly or be forgotten. Written data survives a crash of the machine only after
/// [`DiskFile::sync`], and a new name only after [`Disk::sync_dir`] of its directory.
pub trait Disk: fmt::Debug + Send + Sync {
    /// Reads a file.
    fn read(&self, path: &Path) -> Result<Vec<u8>, DiskError> {
        self.read_from(path, 0)
    }

    /// Reads a file from `offset` to its end; empty if it is shorter.
    fn read_from(&self, path: &Path, offset: u64) -> Result<Vec<u8>, DiskError>;

    /// Returns what is at `path`, without following links.
    fn metadata(&self, path: &Path) -> Result<Option<Meta>, DiskError>;

    /// Returns the names in a directory, sorted.
    fn list_names(&self, dir: &Path) -> Result<Vec<OsString>, DiskError>;

    /// Opens an existing file for appending.
    fn open_append(&self, path: &Path) -> Result<Box<dyn DiskFile>, DiskError>;

    /// Opens a file for overwriting; its contents are lost.
    fn create_file(&self, path: &Path) -> Result<Box<dyn DiskFile>, DiskError>;

    /// Renames a file in one step, replacing a file of that name.
    fn rename(&self, from: &Path, to: &Path) -> Result<(), DiskError>;

    /// Renames a directory in one step, unless the name is taken.
    fn rename_no_replace(&self, from: &Path, to: &Path) -> Result<(), DiskError>;

    /// Removes a directory and its contents.
    fn remove_tree(&self, path: &Path) -> Result<(), DiskError>;

    /// Removes a file.
    fn remove_file(&self, path: &Path) -> Result<(), DiskError>;

    /// Creates a directory.
    fn create_dir(&self, path: &Path) -> Result<(), DiskError>;

    /// Syncs the names in a directory to disk.
    fn sync_dir(&self, path: &Path) -> Result<(), DiskError>;

    /// Returns whether a process holds the lock at `path`. Changes nothing.
    fn probe_lock(&self, path: &Path) -> Result<LockState, DiskError>;

    /// Takes the lock at `path`, creating the file if needed, and writes `note` into it.
    ///
    /// The lock ends when the returned value is dropped or the process ends.
    fn lock(&self, path: &Path, note: &[u8]) -> Result<Box<dyn LockGuard>, LockError>;
}

/// A file open for writing.
pub trait DiskFile: fmt::Debug + Send {
    /// Writes at the end.
    fn write(&mut self, bytes: &[u8]) -> Result<(), DiskError>;

    /// Syncs the written data to disk.
    fn sync(&mut self) -> Result<(), DiskError>;

    /// Cuts the file to `len` bytes.
    fn truncate(&mut self, len: u64) -> Result<(), DiskError>;

    /// Returns the file's current state (device, inode, times); `None` if the disk cannot tell.
    fn current_mark(&self) -> Result<Option<FileMark>, DiskError>;
}

/// The metadata of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Meta {
    /// File, directory or something else.
    pub kind: FileKind,
    /// The length in bytes, for a file.
    pub len: u64,
    /// When it was last changed, in milliseconds since 1970; `None` if unknown.
    pub changed_ms: Option<u64>,
    /// Identifies the file and its state; `None` if unknown.
    pub mark: Option<FileMark>,
}

/// Distinguishes a file in its current state from other files and from its own earlier states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileMark {
    /// The device and the inode number.
    file: (u64, u64),
    /// When its bytes were last changed, in seconds and nanoseconds.
    modified: (i64, i64),
    /// When anything about it was last changed; programs cannot set this time.
    changed: (i64, i64),
}

impl FileMark {
    /// Returns whether it is the same file, changed or not.
    ///
    /// Compare only marks taken at about the same time: some network and user-space file systems
    /// change inode numbers.
    pub fn is_same_file(&self, other: &Self) -> bool {
        self.file == other.file
    }

    /// Returns whether nothing changed between the two marks of the same file.
    pub fn has_same_times(&self, other: &Self) -> bool {
        (self.modified, self.changed) == (other.modified, other.changed)
    }

    /// Returns the mark of another file in the same state.
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

/// The kind of file at a path.
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
    /// The operation, such as `read`.
    pub doing: &'static str,
    /// The path.
    pub path: PathBuf,
    /// The operating system's reason.
    #[source]
    pub cause: io::Error,
}

impl DiskError {
    /// Returns the error of an operation named `doing` in messages.
    pub fn new(doing: &'static str, path: &Path, cause: io::Error) -> Self {
        let path = path.to_owned();
        Self { doing, path, cause }
    }

    /// Returns whether the path does not exist.
    pub fn is_not_found(&self) -> bool {
        self.cause.kind() == io::ErrorKind::NotFound
    }

    /// Returns whether something is there that Agon never creates: a link, a pipe, a device, or a
    /// file over the size limit.
    pub fn is_unexpected_file(&self) -> bool {
        matches!(
            self.cause.kind(),
            io::ErrorKind::InvalidInput | io::ErrorKind::FileTooLarge
        )
    }

    /// Returns whether the target already exists.
    pub fn is_target_taken(&self) -> bool {
        matches!(
            self.cause.kind(),
            io::ErrorKind::AlreadyExists | io::ErrorKind::DirectoryNotEmpty
        )
    }
}

/// Whether a replaced file must survive a crash of the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Durable {
    /// The file and its name are synced.
    Yes,
    /// It may be lost, or revert to its earlier state.
    No,
}

/// Writes `bytes` to `to` in one step, through the file `temp` on the same file system.
///
/// # Errors
///
/// If a file operation fails; `to` is then unchanged, or replaced but not synced.
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

/// Writes a new file and syncs it; the caller must sync the directory.
///
/// # Errors
///
/// If it cannot be written.
pub fn write_synced(disk: &dyn Disk, path: &Path, bytes: &[u8]) -> Result<(), DiskError> {
    let mut file = disk.create_file(path)?;
    file.write(bytes)?;
    file.sync()
}

/// Reads a file; `None` if it does not exist.
///
/// # Errors
///
/// If it exists but cannot be read.
pub fn read_if_exists(disk: &dyn Disk, path: &Path) -> Result<Option<Vec<u8>>, DiskError> {
    match disk.read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.is_not_found() => Ok(None),
        Err(error) => Err(error),
    }
}

/// Creates a directory and missing parents, each synced into its parent.
///
/// # Errors
///
/// If one cannot be created.
pub fn create_dirs_synced(disk: &dyn Disk, dir: &Path) -> Result<(), DiskError> {
    if dir.as_os_str().is_empty() || disk.metadata(dir)?.is_some() {
        return Ok(());
    }
    let parent = parent_of(dir);
    create_dirs_synced(disk, parent)?;
    match disk.create_dir(dir) {
        Err(error) if !error.is_target_taken() => return Err(error),
        Ok(()) | Err(_) => {}
    }
    disk.sync_dir(parent)
}

/// Returns the parent directory of a path; `.` for a bare name.
pub fn parent_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        Some(_) | None => Path::new("."),
    }
}
