//! Bytes that are not ours to throw away.

use std::path::PathBuf;

use crate::disk::{Disk, DiskError, Durable, replace};
use crate::layout::Layout;

/// Keeps `bytes` in `.agon/aside/`, named for the file they were in and for what they are.
///
/// # Errors
///
/// If they cannot be written.
pub fn set_aside(
    disk: &dyn Disk,
    layout: &Layout,
    name: &str,
    bytes: &[u8],
) -> Result<PathBuf, DiskError> {
    let hash = blake3::hash(bytes).to_hex();
    let name = format!("{}.{}", name.replace('/', "_"), &hash[..16]);
    let to = layout.aside().join(name);
    layout.ensure(disk, &layout.aside())?;
    replace(disk, &layout.temp(), &to, bytes, Durable::Yes)?;
    Ok(to)
}
