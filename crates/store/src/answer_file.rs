//! A person's answer to a turn, saved while they write it.
//!
//! It becomes part of the record only when it is submitted. It is written without the lock, since
//! no other process must wait while a person thinks.

use std::io;
use std::path::{Path, PathBuf};

use agon_record::answer_file::{MAX_BYTES, answer_file_path};
use agon_record::id::AskKey;

use crate::disk::{
    Disk, DiskError, Durable, FileKind, parent_of, read_if_exists, replace_file, write_synced,
};
use crate::layout::Layout;

/// Returns the path of the answer to `key`.
pub fn answer_path(folder: &Path, key: AskKey) -> PathBuf {
    folder.join(answer_file_path(key))
}

/// Reads the answer to `key` as written so far; `None` if there is none.
///
/// # Errors
///
/// If it cannot be read, is not a regular file, or is too large.
pub fn read_answer(
    disk: &dyn Disk,
    folder: &Path,
    key: AskKey,
) -> Result<Option<Vec<u8>>, DiskError> {
    let path = answer_path(folder, key);
    require_kind_if_exists(disk, parent_of(&path), FileKind::Dir)?;
    require_kind_if_exists(disk, &path, FileKind::File)?;
    match disk.metadata(&path)? {
        Some(meta) if meta.len > MAX_BYTES as u64 => {
            let cause = format!(
                "it is too large: {} bytes, the limit is {MAX_BYTES}",
                meta.len
            );
            Err(DiskError::new("read", &path, io::Error::other(cause)))
        }
        Some(_) => read_if_exists(disk, &path),
        None => Ok(None),
    }
}

/// Saves `text` as the answer to `key`, synced to disk.
///
/// # Errors
///
/// If it cannot be written, or its path is occupied by something that is not a file.
pub fn write_answer(
    disk: &dyn Disk,
    folder: &Path,
    key: AskKey,
    text: &[u8],
) -> Result<PathBuf, DiskError> {
    let path = answer_path(folder, key);
    write_answer_file(disk, folder, &path, text)?;
    Ok(path)
}

/// Saves `text` beside the answer to `key` under an unused name, synced to disk.
///
/// # Errors
///
/// If it cannot be written.
pub fn write_answer_copy(
    disk: &dyn Disk,
    folder: &Path,
    key: AskKey,
    text: &[u8],
) -> Result<PathBuf, DiskError> {
    let path = free_copy_path(disk, folder, key)?;
    write_answer_file(disk, folder, &path, text)?;
    Ok(path)
}

/// Removes the draft of the answer to `key` if its bytes equal `known`, which are already recorded.
/// Returns whether it was removed; a draft that has changed stays.
///
/// # Errors
///
/// If it cannot be removed.
pub fn remove_answer_if_equal(
    disk: &dyn Disk,
    folder: &Path,
    key: AskKey,
    known: &[u8],
) -> Result<bool, DiskError> {
    if read_answer(disk, folder, key)?.as_deref() != Some(known) {
        return Ok(false);
    }
    match disk.remove_file(&answer_path(folder, key)) {
        Err(error) if !error.is_not_found() => Err(error),
        Ok(()) | Err(_) => Ok(true),
    }
}

fn free_copy_path(disk: &dyn Disk, folder: &Path, key: AskKey) -> Result<PathBuf, DiskError> {
    let mut number: u32 = 2;
    loop {
        let path = answer_path(folder, key).with_extension(format!("{number}.md"));
        if disk.metadata(&path)?.is_none() {
            return Ok(path);
        }
        number = number.saturating_add(1);
    }
}

fn write_answer_file(
    disk: &dyn Disk,
    folder: &Path,
    path: &Path,
    text: &[u8],
) -> Result<(), DiskError> {
    let layout = Layout::new(folder);
    let dir = layout.answers_dir();
    require_kind_if_exists(disk, &dir, FileKind::Dir)?;
    if disk.metadata(&dir)?.is_none() {
        layout.ensure_dir(disk, &dir)?;
    }
    // Keep drafts out of version control. Check each time, because a killed process may have left
    // the folder without this file.
    let ignore = dir.join(".gitignore");
    if disk.metadata(&ignore)?.is_none() {
        write_synced(disk, &ignore, b"*\n")?;
    }
    require_kind_if_exists(disk, path, FileKind::File)?;
    let temp = agon_files::temporary_sibling(path);
    replace_file(disk, &temp, path, text, Durable::Yes).inspect_err(|_| {
        // Nothing reads a leftover hidden file.
        disk.remove_file(&temp).ok();
    })
}

/// Fails if `path` exists and is of another kind, because a link could lead out of the folder.
fn require_kind_if_exists(disk: &dyn Disk, path: &Path, kind: FileKind) -> Result<(), DiskError> {
    match disk.metadata(path)? {
        Some(meta) if meta.kind != kind => {
            let cause = io::Error::other("another kind of file is in its place");
            Err(DiskError::new("use", path, cause))
        }
        Some(_) | None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RealDisk;

    #[test]
    fn what_somebody_wrote_since_stays_and_nothing_here_is_to_be_committed() {
        let dir = tempfile::tempdir().unwrap();
        let (disk, folder) = (&RealDisk, dir.path());
        let key: AskKey = "r1.cha#0".parse().unwrap();
        let path = write_answer(disk, folder, key, b"first").unwrap();
        let ignore = path.with_file_name(".gitignore");
        std::fs::remove_file(&ignore).unwrap();
        write_answer(disk, folder, key, b"second").unwrap();
        assert_eq!(std::fs::read(&ignore).unwrap(), b"*\n");
        assert!(!remove_answer_if_equal(disk, folder, key, b"first").unwrap());
        let beside = write_answer_copy(disk, folder, key, b"other").unwrap();
        let third = write_answer_copy(disk, folder, key, b"third").unwrap();
        assert_eq!(std::fs::read(&beside).unwrap(), b"other");
        assert!(third != beside && third != path);
        assert_eq!(read_answer(disk, folder, key).unwrap().unwrap(), b"second");
        assert!(remove_answer_if_equal(disk, folder, key, b"second").unwrap());
        assert!(!path.exists() && beside.exists());
    }
}
