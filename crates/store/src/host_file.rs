//! Files outside a debate folder, for the program that hosts us.

use std::path::Path;

use crate::disk::{Disk, DiskError, Durable, create_dirs_synced, parent_of, replace_file};

/// Puts a file at `path` in one step, creating the directories above it.
///
/// # Errors
///
/// If a directory or the file cannot be written; a file that was there is then
/// as it was.
pub fn write_file_atomically(disk: &dyn Disk, path: &Path, bytes: &[u8]) -> Result<(), DiskError> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let temp = path.with_file_name(format!(".{name}.{}.tmp", std::process::id()));
    create_dirs_synced(disk, parent_of(path))?;
    replace_file(disk, &temp, path, bytes, Durable::No)
}
