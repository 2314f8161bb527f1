//! The beginning of a record.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde_json::Value;

/// Bytes of a record that are looked at to see what it is: the first prompt can have pictures.
const MAX_HEAD_BYTES: u64 = 64 << 20;
/// Bytes of the end of a record that are looked at to see where it is held by now.
const TAIL_BYTES: u64 = 64 << 10;

/// Gives the first lines of a record, as bytes, until `each` has seen enough.
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

/// The first line of a record, where it is JSON.
pub(super) fn first_line(file: &Path) -> Option<Value> {
    let mut found = None;
    read_head(file, &mut |line| {
        found = serde_json::from_slice(line).ok();
        ControlFlow::Break(())
    });
    found
}

/// What `find` makes of the last of the lines at the end of a record for which it is anything.
pub(super) fn find_in_tail<T>(file: &Path, find: impl Fn(&[u8]) -> Option<T>) -> Option<T> {
    let file = agon_files::open(file).ok()?;
    let start = file.metadata().ok()?.len().saturating_sub(TAIL_BYTES);
    let tail = agon_files::read_opened(file, start, TAIL_BYTES).ok()?;
    let lines = tail.split(|it| *it == b'\n').rev();
    lines.into_iter().find_map(find)
}

/// When a file was last written, and its bytes.
pub(super) fn written(file: &Path) -> Option<(SystemTime, u64)> {
    let metadata = fs::metadata(file).ok().filter(fs::Metadata::is_file)?;
    Some((metadata.modified().ok()?, metadata.len()))
}

/// What is in a folder, in order; nothing if it cannot be read.
pub(super) fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let mut paths: Vec<PathBuf> = entries.filter_map(|it| Some(it.ok()?.path())).collect();
    paths.sort();
    paths
}

/// The records directly in a folder: files that end in `.jsonl`.
pub(super) fn records(folder: &Path) -> Vec<PathBuf> {
    let mut paths = entries(folder);
    paths.retain(|it| it.extension().is_some_and(|end| end == "jsonl") && it.is_file());
    paths
}

/// A file's name without its ending.
pub(super) fn stem(file: &Path) -> Option<String> {
    Some(file.file_stem()?.to_str()?.to_owned())
}
