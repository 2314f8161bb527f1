//! The drop-box of a folder: what the user wants of a debate that another process is writing.
//!
//! A wish is a file in `.agon/inbox/`, named by its ULID, that appears whole.
//! The writer of the folder records it and takes it away; one that is left over
//! is there for the next writer. A wish to stop is for the writer of the moment,
//! so a new one throws it away.

use std::path::{Path, PathBuf};

use agon_record::user::Item;
use serde::{Deserialize, Serialize};
use ulid::Ulid;

use crate::aside::save_in_aside_dir;
use crate::disk::{Disk, DiskError, Durable, FileKind, read_if_there, replace_file, write_synced};
use crate::layout::Layout;

// The only one so far; a file of a newer one is left for the program that knows it.
/// The version of a wish's file.
const VERSION: u32 = 1;
// The largest wish is a run with 64 KiB of output, which JSON escapes make six times as long at the
// most.
/// Bytes of the largest file that is looked into.
const MAX_BYTES: u64 = 1 << 20;

/// A wish as it stands in its file.
#[derive(Debug, Serialize, Deserialize)]
struct WishFile {
    v: u32,
    #[serde(flatten)]
    item: Item,
}

/// Puts a wish where the writer of the debate in `folder` finds it, durably.
///
/// # Errors
///
/// If it cannot be written.
pub fn submit_request(disk: &dyn Disk, folder: &Path, item: &Item) -> Result<(), DiskError> {
    let layout = Layout::new(folder);
    let inbox = layout.inbox();
    if disk.metadata(&inbox)?.is_none() {
        layout.ensure_dir(disk, &inbox)?;
        // What waits here is nothing to commit.
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

/// Whether the wish `id` still waits to be taken.
///
/// # Errors
///
/// If the folder cannot be looked at.
pub fn is_request_pending(disk: &dyn Disk, folder: &Path, id: Ulid) -> Result<bool, DiskError> {
    let path = request_path(&Layout::new(folder), id);
    Ok(disk.metadata(&path)?.is_some())
}

/// Takes back the wish `id`, if it still waits.
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

/// What waits in the drop-box, oldest first.
///
/// A file that does not hold a wish is set aside; one of a newer version stays for who can read it.
///
/// # Errors
///
/// If the drop-box cannot be read, or a file cannot be set aside.
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
        let Some(bytes) = read_if_there(disk, &path)? else {
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
    // Their names are in the order in which they were made.
    items.sort_by_key(|item| item.id);
    Ok(items)
}

/// Takes the wish `id` out of the drop-box, if it is there.
///
/// # Errors
///
/// If it cannot be removed.
pub fn remove_request(disk: &dyn Disk, layout: &Layout, id: Ulid) -> Result<(), DiskError> {
    remove_if_exists(disk, &request_path(layout, id))
}

/// The version that a file names, whatever else is in it.
fn declared_version(bytes: &[u8]) -> Option<u32> {
    let value: serde_json::Value = serde_json::from_slice(bytes).ok()?;
    u32::try_from(value.get("v")?.as_u64()?).ok()
}
