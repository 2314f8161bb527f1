//! Appends events to the journal: one synced line for each batch.

use agon_record::event::Event;
use agon_record::state::ReplayError;
use agon_store::{Blobs, DiskError, DiskFile, failpoints, journal, snapshot};

use super::Folder;

// The journals of 53 debates recorded for the tests have 0.7 to 74 kB, that of `agon demo` 88 kB: a
// duel writes at most one snapshot, a long debate only a few.
/// How much the journal must grow before a new snapshot is written, in bytes.
const SNAPSHOT_EVERY: u64 = 64 * 1024;

// Reading a kilobyte of the journal costs about as much as writing one of the snapshot, and it is
// read at each opening. At an eighth, a step of `agon ops` reads few lines and rarely writes one.
/// How much it must grow, as a part of the snapshot's size.
const SNAPSHOT_PART: u64 = 8;

/// Why events were not recorded; state and journal are unchanged.
#[derive(Debug, thiserror::Error)]
pub enum AppendError {
    /// An earlier failure could not be undone; open the folder again.
    #[error("the journal may be incomplete after an earlier failure")]
    Poisoned,
    /// Another program changed the journal.
    #[error("the journal was changed by another program")]
    Changed,
    /// The events do not follow from the state.
    #[error("the events do not follow from the debate")]
    Unfit(#[from] ReplayError),
    /// An event cannot be serialized.
    #[error("cannot write the events")]
    Encode(#[source] serde_json::Error),
    /// A file operation failed.
    #[error(transparent)]
    Disk(#[from] DiskError),
}

impl Folder {
    /// Records a batch of events durably: all of them or none.
    ///
    /// Stores replies over [`INLINE_MAX`](agon_store::INLINE_MAX) as blobs first. Updates the state
    /// only after the line is synced. An empty batch writes no line.
    ///
    /// # Errors
    ///
    /// If the batch cannot be recorded. If even undoing it fails, every further append returns
    /// [`AppendError::Poisoned`].
    pub fn append(&mut self, at_ms: u64, events: &[Event]) -> Result<(), AppendError> {
        if self.poisoned {
            return Err(AppendError::Poisoned);
        }
        if events.is_empty() {
            return Ok(());
        }
        if events.iter().any(|event| matches!(event, Event::Opened(_))) {
            return Err(ReplayError::OpenedTwice.into());
        }
        if !self.is_journal_unchanged()? {
            self.poisoned = true;
            return Err(AppendError::Changed);
        }
        let disk = &*self.disk;
        let layout = &self.layout;
        let stored = Blobs { disk, layout }.store_large_replies(events)?;
        let (line, end) =
            journal::encode_line(&self.after.end, at_ms, &stored).map_err(AppendError::Encode)?;
        if let Err(error) = write_journal_line(&mut *self.journal, &line) {
            self.undo_append();
            return Err(error.into());
        }
        self.remember_journal_mark();
        failpoints::die_if_armed(failpoints::AFTER);
        self.after.start = self.after.end.offset;
        self.after.end = end;
        self.after.last_at_ms = at_ms;
        for event in events {
            self.state.apply(event)?;
        }
        self.write_snapshot_if_grown();
        Ok(())
    }

    fn undo_append(&mut self) {
        let length = self.after.end.offset;
        let cut = self.journal.truncate(length);
        self.poisoned = cut.and_then(|()| self.journal.sync()).is_err();
        self.remember_journal_mark();
    }

    /// Writes a snapshot if the journal has grown enough.
    pub(super) fn write_snapshot_if_grown(&mut self) {
        let (reaches, size) = self.snapshot;
        let grown = self.after.end.offset.saturating_sub(reaches);
        if grown < SNAPSHOT_EVERY.max(size / SNAPSHOT_PART) {
            return;
        }
        // Ignore a failure: without a snapshot, the next opening only reads more.
        let written = snapshot::write(&*self.disk, &self.layout, &self.after, &self.state);
        self.snapshot = (self.after.end.offset, written.unwrap_or(size));
    }
}

/// Writes a line and syncs it.
pub(super) fn write_journal_line(journal: &mut dyn DiskFile, line: &[u8]) -> Result<(), DiskError> {
    failpoints::die_if_armed(failpoints::BEFORE);
    if failpoints::is_due(failpoints::MIDDLE) {
        journal.write(&line[..line.len() / 2])?;
        failpoints::kill_this_process();
    }
    journal.write(line)?;
    failpoints::die_if_armed(failpoints::WRITTEN);
    journal.sync()
}
