//! Tells whether a folder has changed, from the times of its files.

use std::ffi::OsStr;
use std::fs::{self, Metadata};
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use agon_store::{AGON, JOURNAL};

/// Changes with every write of a file.
///
/// Contains the time of the last change of any kind, which no program can set back.
pub(super) type Stamp = [u8; 48];
/// The stamp of a file that does not exist.
pub(super) const NO_FILE: Stamp = [0; 48];

/// The modification time of a file, in seconds and nanoseconds since 1970.
pub(super) type ModifiedAt = (i64, i64);

/// Returns the stamp of a folder with a debate and when it was last written; `None` if it seems to
/// contain none.
///
/// # Errors
///
/// If its files cannot be checked.
pub(super) fn folder_stamp(path: &Path) -> io::Result<Option<(Stamp, ModifiedAt)>> {
    // Every write of Agon appends to the journal.
    match stat(&path.join(AGON).join(JOURNAL))? {
        Some(meta) => Ok(Some((file_stamp(&meta), modified_at(&meta)))),
        None => foreign_folder_stamp(path),
    }
}

/// Returns the stamp of a folder written by another tool, from `debate.md`, `scores.json` and the
/// files in `arguments/`.
fn foreign_folder_stamp(path: &Path) -> io::Result<Option<(Stamp, ModifiedAt)>> {
    let Some(debate) = stat(&path.join("debate.md"))? else {
        return Ok(None);
    };
    let mut stamps = blake3::Hasher::new();
    let mut at = modified_at(&debate);
    let mut add = |name: &OsStr, meta: &Metadata| {
        stamps.update(name.as_bytes());
        stamps.update(&file_stamp(meta));
        at = at.max(modified_at(meta));
    };
    add(OsStr::new("debate.md"), &debate);
    if let Some(scores) = stat(&path.join("scores.json"))? {
        add(OsStr::new("scores.json"), &scores);
    }
    let arguments = fs::read_dir(path.join("arguments")).into_iter().flatten();
    let mut arguments: Vec<_> = arguments.flatten().collect();
    arguments.sort_by_key(fs::DirEntry::file_name);
    for argument in arguments {
        if let Ok(meta) = argument.metadata() {
            add(&argument.file_name(), &meta);
        }
    }
    // A folder with a record of Agon is not another tool's, even if its journal is missing.
    if let Some(agon) = stat(&path.join(AGON))? {
        add(OsStr::new(AGON), &agon);
    }
    let mut stamp = [0; size_of::<Stamp>()];
    stamps.finalize_xof().fill(&mut stamp);
    Ok(Some((stamp, at)))
}

/// Returns what is at `path`, without following links; `None` if there is nothing.
///
/// # Errors
///
/// If it cannot be checked.
pub(super) fn stat(path: &Path) -> io::Result<Option<Metadata>> {
    match fs::symlink_metadata(path) {
        Ok(meta) => Ok(Some(meta)),
        Err(cause) => match cause.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Ok(None),
            _ => Err(cause),
        },
    }
}

pub(super) fn file_stamp(meta: &Metadata) -> Stamp {
    let parts = [
        meta.len().cast_signed(),
        meta.ino().cast_signed(),
        meta.mtime(),
        meta.mtime_nsec(),
        meta.ctime(),
        meta.ctime_nsec(),
    ];
    let mut stamp = [0; size_of::<Stamp>()];
    for (place, part) in stamp.chunks_exact_mut(8).zip(parts) {
        place.copy_from_slice(&part.to_le_bytes());
    }
    stamp
}

fn modified_at(meta: &Metadata) -> ModifiedAt {
    (meta.mtime(), meta.mtime_nsec())
}
