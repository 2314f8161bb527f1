//! Reads a line-based file that may still grow.

use std::io::{self, BufRead, BufReader, Seek, SeekFrom};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use crate::ReadError;

// A host writes one line per message. Gemini's lines are the longest: on resume it writes the whole
// list of messages on one line, about 4 MB for a million tokens. The text and its JSON tree take
// twice this limit, within the 200 MB that a reader may use.
/// Longest line that is read, in bytes.
const MAX_LINE_BYTES: usize = 48 << 20;

/// A file of lines; each read continues where the last one ended.
#[derive(Debug)]
pub(crate) struct RecordLines {
    path: PathBuf,
    /// Device and inode of the file, once opened.
    identity: Option<(u64, u64)>,
    offset: u64,
    line: u64,
    max_line: usize,
    /// Whether the next line may have begun before the starting offset.
    is_cut: bool,
}

/// One line.
pub(crate) enum RecordLine<'b> {
    /// Its bytes, without the line end.
    Whole(&'b [u8]),
    /// It is longer than the limit.
    TooLong,
}

/// The start of a line.
#[derive(Clone, Copy)]
pub(crate) struct LineStart {
    pub(crate) line: u64,
    pub(crate) byte: u64,
}

impl RecordLines {
    pub(crate) fn new(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            identity: None,
            offset: 0,
            line: 0,
            max_line: MAX_LINE_BYTES,
            is_cut: false,
        }
    }

    /// Creates a reader of the lines that begin at or after `byte`, and counts lines from there.
    pub(crate) fn starting_at(path: &Path, byte: u64) -> Self {
        Self {
            // Start one byte earlier, so that a line that begins exactly at `byte` is not skipped.
            offset: byte.saturating_sub(1),
            is_cut: byte > 0,
            ..Self::new(path)
        }
    }

    /// Returns the bytes read so far.
    pub(crate) fn offset(&self) -> u64 {
        self.offset
    }

    /// Passes on each new complete line; returns the number of bytes after the last one.
    ///
    /// The file is open only during the call, so that a host can move or delete it at any time.
    pub(crate) fn read(
        &mut self,
        each: &mut dyn FnMut(LineStart, RecordLine<'_>),
    ) -> Result<u64, ReadError> {
        let path = self.path.clone();
        let failed = |source: io::Error| ReadError::File {
            path: path.clone(),
            source,
        };
        let mut file = agon_files::open(&self.path).map_err(failed)?;
        let metadata = file.metadata().map_err(failed)?;
        let identity = (metadata.dev(), metadata.ino());
        if self.identity.is_some_and(|it| it != identity) || metadata.len() < self.offset {
            return Err(ReadError::Replaced { path });
        }
        self.identity = Some(identity);
        file.seek(SeekFrom::Start(self.offset)).map_err(failed)?;
        // Stop at the current length, because a record can grow faster than it is read.
        let mut reader = BufReader::with_capacity(1 << 16, file);
        let mut left = metadata.len() - self.offset;
        let mut buffer = Vec::new();
        while left > 0 {
            let (taken, ended, fits) = self
                .next_line(&mut reader, &mut buffer, left)
                .map_err(failed)?;
            if !ended {
                return Ok(taken);
            }
            left -= taken;
            if std::mem::take(&mut self.is_cut) {
                self.offset += taken;
                continue;
            }
            self.line += 1;
            let start = LineStart {
                line: self.line,
                byte: self.offset,
            };
            self.offset += taken;
            match fits {
                true => each(start, RecordLine::Whole(&buffer)),
                false => each(start, RecordLine::TooLong),
            }
            if buffer.capacity() > 1 << 20 {
                buffer = Vec::new();
            }
        }
        Ok(0)
    }

    /// Reads one line of at most `left` bytes into `buffer`. Returns its length in bytes, whether
    /// it is complete, and whether it fits.
    fn next_line(
        &self,
        reader: &mut impl BufRead,
        buffer: &mut Vec<u8>,
        left: u64,
    ) -> io::Result<(u64, bool, bool)> {
        buffer.clear();
        let mut taken: u64 = 0;
        let mut fits = true;
        while taken < left {
            let available = reader.fill_buf()?;
            if available.is_empty() {
                break;
            }
            let most = usize::try_from(left - taken).unwrap_or(usize::MAX);
            let available = &available[..available.len().min(most)];
            let end = memchr::memchr(b'\n', available);
            let piece = &available[..end.unwrap_or(available.len())];
            if fits && buffer.len() + piece.len() <= self.max_line {
                buffer.extend_from_slice(piece);
            } else {
                fits = false;
                *buffer = Vec::new();
            }
            let consumed = piece.len() + usize::from(end.is_some());
            reader.consume(consumed);
            taken += consumed as u64;
            if end.is_some() {
                return Ok((taken, true, fits));
            }
        }
        Ok((taken, false, fits))
    }
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::io::Write;

    use super::*;

    fn texts(lines: &mut RecordLines) -> (Vec<(u64, u64, Option<String>)>, u64) {
        let mut texts = Vec::new();
        let unfinished = lines
            .read(&mut |start, line| {
                let text = match line {
                    RecordLine::Whole(bytes) => Some(String::from_utf8(bytes.to_vec()).unwrap()),
                    RecordLine::TooLong => None,
                };
                texts.push((start.line, start.byte, text));
            })
            .unwrap();
        (texts, unfinished)
    }

    #[test]
    fn a_line_without_an_end_is_left_until_it_has_one() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.jsonl");
        std::fs::write(&path, "one\ntw").unwrap();
        let mut lines = RecordLines::new(&path);
        assert_eq!(texts(&mut lines), (vec![(1, 0, Some("one".into()))], 2));
        let mut file = File::options().append(true).open(&path).unwrap();
        file.write_all(b"o\n\n").unwrap();
        let more = vec![(2, 4, Some("two".into())), (3, 8, Some(String::new()))];
        assert_eq!(texts(&mut lines), (more, 0));
    }

    #[test]
    fn a_line_over_the_bound_is_passed_over_and_the_next_is_read() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.jsonl");
        std::fs::write(&path, format!("{}\nb\n", "x".repeat(200_000))).unwrap();
        let mut lines = RecordLines::new(&path);
        lines.max_line = 1000;
        let expected = vec![(1, 0, None), (2, 200_001, Some("b".into()))];
        assert_eq!(texts(&mut lines), (expected, 0));
    }

    #[test]
    fn a_file_that_became_shorter_is_another_one() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.jsonl");
        std::fs::write(&path, "one\ntwo\n").unwrap();
        let mut lines = RecordLines::new(&path);
        texts(&mut lines);
        std::fs::write(&path, "one\n").unwrap();
        let replaced = lines.read(&mut |_, _| {});
        assert!(matches!(replaced, Err(ReadError::Replaced { .. })));
    }

    #[test]
    fn from_a_byte_on_only_whole_lines_are_given() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.jsonl");
        std::fs::write(&path, "one\ntwo\nthree\n").unwrap();
        for (byte, expected) in [
            (0, &["one", "two", "three"][..]),
            (1, &["two", "three"]),
            (4, &["two", "three"]),
            (5, &["three"]),
            (14, &[]),
        ] {
            let mut lines = RecordLines::starting_at(&path, byte);
            let given: Vec<String> = texts(&mut lines)
                .0
                .into_iter()
                .filter_map(|it| it.2)
                .collect();
            assert_eq!(given, expected, "{byte}");
            assert_eq!(lines.offset(), 14);
        }
    }
}
