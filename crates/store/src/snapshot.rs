//! A snapshot of the state, so that opening a debate reads only what is new.
//!
//! It is disposable: it is used only if it is intact, of this version and fits the journal, and
//! deleting it changes nothing. The file contains the BLAKE3 of the rest in hexadecimal, a line
//! feed, and JSON.

use agon_record::state::State;
use blake3::Hash;
use serde::{Deserialize, Serialize};

use crate::blob;
use crate::disk::{Disk, DiskError, Durable, replace_file};
use crate::journal::{self, Position, Scan};
use crate::layout::Layout;

// The only version so far. Snapshots of another version of Agon are never read, so this
// distinguishes only builds of the same version.
/// Version of the snapshot format. Raise it whenever applying events gives a different state.
const VERSION: u32 = 1;

/// The state after a certain line of the journal.
#[derive(Serialize, Deserialize)]
struct Snapshot {
    v: u32,
    agon: String,
    seq: u64,
    /// The start, the end and the hash of the last covered line.
    start: u64,
    offset: u64,
    line: String,
    opened_at_ms: u64,
    last_at_ms: u64,
    state: State,
}

/// The line that a snapshot follows.
#[derive(Clone, Copy, Debug)]
pub struct SnapshotPoint {
    /// The byte offset of the line's start.
    pub start: u64,
    /// The position after it.
    pub end: Position,
    /// When the first line was written, in milliseconds since 1970.
    pub opened_at_ms: u64,
    /// When this line was written.
    pub last_at_ms: u64,
}

/// Writes the snapshot and returns its size.
///
/// # Errors
///
/// If it cannot be written.
pub fn write(
    disk: &dyn Disk,
    layout: &Layout,
    after: &SnapshotPoint,
    state: &State,
) -> Result<u64, DiskError> {
    let mut state = state.clone();
    blob::strip_large_replies(&mut state);
    let snapshot = Snapshot {
        v: VERSION,
        agon: env!("CARGO_PKG_VERSION").to_owned(),
        seq: after.end.seq,
        start: after.start,
        offset: after.end.offset,
        line: after.end.hash.to_hex().to_string(),
        opened_at_ms: after.opened_at_ms,
        last_at_ms: after.last_at_ms,
        state,
    };
    let json = serde_json::to_vec(&snapshot)
        .map_err(|cause| DiskError::new("write", &layout.snapshot(), cause.into()))?;
    let mut bytes = blake3::hash(&json).to_hex().to_string().into_bytes();
    bytes.push(b'\n');
    bytes.extend_from_slice(&json);
    let (temp, to) = (layout.temp_file(), layout.snapshot());
    replace_file(disk, &temp, &to, &bytes, Durable::No)?;
    Ok(bytes.len() as u64)
}

/// A snapshot that fits the journal, and the journal lines after it.
pub(crate) struct Usable {
    pub(crate) state: State,
    pub(crate) after: SnapshotPoint,
    /// The snapshot's size.
    pub(crate) size: u64,
    pub(crate) scan: Scan,
    /// The scanned bytes.
    pub(crate) bytes: Vec<u8>,
}

/// Returns the snapshot if it fits the journal.
pub(crate) fn read_if_fits_journal(disk: &dyn Disk, layout: &Layout) -> Option<Usable> {
    let file = disk.read(&layout.snapshot()).ok()?;
    let (hex, rest) = file.split_at_checked(64)?;
    let json = rest.strip_prefix(b"\n")?;
    if blake3::hash(json) != Hash::from_hex(hex).ok()? {
        return None;
    }
    let snapshot: Snapshot = serde_json::from_slice(json).ok()?;
    if snapshot.v != VERSION || snapshot.agon != env!("CARGO_PKG_VERSION") {
        return None;
    }
    let mut bytes = disk.read_from(&layout.journal(), snapshot.start).ok()?;
    let length = usize::try_from(snapshot.offset.checked_sub(snapshot.start)?).ok()?;
    let line = bytes.get(..length)?.strip_suffix(b"\n")?;
    let fits = |hash: &Hash| hash.to_hex().as_str() == snapshot.line;
    let hash = journal::verify_line_hash(line).filter(fits)?;
    bytes.drain(..length);
    let after = SnapshotPoint {
        start: snapshot.start,
        end: Position {
            seq: snapshot.seq,
            hash,
            offset: snapshot.offset,
        },
        opened_at_ms: snapshot.opened_at_ms,
        last_at_ms: snapshot.last_at_ms,
    };
    let scan = journal::scan_lines(&bytes, after.end);
    let size = file.len() as u64;
    Some(Usable {
        state: snapshot.state,
        after,
        size,
        scan,
        bytes,
    })
}
