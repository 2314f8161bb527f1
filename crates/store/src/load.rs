//! Loads a debate from its journal.

use agon_record::event::Event;
use agon_record::state::{ReplayError, State};

use crate::blob::{BlobFault, Blobs};
use crate::disk::{Disk, DiskError};
use crate::journal::{self, JournalFault, JournalLine, Position, Scan};
use crate::layout::Layout;
use crate::snapshot::{self, SnapshotPoint};

/// Whether loading may use a snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SnapshotUse {
    /// It may: only the lines after the snapshot are read.
    Snapshot,
    /// It may not: the whole journal is read.
    Journal,
}

/// A debate loaded from its journal.
#[derive(Debug)]
pub struct Loaded {
    /// The state of the debate, up to the first invalid line.
    pub state: State,
    /// The lines read; with a snapshot, only those after it.
    pub lines: Vec<JournalLine>,
    /// The position after the last valid line.
    pub after: SnapshotPoint,
    /// An unfinished last line.
    pub torn: Vec<u8>,
    /// Why the rest of the journal was not read.
    pub fault: Option<JournalFault>,
    /// The large replies that are missing or changed.
    pub blobs: Vec<BlobFault>,
    /// The length covered by the snapshot, and its size; zeros without one.
    pub snapshot: (u64, u64),
}

/// Why a debate cannot be loaded.
#[derive(Debug)]
pub enum LoadError {
    /// A file operation failed.
    Disk(DiskError),
    /// Even the first line is invalid.
    Fault(JournalFault),
}

impl From<DiskError> for LoadError {
    fn from(error: DiskError) -> Self {
        Self::Disk(error)
    }
}

/// Loads the debate of a folder from its journal, up to an invalid line.
///
/// # Errors
///
/// If even its first line is invalid, or the disk fails.
pub fn load_debate(
    disk: &dyn Disk,
    layout: &Layout,
    how: SnapshotUse,
) -> Result<Loaded, LoadError> {
    let blobs = Blobs { disk, layout };
    let usable = match how {
        SnapshotUse::Snapshot => snapshot::read_if_fits_journal(disk, layout),
        SnapshotUse::Journal => None,
    };
    if let Some(mut usable) = usable {
        let faults = blobs.restore_state_replies(&mut usable.state)?;
        let mut loaded = Loaded {
            torn: torn_tail(&usable.bytes, &usable.scan),
            state: usable.state,
            lines: Vec::new(),
            after: usable.after,
            fault: usable.scan.fault,
            blobs: faults,
            snapshot: (usable.after.end.offset, usable.size),
        };
        loaded.apply_lines(&blobs, usable.scan.lines)?;
        return Ok(loaded);
    }
    let bytes = disk.read(&layout.journal())?;
    let scan = journal::scan_lines(&bytes, Position::START);
    let torn = torn_tail(&bytes, &scan);
    let fault = scan.fault.clone();
    let mut lines = scan.lines.into_iter();
    let Some(mut first) = lines.next() else {
        return Err(LoadError::Fault(fault.unwrap_or(JournalFault::Empty)));
    };
    let faults = blobs.restore_event_replies(&mut first.events)?;
    let unfit = |cause| LoadError::Fault(JournalFault::Unfit { line: 1, cause });
    let state = State::replay(&first.events).map_err(unfit)?;
    let after = SnapshotPoint {
        start: 0,
        end: first.end,
        opened_at_ms: first.at_ms,
        last_at_ms: first.at_ms,
    };
    let mut loaded = Loaded {
        state,
        lines: vec![first],
        after,
        torn,
        fault,
        blobs: faults,
        snapshot: (0, 0),
    };
    loaded.apply_lines(&blobs, lines)?;
    Ok(loaded)
}

fn torn_tail(bytes: &[u8], scan: &Scan) -> Vec<u8> {
    bytes[bytes.len() - scan.torn..].to_vec()
}

impl Loaded {
    /// Applies further lines, up to the first line that does not fit.
    fn apply_lines(
        &mut self,
        blobs: &Blobs<'_>,
        lines: impl IntoIterator<Item = JournalLine>,
    ) -> Result<(), DiskError> {
        for mut line in lines {
            self.blobs
                .extend(blobs.restore_event_replies(&mut line.events)?);
            // Check for a second opening first, so that a line is applied as a whole or not at all.
            let reopens = |event: &Event| matches!(event, Event::Opened(_));
            let applied = if line.events.iter().any(reopens) {
                Err(ReplayError::OpenedTwice)
            } else {
                let mut events = line.events.iter();
                events.try_for_each(|event| self.state.apply(event))
            };
            if let Err(cause) = applied {
                let line = line.end.seq;
                self.fault = Some(JournalFault::Unfit { line, cause });
                self.torn.clear();
                break;
            }
            self.after.start = self.after.end.offset;
            self.after.end = line.end;
            self.after.last_at_ms = line.at_ms;
            self.lines.push(line);
        }
        Ok(())
    }
}
