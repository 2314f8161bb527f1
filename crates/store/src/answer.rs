//! What a person writes in answer to a turn, kept while they write it.
//!
//! It is no part of the record: it becomes one when it is handed in. It is written without the
//! lock, since nobody else needs the folder to stand still while a person thinks.

use std::io;
use std::path::{Path, PathBuf};

use agon_debate::human::{MOST_BYTES, file};
use agon_debate::id::AskKey;

use crate::disk::{
    Disk, DiskError, Durable, Kind, parent_of, read_if_there, replace, write_synced,
};
use crate::layout::Layout;

/// Where the answer to `key` is kept.
pub fn answer_path(folder: &Path, key: AskKey) -> PathBuf {
    folder.join(file(key))
}

/// What was written so far in answer to `key`; none before there is anything.
///
/// # Errors
///
/// If it cannot be read, is no file, or is larger than is read of any answer.
pub fn kept_answer(
    disk: &dyn Disk,
    folder: &Path,
    key: AskKey,
) -> Result<Option<Vec<u8>>, DiskError> {
    let path = answer_path(folder, key);
    refuse_link(disk, parent_of(&path), Kind::Dir)?;
    refuse_link(disk, &path, Kind::File)?;
    match disk.metadata(&path)? {
        Some(meta) if meta.len > MOST_BYTES as u64 => {
            let cause = format!("it has {} bytes, at most {MOST_BYTES} are read", meta.len);
            Err(DiskError::new("read", &path, io::Error::other(cause)))
        }
        Some(_) => read_if_there(disk, &path),
        None => Ok(None),
    }
}

/// Keeps `text` as what was written so far in answer to `key`, durably.
///
/// # Errors
///
/// If it cannot be written, or something else stands in its place.
pub fn keep_answer(
    disk: &dyn Disk,
    folder: &Path,
    key: AskKey,
    text: &str,
) -> Result<PathBuf, DiskError> {
    let layout = Layout::new(folder);
    let path = answer_path(folder, key);
    let dir = layout.answers();
    refuse_link(disk, &dir, Kind::Dir)?;
    if disk.metadata(&dir)?.is_none() {
        layout.ensure(disk, &dir)?;
        // What is not handed in is nothing to commit.
        write_synced(disk, &dir.join(".gitignore"), b"*\n")?;
    }
    refuse_link(disk, &path, Kind::File)?;
    let temp = dir.join(format!(".{key}.{}.tmp", std::process::id()));
    refuse_link(disk, &temp, Kind::File)?;
    replace(disk, &temp, &path, text.as_bytes(), Durable::Yes)?;
    Ok(path)
}

/// Takes away what was written in answer to `key`, once it is in the record.
///
/// # Errors
///
/// If it cannot be removed.
pub fn drop_answer(disk: &dyn Disk, folder: &Path, key: AskKey) -> Result<(), DiskError> {
    match disk.remove_file(&answer_path(folder, key)) {
        Err(error) if !error.not_found() => Err(error),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// A link could lead out of the folder.
fn refuse_link(disk: &dyn Disk, path: &Path, kind: Kind) -> Result<(), DiskError> {
    match disk.metadata(path)? {
        Some(meta) if meta.kind != kind => {
            let cause = io::Error::other("something else stands in its place");
            Err(DiskError::new("use", path, cause))
        }
        Some(_) | None => Ok(()),
    }
}
