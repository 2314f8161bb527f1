//! Saves bytes that Agon did not write, instead of deleting them.

use std::path::PathBuf;

use crate::disk::{Disk, DiskError, Durable, replace_file};
use crate::layout::Layout;

/// Saves `bytes` in `.agon/aside/`, named after their file and their hash.
///
/// # Errors
///
/// If they cannot be written.
pub fn save_in_aside_dir(
    disk: &dyn Disk,
    layout: &Layout,
    name: &str,
    bytes: &[u8],
) -> Result<PathBuf, DiskError> {
    let hash = blake3::hash(bytes).to_hex();
    let name = format!("{}.{}", name.replace('/', "_"), &hash[..16]);
    let to = layout.aside_dir().join(name);
    layout.ensure_dir(disk, &layout.aside_dir())?;
    replace_file(disk, &layout.temp_file(), &to, bytes, Durable::Yes)?;
    Ok(to)
}
