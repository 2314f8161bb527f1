//! The journal: one line for each synced batch of events, each sealed and
//! chained to the one before.
//!
//! A line is `{"v":1,"seq":n,"at":"…","prev":"…","events":[…],"hash":"…"}` and a
//! line feed; a carriage return before that, as some tools put it there, is read over. `hash` is the BLAKE3 of all bytes of the line before that key,
//! `prev` the `hash` of the line before, zeros for the first.

use std::io::BufRead as _;

use agon_record::event::Event;
use agon_record::state::ReplayError;
use blake3::Hash;
use serde::Deserialize;

use crate::time;

// The only one so far; a newer one is read and never written. Held by
// `the_first_format_is_still_written_to_the_byte` in `tests/fixture.rs`.
/// The version of the journal's lines that this program writes.
pub const FORMAT_VERSION: u32 = 1;

/// A point between two lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// Number of the line before; 0 at the beginning.
    pub seq: u64,
    /// Its hash.
    pub(crate) hash: Hash,
    /// Where it ends, in bytes.
    pub offset: u64,
}

impl Position {
    /// The beginning of a journal.
    pub const START: Self = Self {
        seq: 0,
        hash: Hash::from_bytes([0; 32]),
        offset: 0,
    };
}

/// One line of the journal.
#[derive(Clone, Debug, PartialEq)]
pub struct JournalLine {
    /// When it was written.
    pub at_ms: u64,
    /// Its batch.
    pub events: Vec<Event>,
    /// The point after it.
    pub end: Position,
}

/// What a journal holds.
#[derive(Debug)]
pub struct Scan {
    /// The sound lines from where the reading began.
    pub(crate) lines: Vec<JournalLine>,
    /// The point after the last of them.
    pub end: Position,
    /// Bytes of a last line that was never finished.
    pub torn: usize,
    /// Why nothing after `end` is read.
    pub fault: Option<JournalFault>,
}

/// Why a journal cannot be written on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum JournalFault {
    /// There is no line in it.
    #[error("the journal is empty")]
    Empty,
    /// A line is not as it was written.
    #[error("line {line} of the journal is damaged, {after} more after it")]
    Damaged {
        /// Its number, from 1.
        line: u64,
        /// Lines after it.
        after: u64,
    },
    /// A line is sound and does not follow the one before it.
    #[error("line {line} of the journal does not continue the line before it")]
    Forked {
        /// Its number, from 1.
        line: u64,
    },
    /// A line is sound and says what this program does not know.
    #[error("line {line} of the journal holds events this version does not know")]
    Unknown {
        /// Its number, from 1.
        line: u64,
    },
    /// A newer program wrote the line.
    #[error("line {line} of the journal has format {version}, this version knows {FORMAT_VERSION}")]
    Newer {
        /// Its number, from 1.
        line: u64,
        /// Its version.
        version: u32,
    },
    /// The events of a line do not follow from those before.
    #[error("line {line} of the journal does not fit")]
    Unfit {
        /// Its number, from 1.
        line: u64,
        /// What is wrong.
        #[source]
        cause: ReplayError,
    },
}

/// The line after `before` for a batch, and the point after it.
///
/// # Errors
///
/// If an event cannot be written as JSON.
pub fn encode_line(
    before: &Position,
    at_ms: u64,
    events: &[Event],
) -> Result<(Vec<u8>, Position), serde_json::Error> {
    let (seq, prev) = (before.seq + 1, before.hash.to_hex());
    let at = time::to_text(at_ms);
    let head = format!(
        "{{\"v\":{FORMAT_VERSION},\"seq\":{seq},\"at\":\"{at}\",\"prev\":\"{prev}\",\"events\":"
    );
    let mut line = head.into_bytes();
    serde_json::to_writer(&mut line, events)?;
    line.push(b',');
    let hash = blake3::hash(&line);
    line.extend_from_slice(format!("\"hash\":\"{}\"}}\n", hash.to_hex()).as_bytes());
    let offset = before.offset + line.len() as u64;
    Ok((line, Position { seq, hash, offset }))
}

/// Reads the lines in `bytes`, which begin at `from`, as far as they are sound.
pub fn scan_lines(bytes: &[u8], from: Position) -> Scan {
    let mut scan = Scan {
        lines: Vec::new(),
        end: from,
        torn: 0,
        fault: None,
    };
    let mut rest = bytes;
    while !rest.is_empty() {
        let Some((line, after)) = split_first_line(rest) else {
            scan.classify_tail(rest);
            break;
        };
        match parse_line(line, &scan.end) {
            Ok(line) => {
                scan.end = line.end;
                scan.lines.push(line);
            }
            Err(fault) => {
                scan.fault = Some(fault.with_lines_after(after));
                break;
            }
        }
        rest = after;
    }
    if scan.end.seq == 0 && scan.fault.is_none() {
        scan.fault = Some(JournalFault::Empty);
    }
    scan
}

/// The first line, without its end, and what stands after it.
fn split_first_line(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let mut after = bytes;
    // The standard library searches many bytes at once here.
    let length = after.skip_until(b'\n').ok()?;
    let line = bytes.get(..length)?.strip_suffix(b"\n")?;
    Some((line, after))
}

impl Scan {
    /// Decides what an unterminated last line is: damage if it is sealed and only its line end is
    /// wrong, otherwise a torn write that was never acknowledged.
    fn classify_tail(&mut self, tail: &[u8]) {
        let whole = tail
            .split_last()
            .and_then(|(_, line)| verify_line_hash(line));
        if whole.is_some() {
            let line = self.end.seq + 1;
            self.fault = Some(JournalFault::Damaged { line, after: 0 });
        } else {
            self.torn = tail.len();
        }
    }
}

impl JournalFault {
    fn with_lines_after(self, rest: &[u8]) -> Self {
        match self {
            Self::Damaged { line, .. } => {
                let after = rest.iter().filter(|&&byte| byte == b'\n').count() as u64;
                Self::Damaged { line, after }
            }
            other => other,
        }
    }
}

#[derive(Deserialize)]
struct Version {
    v: u32,
}

#[derive(Deserialize)]
struct WrittenLine {
    v: u32,
    seq: u64,
    at: String,
    prev: String,
    events: Vec<Event>,
}

#[derive(Deserialize)]
struct LinePosition {
    seq: u64,
    prev: String,
}

fn parse_line(text: &[u8], before: &Position) -> Result<JournalLine, JournalFault> {
    let length = text.len() as u64 + 1;
    // Git and other tools may end lines with CRLF; the seal does not cover the end.
    let text = text.strip_suffix(b"\r").unwrap_or(text);
    let line = before.seq + 1;
    let damaged = JournalFault::Damaged { line, after: 0 };
    let Some(hash) = verify_line_hash(text) else {
        // A newer format may seal its lines in another way.
        return match serde_json::from_slice(text) {
            Ok(Version { v }) if v > FORMAT_VERSION => {
                Err(JournalFault::Newer { line, version: v })
            }
            Ok(_) | Err(_) => Err(damaged),
        };
    };
    let wire: WrittenLine = match serde_json::from_slice(text) {
        Ok(wire) => wire,
        Err(_) => return Err(unparsed_line_fault(text, before)),
    };
    if wire.v != FORMAT_VERSION {
        return Err(version_fault(line, wire.v));
    }
    if wire.seq != line || !is_hash_of_previous(&wire.prev, before) {
        return Err(JournalFault::Forked { line });
    }
    let at_ms = time::from_text(&wire.at).ok_or(JournalFault::Unknown { line })?;
    let offset = before.offset + length;
    Ok(JournalLine {
        at_ms,
        events: wire.events,
        end: Position {
            seq: line,
            hash,
            offset,
        },
    })
}

/// Why a sealed line cannot be read.
fn unparsed_line_fault(text: &[u8], before: &Position) -> JournalFault {
    let line = before.seq + 1;
    match serde_json::from_slice(text) {
        Ok(Version { v }) if v != FORMAT_VERSION => return version_fault(line, v),
        Ok(_) => {}
        Err(_) => return JournalFault::Damaged { line, after: 0 },
    }
    match serde_json::from_slice(text) {
        Ok(LinePosition { seq, prev }) if seq == line && is_hash_of_previous(&prev, before) => {
            JournalFault::Unknown { line }
        }
        Ok(_) => JournalFault::Forked { line },
        Err(_) => JournalFault::Damaged { line, after: 0 },
    }
}

fn version_fault(line: u64, version: u32) -> JournalFault {
    if version > FORMAT_VERSION {
        JournalFault::Newer { line, version }
    } else {
        JournalFault::Unknown { line }
    }
}

fn is_hash_of_previous(prev: &str, before: &Position) -> bool {
    prev == before.hash.to_hex().as_str()
}

/// The hash a line carries, if it is the hash of what stands before it.
pub(crate) fn verify_line_hash(line: &[u8]) -> Option<Hash> {
    const KEY: &[u8] = b"\"hash\":\"";
    // A BLAKE3 hash is 32 bytes, 64 hexadecimal digits; `"}` ends the line. Held by
    // `a_line_is_sealed_as_the_format_says`.
    const SEAL: usize = KEY.len() + 64 + 2;
    let (body, seal) = line.split_at_checked(line.len().checked_sub(SEAL)?)?;
    let hex = seal.strip_prefix(KEY)?.strip_suffix(b"\"}")?;
    // Upper-case digits would name the same hash with other bytes.
    let lower = |byte: &u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(byte);
    let hash = Hash::from_hex(hex).ok().filter(|_| hex.iter().all(lower))?;
    (blake3::hash(body) == hash).then_some(hash)
}
