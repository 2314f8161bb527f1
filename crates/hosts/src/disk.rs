//! Atomic reads and writes of a host's files.

use std::fs::{self, OpenOptions, Permissions};
use std::io::{self, Write as _};
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

use crate::failpoints;

/// Why a file was not changed.
#[derive(Debug, thiserror::Error)]
pub enum DiskError {
    /// It is read-only.
    #[error("it is read-only")]
    ReadOnly,
    /// It is a link to a missing file.
    #[error("it is a link to {}, which does not exist", .0.display())]
    Dangling(PathBuf),
    /// It is not a regular file.
    #[error("it is not a file")]
    NoFile,
    /// It is not UTF-8.
    #[error("it is not valid UTF-8")]
    NotText,
    /// Another program changed it between the read and the write.
    #[error("another program keeps writing to it")]
    Changed,
    /// The system returned an error.
    #[error("{0}")]
    System(#[from] io::Error),
}

// Large, because Claude Code keeps the history of every project in one file.
/// Maximum size of a host's file, in bytes.
const MAX_BYTES: u64 = 256 << 20;

/// Reads the file at `path`; returns `None` if it does not exist.
///
/// # Errors
///
/// If it cannot be read, or is a link to a missing file.
pub(crate) fn read(path: &Path) -> Result<Option<Vec<u8>>, DiskError> {
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        // One of the parent folders is a file.
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
            return Err(DiskError::NoFile);
        }
        Err(error) => return Err(error.into()),
        Ok(_) => {}
    }
    match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            Err(DiskError::Dangling(fs::read_link(path)?))
        }
        Err(error) => Err(error.into()),
        Ok(meta) if meta.is_file() => Ok(Some(agon_files::read(path, MAX_BYTES)?)),
        Ok(_) => Err(DiskError::NoFile),
    }
}

/// Reads the text file at `path`; returns `None` if it does not exist.
///
/// # Errors
///
/// As [`read`], or if it is not UTF-8.
pub(crate) fn read_text(path: &Path) -> Result<Option<String>, DiskError> {
    let bytes = read(path)?;
    bytes
        .map(|bytes| String::from_utf8(bytes).map_err(|_| DiskError::NotText))
        .transpose()
}

// Claude Code writes its file at each prompt and every few seconds. One write takes a few
// milliseconds, so 20 attempts in 2 s are enough.
/// Number of attempts while another program is writing a file.
pub(crate) const ATTEMPTS: u32 = 20;

/// Time between two attempts.
pub(crate) const PAUSE: Duration = Duration::from_millis(100);

/// Age from which a file counts as completely written.
const SETTLED_AGE: Duration = Duration::from_secs(2);

/// Reads the configuration at `path`; returns `None` if it does not exist. If the file is recent and
/// not whole by `is_whole`, another program is writing it, and it is read again for a while.
///
/// # Errors
///
/// As [`read_text`].
pub(crate) fn read_when_complete(
    path: &Path,
    is_whole: impl Fn(&str) -> bool,
) -> Result<Option<String>, DiskError> {
    let mut found = read(path)?;
    for _ in 0..ATTEMPTS {
        let Some(bytes) = &found else {
            return Ok(None);
        };
        let text = std::str::from_utf8(bytes).unwrap_or_default();
        if !text.is_empty() && is_whole(text) || !is_fresh(path) {
            break;
        }
        sleep(PAUSE);
        let now = read(path)?;
        if now == found {
            break;
        }
        found = now;
    }
    found
        .map(|bytes| String::from_utf8(bytes).map_err(|_| DiskError::NotText))
        .transpose()
}

fn is_fresh(path: &Path) -> bool {
    let modified = fs::metadata(path).and_then(|meta| meta.modified());
    modified.is_ok_and(|it| it.elapsed().is_ok_and(|age| age < SETTLED_AGE))
}

/// Fails if the file at `path` is read-only; a missing file is fine.
pub(crate) fn check_writable(path: &Path) -> Result<(), DiskError> {
    match fs::metadata(path) {
        Ok(meta) if meta.permissions().readonly() => Err(DiskError::ReadOnly),
        Ok(_) | Err(_) => Ok(()),
    }
}

/// Replaces the content of the file at `path` atomically with `after` if it still is `before`.
///
/// A link stays and its target is written. The mode is kept; a new file gets `mode`.
///
/// # Errors
///
/// If the content is not `before` or the file cannot be written; the file is then unchanged.
pub(crate) fn replace(
    path: &Path,
    before: Option<&[u8]>,
    after: &[u8],
    mode: u32,
) -> Result<(), DiskError> {
    check_writable(path)?;
    let target = match before {
        Some(_) => fs::canonicalize(path)?,
        None => path.to_owned(),
    };
    let mode = match fs::metadata(&target) {
        Ok(meta) => meta.permissions().mode() & 0o7777,
        Err(_) => mode,
    };
    let new = temporary_path(&target);
    failpoints::reach(failpoints::BEFORE);
    let written = write_new(&new, after, mode).and_then(|()| {
        failpoints::reach(failpoints::WRITTEN);
        if read(path)?.as_deref() != before {
            return Err(DiskError::Changed);
        }
        fs::rename(&new, &target)?;
        sync_folder(&target)?;
        // Reads the file again, because another program may have overwritten it with an older copy.
        match read(path)?.as_deref() == Some(after) {
            true => Ok(()),
            false => Err(DiskError::Changed),
        }
    });
    if written.is_err() {
        // Safe to remove, because only Agon creates a file of this name.
        fs::remove_file(&new).ok();
    }
    failpoints::reach(failpoints::AFTER);
    written
}

/// Removes the file at `path` if its content still is `before`.
pub(crate) fn remove_unchanged(path: &Path, before: &[u8]) -> Result<(), DiskError> {
    check_writable(path)?;
    match read(path)?.as_deref() == Some(before) {
        true => remove(path),
        false => Err(DiskError::Changed),
    }
}

/// Removes the file at `path`.
pub(crate) fn remove(path: &Path) -> Result<(), DiskError> {
    failpoints::reach(failpoints::BEFORE);
    fs::remove_file(path)?;
    sync_folder(path)?;
    failpoints::reach(failpoints::AFTER);
    Ok(())
}

/// Creates the parent folders of `path`.
pub(crate) fn create_folders(path: &Path) -> Result<(), DiskError> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    Ok(())
}

/// Returns the missing parent folders of `path`, outermost first.
pub(crate) fn missing_folders(path: &Path) -> Vec<PathBuf> {
    let above = path.ancestors().skip(1);
    let missing = above.take_while(|folder| fs::symlink_metadata(folder).is_err());
    let mut missing: Vec<_> = missing.map(Path::to_owned).collect();
    missing.reverse();
    missing
}

/// Removes the temporary file that a killed process left for `path`.
pub(crate) fn remove_temporary_file(path: &Path) {
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    // Usually fails because there is no such file, so the error is ignored.
    fs::remove_file(temporary_path(&target)).ok();
}

/// Returns the path of the temporary file. Unlike in `agon_files::replace` the name is fixed, so that
/// the next attempt removes the file of a killed process. `replace` detects concurrent writes.
fn temporary_path(target: &Path) -> PathBuf {
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    target.with_file_name(format!(".{name}.agon-new"))
}

fn write_new(path: &Path, bytes: &[u8], mode: u32) -> Result<(), DiskError> {
    if fs::symlink_metadata(path).is_ok() {
        fs::remove_file(path)?;
    }
    let mut file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(mode)
        .open(path)?;
    file.write_all(bytes)?;
    // Set again, because the umask of the process reduces the mode passed to `open`.
    file.set_permissions(Permissions::from_mode(mode))?;
    file.sync_all()?;
    Ok(())
}

fn sync_folder(path: &Path) -> Result<(), DiskError> {
    if let Some(folder) = path.parent() {
        fs::File::open(folder)?.sync_all()?;
    }
    Ok(())
}

/// Returns the real location of `path` if links lead it outside the folder `within`.
///
/// For a missing file, the nearest existing parent folder decides.
pub(crate) fn link_target_outside(path: &Path, within: &Path) -> Option<PathBuf> {
    let root = fs::canonicalize(within).ok()?;
    let there = path
        .ancestors()
        .find(|it| fs::symlink_metadata(it).is_ok())?;
    let real = match fs::canonicalize(there) {
        Ok(real) => real,
        // A dangling link leads to the file that writing would create.
        Err(_) => fs::read_link(there)
            .map_or_else(|_| there.to_owned(), |to| there.with_file_name("").join(to)),
    };
    (!real.starts_with(&root)).then_some(real)
}

/// Removes the folder of a removed skill if it is empty.
pub(crate) fn remove_empty_parent(path: &Path) {
    if path.file_name().is_some_and(|name| name == "SKILL.md")
        && let Some(folder) = path.parent()
    {
        // `remove_dir` fails if the folder is not empty, so other files are safe.
        fs::remove_dir(folder).ok();
    }
}

/// Writes `rest` to the configuration at `path`, or removes the file if `rest` is `None`.
pub(crate) fn replace_or_remove(
    path: &Path,
    text: &str,
    rest: Option<&String>,
) -> Result<(), DiskError> {
    match rest {
        None => remove_unchanged(path, text.as_bytes()),
        Some(rest) => replace(path, Some(text.as_bytes()), rest.as_bytes(), 0o600),
    }
}
