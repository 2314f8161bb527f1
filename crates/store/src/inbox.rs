//! The inbox of a debate folder: user requests for the process that writes the debate.
//!
//! A request is a file in `.agon/inbox/`, named by its ULID, that appears in one step. The writer
//! of the folder records and removes it; leftover requests wait for the next writer. A request to
//! stop is only for the current writer, so a new writer discards it.

use std::path::{Path, PathBuf};

use agon_record::user::Item;
use serde::{Deserialize, Serialize};
use ulid::Ulid;

use crate::aside::save_in_aside_dir;
use crate::disk::{Disk, DiskError, Durable, FileKind, read_if_exists, replace_file, write_synced};
use crate::layout::Layout;

// The only version so far. A file of a newer version is left for a program that knows it.
/// The version of a request file.
const VERSION: u32 = 1;
// The largest request is a command with 64 KiB of output, which JSON escapes make at most six times
// as long.
/// Maximum size of a file, in bytes.
const MAX_BYTES: u64 = 1 << 20;

/// A request in a file.
#[derive(Debug, Serialize, Deserialize)]
struct WishFile {
    v: u32,
    #[serde(flatten)]
    item: Item,
}

/// Puts a request where the writer of the debate in `folder` finds it, synced to disk.
///
/// # Errors
///
/// If it cannot be written.
pub fn submit_request(disk: &dyn Disk, folder: &Path, item: &Item) -> Result<(), DiskError> {
    let layout = Layout::new(folder);
    let inbox = layout.inbox();
    if disk.metadata(&inbox)?.is_none() {
        layout.ensure_dir(disk, &inbox)?;
        // Keep requests out of version control.
        write_synced(disk, &inbox.join(".gitignore"), b"*\n")?;
    }
    let to = request_path(&layout, item.id);
    let temp = inbox.join(format!(".{}.tmp", item.id));
    let file = WishFile {
        v: VERSION,
        item: item.clone(),
    };
    let bytes =
        serde_json::to_vec(&file).map_err(|cause| DiskError::new("write", &to, cause.into()))?;
    replace_file(disk, &temp, &to, &bytes, Durable::Yes)
}

/// Returns whether the request `id` is still waiting.
///
/// # Errors
///
/// If the folder cannot be read.
pub fn is_request_pending(disk: &dyn Disk, folder: &Path, id: Ulid) -> Result<bool, DiskError> {
    let path = request_path(&Layout::new(folder), id);
    Ok(disk.metadata(&path)?.is_some())
}

/// Withdraws the request `id` if it is still waiting.
///
/// # Errors
///
/// If it cannot be removed.
pub fn withdraw_request(disk: &dyn Disk, folder: &Path, id: Ulid) -> Result<(), DiskError> {
    remove_if_exists(disk, &request_path(&Layout::new(folder), id))
}

fn request_path(layout: &Layout, id: Ulid) -> PathBuf {
    layout.inbox().join(format!("{id}.json"))
}

fn remove_if_exists(disk: &dyn Disk, path: &Path) -> Result<(), DiskError> {
    match disk.remove_file(path) {
        Err(error) if !error.is_not_found() => Err(error),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Returns the waiting requests, the oldest first.
///
/// Sets aside files that are not requests. Leaves files of a newer version for a program that can
/// read them.
///
/// # Errors
///
/// If the inbox cannot be read, or a file cannot be set aside.
pub fn pending_requests(disk: &dyn Disk, layout: &Layout) -> Result<Vec<Item>, DiskError> {
    let inbox = layout.inbox();
    let names = match disk.list_names(&inbox) {
        Ok(names) => names,
        Err(error) if error.is_not_found() => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let mut items = Vec::new();
    for name in names {
        let Some(id) = name.to_str().and_then(|name| name.strip_suffix(".json")) else {
            continue;
        };
        let path = inbox.join(&name);
        let meta = disk.metadata(&path)?;
        if !meta.is_some_and(|meta| meta.kind == FileKind::File && meta.len <= MAX_BYTES) {
            continue;
        }
        let Some(bytes) = read_if_exists(disk, &path)? else {
            continue;
        };
        match (
            serde_json::from_slice::<WishFile>(&bytes),
            declared_version(&bytes),
        ) {
            (Ok(file), Some(VERSION)) if file.item.id.to_string() == id => items.push(file.item),
            (_, Some(version)) if version > VERSION => {}
            (Ok(_) | Err(_), _) => {
                save_in_aside_dir(disk, layout, &format!("inbox/{id}"), &bytes)?;
                remove_if_exists(disk, &path)?;
            }
        }
    }
    // Oldest first, because ULIDs sort by creation time.
    items.sort_by_key(|item| item.id);
    Ok(items)
}

/// Removes the request `id` from the inbox if it exists.
///
/// # Errors
///
/// If it cannot be removed.
pub fn remove_request(disk: &dyn Disk, layout: &Layout, id: Ulid) -> Result<(), DiskError> {
    remove_if_exists(disk, &request_path(layout, id))
}

/// Returns the version in a file, ignoring everything else.
fn declared_version(bytes: &[u8]) -> Option<u32> {
    let value: serde_json::Value = serde_json::from_slice(bytes).ok()?;
    u32::try_from(value.get("v")?.as_u64()?).ok()
}
