//! Reads the beginning and the end of a record.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde_json::Value;

/// Most bytes searched at the beginning, since the first prompt can contain pictures.
const MAX_HEAD_BYTES: u64 = 64 << 20;
/// Bytes searched at the end for the current folder.
const TAIL_BYTES: u64 = 64 << 10;

/// Passes the first lines of a record to `each` until it breaks.
pub(super) fn read_head(file: &Path, each: &mut dyn FnMut(&[u8]) -> ControlFlow<()>) {
    let Ok(file) = agon_files::open(file) else {
        return;
    };
    let mut lines = BufReader::new(file.take(MAX_HEAD_BYTES));
    let mut line = Vec::new();
    loop {
        line.clear();
        match lines.read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) if each(&line).is_break() => return,
            Ok(_) => {}
        }
    }
}

/// Returns the first line of a record, if it is JSON.
pub(super) fn first_line(file: &Path) -> Option<Value> {
    let mut found = None;
    read_head(file, &mut |line| {
        found = serde_json::from_slice(line).ok();
        ControlFlow::Break(())
    });
    found
}

/// Returns the result of `find` for the last matching line in the tail of a record.
pub(super) fn find_in_tail<T>(file: &Path, find: impl Fn(&[u8]) -> Option<T>) -> Option<T> {
    let file = agon_files::open(file).ok()?;
    let start = file.metadata().ok()?.len().saturating_sub(TAIL_BYTES);
    let tail = agon_files::read_from_offset(file, start, TAIL_BYTES).ok()?;
    let lines = tail.split(|it| *it == b'\n').rev();
    lines.into_iter().find_map(find)
}

/// Returns a file's modification time and size in bytes.
pub(super) fn modified_and_size(file: &Path) -> Option<(SystemTime, u64)> {
    let metadata = fs::metadata(file).ok().filter(fs::Metadata::is_file)?;
    Some((metadata.modified().ok()?, metadata.len()))
}

/// Returns the sorted contents of a folder; empty if unreadable.
pub(super) fn list_folder(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let mut paths: Vec<PathBuf> = entries.filter_map(|it| Some(it.ok()?.path())).collect();
    paths.sort();
    paths
}

/// Returns the `.jsonl` files directly in a folder.
pub(super) fn list_records(folder: &Path) -> Vec<PathBuf> {
    let mut paths = list_folder(folder);
    paths.retain(|it| it.extension().is_some_and(|end| end == "jsonl") && it.is_file());
    paths
}

/// Returns a file's name without its extension.
pub(super) fn file_stem(file: &Path) -> Option<String> {
    Some(file.file_stem()?.to_str()?.to_owned())
}
