//! Stores the output of gates beside the team's file: without secrets, and with a size limit.

use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use agon_team::id::{GateName, TaskId};
use agon_team::store::TeamLocation;

/// The most bytes kept of the beginning, which shows what was run.
const MAX_HEAD_BYTES: usize = 64 << 10;
/// The most bytes kept of the end, which shows what went wrong.
const MAX_TAIL_BYTES: usize = 192 << 10;
/// The name of the log folder beside the team's file.
const FOLDER: &str = "gates";

/// Keeps the beginning and the end of an output.
#[derive(Debug, Default)]
pub(super) struct BoundedOutput {
    head: Vec<u8>,
    tail: std::collections::VecDeque<u8>,
    left_out: u64,
}

impl BoundedOutput {
    pub(super) fn push(&mut self, bytes: &[u8]) {
        let room = MAX_HEAD_BYTES
            .saturating_sub(self.head.len())
            .min(bytes.len());
        let (first, rest) = bytes.split_at(room);
        self.head.extend_from_slice(first);
        self.tail.extend(rest);
        let over = self.tail.len().saturating_sub(MAX_TAIL_BYTES);
        self.tail.drain(..over);
        self.left_out = self.left_out.saturating_add(over as u64);
    }

    /// Returns the text, with a mark for what was left out.
    pub(super) fn into_text(self) -> String {
        let tail: Vec<u8> = self.tail.into();
        if self.left_out == 0 {
            return String::from_utf8_lossy(&[self.head, tail].concat()).into_owned();
        }
        format!(
            "{}\n[… {} bytes left out …]\n{}",
            String::from_utf8_lossy(&self.head),
            self.left_out,
            String::from_utf8_lossy(&tail)
        )
    }
}

/// Returns the log folder beside the team's file, and creates it if it does not exist.
pub(super) fn folder(database: &Path) -> io::Result<PathBuf> {
    let dir = database.with_file_name(FOLDER);
    match DirBuilder::new().mode(0o700).create(&dir) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
        Ok(()) | Err(_) => Ok(dir),
    }
}

/// Stores an output, which must not contain secrets; returns its path relative to the team's file.
///
/// # Errors
///
/// If it cannot be written.
pub(super) fn keep(
    location: &TeamLocation,
    task: Option<TaskId>,
    gate: &GateName,
    text: &str,
) -> io::Result<String> {
    let dir = folder(&location.database())?;
    let task = task.map_or_else(String::new, |task| format!("{task}-"));
    let name = format!("{task}{gate}-{}.log", ulid::Ulid::generate());
    let path = dir.join(&name);
    let mut file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(&path)?;
    file.write_all(text.as_bytes()).inspect_err(|_| {
        // Ignore errors of the removal: the caller reports the write error.
        fs::remove_file(&path).ok();
    })?;
    Ok(format!("{FOLDER}/{name}"))
}

/// Returns the last lines of a text, at most 20 lines and 2,000 bytes.
pub(crate) fn last_lines(text: &str) -> String {
    const MAX_LINES: usize = 20;
    const MAX_BYTES: usize = 2_000;
    let lines: Vec<&str> = text.trim_end().lines().collect();
    let tail = lines
        .get(lines.len().saturating_sub(MAX_LINES)..)
        .unwrap_or_default();
    let joined = tail.join("\n");
    let mut from = joined.len().saturating_sub(MAX_BYTES);
    while !joined.is_char_boundary(from) {
        from += 1;
    }
    joined.get(from..).unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_long_output_the_beginning_and_the_end_are_kept() {
        let mut output = BoundedOutput::default();
        output.push(b"begin ");
        for _ in 0..100 {
            output.push(&[b'x'; 10_000]);
        }
        output.push(b" end");
        let text = output.into_text();
        assert!(text.starts_with("begin xxx") && text.ends_with("xxx end"));
        let left_out = 1_000_010 - MAX_HEAD_BYTES - MAX_TAIL_BYTES;
        assert!(text.contains(&format!("[… {left_out} bytes left out …]")));
        assert!(text.len() < MAX_HEAD_BYTES + MAX_TAIL_BYTES + 100);
    }

    #[test]
    fn a_short_output_is_kept_as_it_is() {
        let mut output = BoundedOutput::default();
        output.push("é\n".as_bytes());
        assert_eq!(output.into_text(), "é\n");
        assert_eq!(last_lines("a\nb\n"), "a\nb");
        assert_eq!(last_lines(&"é".repeat(2_000)).len(), 2_000);
    }
}
