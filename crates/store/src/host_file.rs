//! Files outside a debate folder, for the program that hosts us.

use std::path::Path;

use crate::disk::{Disk, DiskError, Durable, make_dirs, parent_of, replace};

/// Puts a file at `path` in one step, creating the directories above it.
///
/// # Errors
///
/// If a directory or the file cannot be written; a file that was there is then
/// as it was.
pub fn write_host_file(disk: &dyn Disk, path: &Path, bytes: &[u8]) -> Result<(), DiskError> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let temp = path.with_file_name(format!(".{name}.{}.tmp", std::process::id()));
    make_dirs(disk, parent_of(path))?;
    replace(disk, &temp, path, bytes, Durable::No)
}
