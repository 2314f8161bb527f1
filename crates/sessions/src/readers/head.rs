//! The beginning of a record.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde_json::Value;

/// Bytes of a record that are looked at to see what it is: the first line can have a whole prompt.
const MAX_HEAD_BYTES: u64 = 2 << 20;

/// The first lines of a record that are JSON, within the bound.
pub(super) fn first_lines(file: &Path, most: usize) -> Vec<Value> {
    let Ok(file) = agon_files::open(file) else {
        return Vec::new();
    };
    let mut lines = BufReader::new(file.take(MAX_HEAD_BYTES));
    let mut found = Vec::new();
    let mut line = Vec::new();
    for _ in 0..most {
        line.clear();
        match lines.read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => break,
            Ok(_) => found.extend(serde_json::from_slice::<Value>(&line).ok()),
        }
    }
    found
}

pub(super) fn first_line(file: &Path) -> Option<Value> {
    first_lines(file, 1).into_iter().next()
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
