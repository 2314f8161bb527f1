//! Files written whole or not at all.

use std::fs::{self, OpenOptions, Permissions};
use std::io::{self, Write as _};
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

use crate::failpoints;

/// Why a file is left as it is.
#[derive(Debug, thiserror::Error)]
pub enum DiskError {
    /// It is read-only.
    #[error("it is read-only")]
    ReadOnly,
    /// It is a link to something that is not there.
    #[error("it is a link to {}, which is not there", .0.display())]
    Dangling(PathBuf),
    /// It is a folder or something else.
    #[error("it is not a file")]
    NoFile,
    /// It is not text.
    #[error("it is not UTF-8")]
    NotText,
    /// Another program changed it between the read and the write.
    #[error("another program keeps writing to it")]
    Changed,
    /// The system says no.
    #[error("{0}")]
    System(#[from] io::Error),
}

// Claude Code keeps the history of every project in one file.
/// The most bytes of a file of a host that are read.
const MAX_BYTES: u64 = 256 << 20;

/// What is in the file at `path`; none where there is nothing.
///
/// # Errors
///
/// If it cannot be read, or is a link to something that is not there.
pub(crate) fn read(path: &Path) -> Result<Option<Vec<u8>>, DiskError> {
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        // A file stands where a folder is to be.
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

/// What is in the text file at `path`; none where there is nothing.
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

// Claude Code writes its file at each prompt and every few seconds, in some milliseconds.
/// How often a file that another program is writing is tried.
pub(crate) const ATTEMPTS: u32 = 20;

/// The time between two attempts.
pub(crate) const PAUSE: Duration = Duration::from_millis(100);

/// A file that is older than this is not being written.
const SETTLED_AGE: Duration = Duration::from_secs(2);

/// What is in the configuration at `path`; none where there is nothing. While another program is
/// writing it, which is when it is new and not whole by `is_whole`, it is read again for a while.
///
/// # Errors
///
/// As [`read_text`].
pub(crate) fn read_settled(
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

/// Whether the file at `path` may be changed; one that is not there may.
pub(crate) fn check_writable(path: &Path) -> Result<(), DiskError> {
    match fs::metadata(path) {
        Ok(meta) if meta.permissions().readonly() => Err(DiskError::ReadOnly),
        Ok(_) | Err(_) => Ok(()),
    }
}

/// Makes what is in the file at `path` `after`, in one step, where it still is `before`.
///
/// A link stays, and the file that it leads to is written. Mode and links are kept; a new file
/// gets `mode`.
///
/// # Errors
///
/// If it is not; what was there is there still.
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
    let new = beside(&target);
    failpoints::reach(failpoints::BEFORE);
    let written = write_new(&new, after, mode).and_then(|()| {
        failpoints::reach(failpoints::WRITTEN);
        if read(path)?.as_deref() != before {
            return Err(DiskError::Changed);
        }
        fs::rename(&new, &target)?;
        sync_folder(&target)?;
        // Another program may have written what it had read before.
        match read(path)?.as_deref() == Some(after) {
            true => Ok(()),
            false => Err(DiskError::Changed),
        }
    });
    if written.is_err() {
        // What is left of a failed attempt is ours alone.
        fs::remove_file(&new).ok();
    }
    failpoints::reach(failpoints::AFTER);
    written
}

/// Removes the file at `path`, in one step, where it still is `before`.
pub(crate) fn remove_unchanged(path: &Path, before: &[u8]) -> Result<(), DiskError> {
    check_writable(path)?;
    match read(path)?.as_deref() == Some(before) {
        true => remove(path),
        false => Err(DiskError::Changed),
    }
}

/// Removes the file at `path`, in one step.
pub(crate) fn remove(path: &Path) -> Result<(), DiskError> {
    failpoints::reach(failpoints::BEFORE);
    fs::remove_file(path)?;
    sync_folder(path)?;
    failpoints::reach(failpoints::AFTER);
    Ok(())
}

/// Creates the folders on the way to `path`.
pub(crate) fn create_folders(path: &Path) -> Result<(), DiskError> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    Ok(())
}

/// The folders on the way to `path` that are not there, the outermost first.
pub(crate) fn missing_folders(path: &Path) -> Vec<PathBuf> {
    let above = path.ancestors().skip(1);
    let missing = above.take_while(|folder| fs::symlink_metadata(folder).is_err());
    let mut missing: Vec<_> = missing.map(Path::to_owned).collect();
    missing.reverse();
    missing
}

/// Removes what a killed process left of an attempt to write the file at `path`.
pub(crate) fn clear_attempt(path: &Path) {
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    // Where there is nothing, nothing is left.
    fs::remove_file(beside(&target)).ok();
}

/// The temporary file's name. It is fixed, unlike in `agon_files::replace`: the next attempt removes
/// what a killed one left, and `replace` notices when another process wrote the file meanwhile.
fn beside(target: &Path) -> PathBuf {
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
    // The mode that it was opened with is cut by the mask of the process.
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

/// Where `path` leads, if that is outside of the folder `within`; a link on the way may lead out.
///
/// What is not there yet is judged by the nearest folder above it that is.
pub(crate) fn place_outside(path: &Path, within: &Path) -> Option<PathBuf> {
    let root = fs::canonicalize(within).ok()?;
    let there = path
        .ancestors()
        .find(|it| fs::symlink_metadata(it).is_ok())?;
    let real = match fs::canonicalize(there) {
        Ok(real) => real,
        // A link to what is not there: writing there would make it.
        Err(_) => fs::read_link(there)
            .map_or_else(|_| there.to_owned(), |to| there.with_file_name("").join(to)),
    };
    (!real.starts_with(&root)).then_some(real)
}

/// The folder of a skill goes with it, where nothing else is in it.
pub(crate) fn remove_empty_parent(path: &Path) {
    if path.file_name().is_some_and(|name| name == "SKILL.md")
        && let Some(folder) = path.parent()
    {
        // One with something in it stays.
        fs::remove_dir(folder).ok();
    }
}

/// Makes what is in the configuration at `path` `rest`, or removes it where nothing is left.
pub(crate) fn write_rest(path: &Path, text: &str, rest: Option<&String>) -> Result<(), DiskError> {
    match rest {
        None => remove_unchanged(path, text.as_bytes()),
        Some(rest) => replace(path, Some(text.as_bytes()), rest.as_bytes(), 0o600),
    }
}
