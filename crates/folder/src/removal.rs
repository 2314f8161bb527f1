//! Deletes a debate permanently.

use std::path::{Path, PathBuf};

use agon_store::{Disk, DiskError, FileKind, Layout};
use ulid::Ulid;

/// The prefix of a folder's name while it is being removed.
const PREFIX: &str = ".removed-";

/// Removes the folder of a debate; `id` identifies the temporary name.
///
/// Hides the folder in one step and deletes its record last. If something cannot be deleted, the
/// rest gets its name back.
///
/// # Errors
///
/// If something cannot be deleted.
pub fn remove_debate(disk: &dyn Disk, path: &Path, id: Ulid) -> Result<(), DiskError> {
    let hidden = path.with_file_name(format!("{PREFIX}{id}"));
    disk.rename_no_replace(path, &hidden)?;
    let removed = remove_record_last(disk, &hidden);
    if removed.is_err() {
        // Undo the rename. If that fails too, `list_debates` reports the interrupted removal.
        disk.rename_no_replace(&hidden, path).ok();
    }
    removed
}

fn remove_record_last(disk: &dyn Disk, folder: &Path) -> Result<(), DiskError> {
    let layout = Layout::new(folder);
    remove_all_but(disk, folder, &layout.agon_dir())?;
    remove_all_but(disk, &layout.agon_dir(), &layout.journal())?;
    disk.remove_tree(folder)
}

/// Removes the contents of a folder, except one entry.
fn remove_all_but(disk: &dyn Disk, folder: &Path, kept: &Path) -> Result<(), DiskError> {
    // Skip anything that is not a folder, such as a link; it is removed with its parent.
    let kind = disk.metadata(folder)?.map(|meta| meta.kind);
    if kind != Some(FileKind::Dir) {
        return Ok(());
    }
    for name in disk.list_names(folder)? {
        let path = folder.join(name);
        match disk.metadata(&path)? {
            Some(_) if path == kept => {}
            Some(meta) if meta.kind == FileKind::Dir => disk.remove_tree(&path)?,
            Some(_) => disk.remove_file(&path)?,
            None => {}
        }
    }
    Ok(())
}

/// Returns the folders in `debates_dir` whose removal was interrupted and that still have a record.
///
/// # Errors
///
/// If a folder cannot be read.
pub fn interrupted_removals(
    disk: &dyn Disk,
    debates_dir: &Path,
    names: impl IntoIterator<Item = String>,
) -> Result<Vec<PathBuf>, DiskError> {
    let mut left = Vec::new();
    let is_left = |name: &str| {
        let id = name.strip_prefix(PREFIX);
        id.is_some_and(|id| Ulid::from_string(id).is_ok())
    };
    for name in names.into_iter().filter(|name| is_left(name)) {
        let path = debates_dir.join(name);
        if Layout::new(&path).has_journal(disk)? {
            left.push(path);
        }
    }
    Ok(left)
}
