//! The journal: one line per synced batch of events, each sealed with a hash and chained to the
//! preceding line.
//!
//! A line is `{"v":1,"seq":n,"at":"…","prev":"…","events":[…],"hash":"…"}` and a line feed; a
//! preceding carriage return, added by some tools, is ignored. `hash` is the BLAKE3 of all bytes of
//! the line before that key, and `prev` is the `hash` of the preceding line, or zeros in the first
//! line.

use std::io::BufRead as _;

use agon_record::event::Event;
use agon_record::state::ReplayError;
use blake3::Hash;
use serde::Deserialize;

use crate::time;

// The only version so far; newer ones are read but never written. Tested by
// `the_first_format_is_still_written_to_the_byte` in `tests/fixture.rs`.
/// The version of the journal lines that this program writes.
pub const FORMAT_VERSION: u32 = 1;

/// A point between two lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The number of the preceding line; 0 at the beginning.
    pub seq: u64,
    /// Its hash.
    pub(crate) hash: Hash,
    /// The byte offset of its end.
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
    /// Its events.
    pub events: Vec<Event>,
    /// The position after it.
    pub end: Position,
}

/// The contents of a journal.
#[derive(Debug)]
pub struct Scan {
    /// The valid lines, from where reading began.
    pub(crate) lines: Vec<JournalLine>,
    /// The position after the last of them.
    pub end: Position,
    /// Bytes of an unfinished last line.
    pub torn: usize,
    /// Why reading stopped at `end`.
    pub fault: Option<JournalFault>,
}

/// Why a journal cannot be extended.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum JournalFault {
    /// It does not contain any lines.
    #[error("the journal is empty")]
    Empty,
    /// A line was changed or is incomplete.
    #[error("line {line} of the journal is corrupted; {after} more lines follow")]
    Damaged {
        /// Its number, from 1.
        line: u64,
        /// The number of lines after it.
        after: u64,
    },
    /// A line is valid, but does not continue the preceding one.
    #[error("line {line} of the journal does not continue the preceding line")]
    Forked {
        /// Its number, from 1.
        line: u64,
    },
    /// A line is valid, but contains events unknown to this version.
    #[error("line {line} of the journal contains events that this version of Agon does not know")]
    Unknown {
        /// Its number, from 1.
        line: u64,
    },
    /// A newer version of Agon wrote the line.
    #[error(
        "line {line} of the journal has format {version}, but this version of Agon knows only {FORMAT_VERSION}"
    )]
    Newer {
        /// Its number, from 1.
        line: u64,
        /// Its format version.
        version: u32,
    },
    /// The events of a line do not follow from the preceding ones.
    #[error("line {line} of the journal does not follow from the preceding lines")]
    Unfit {
        /// Its number, from 1.
        line: u64,
        /// The problem.
        #[source]
        cause: ReplayError,
    },
}

/// Encodes the line after `before` for a batch of events. Returns it with the position after it.
///
/// # Errors
///
/// If an event cannot be serialized.
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

/// Reads the lines in `bytes`, which begin at `from`, up to the first invalid one.
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

/// Reads only the first line of a journal; `None` if it is invalid.
pub fn read_first_line(journal: &[u8]) -> Option<JournalLine> {
    let (line, _) = split_first_line(journal)?;
    parse_line(line, &Position::START).ok()
}

/// Splits off the first line, without its end.
fn split_first_line(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let mut after = bytes;
    // `skip_until` searches many bytes at once.
    let length = after.skip_until(b'\n').ok()?;
    let line = bytes.get(..length)?.strip_suffix(b"\n")?;
    Some((line, after))
}

impl Scan {
    /// Classifies an unterminated last line. It is corrupted if it is sealed and only its line end
    /// is wrong; otherwise it is an unfinished write that was never acknowledged.
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
    // Remove a CR that Git or another tool has added; the seal does not cover the line end.
    let text = text.strip_suffix(b"\r").unwrap_or(text);
    let line = before.seq + 1;
    let damaged = JournalFault::Damaged { line, after: 0 };
    let Some(hash) = verify_line_hash(text) else {
        // Without a valid seal, check the version first: a newer format may seal its lines
        // differently.
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

/// Returns why a sealed line cannot be parsed.
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

/// Returns the hash at the end of a line if it matches the preceding bytes.
pub(crate) fn verify_line_hash(line: &[u8]) -> Option<Hash> {
    const KEY: &[u8] = b"\"hash\":\"";
    // A BLAKE3 hash has 32 bytes, 64 hexadecimal digits; `"}` ends the line. Tested by
    // `a_line_is_sealed_as_the_format_says`.
    const SEAL: usize = KEY.len() + 64 + 2;
    let (body, seal) = line.split_at_checked(line.len().checked_sub(SEAL)?)?;
    let hex = seal.strip_prefix(KEY)?.strip_suffix(b"\"}")?;
    // Reject upper-case digits, which would encode the same hash with other bytes.
    let lower = |byte: &u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(byte);
    let hash = Hash::from_hex(hex).ok().filter(|_| hex.iter().all(lower))?;
    (blake3::hash(body) == hash).then_some(hash)
}
