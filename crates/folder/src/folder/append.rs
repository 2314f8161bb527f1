//! One synced line for each batch of events.

use agon_record::event::Event;
use agon_record::state::ReplayError;
use agon_store::{Blobs, DiskError, DiskFile, failpoints, journal, snapshot};

use super::Folder;

// The journals of 53 debates recorded for the tests have 0.7 to 74 kB, that of `agon demo` 88: a
// duel pays for one snapshot at most, a long debate for few.
/// How much journal is left to be replayed before a snapshot is worth writing.
const SNAPSHOT_EVERY: u64 = 64 * 1024;

/// Why events were not recorded; the state and the journal are as before.
#[derive(Debug, thiserror::Error)]
pub enum AppendError {
    /// An earlier failure could not be taken back; open the folder again.
    #[error("the journal is in doubt since an earlier failure")]
    Poisoned,
    /// Something else changed the journal.
    #[error("the journal was changed by another program")]
    Changed,
    /// The events do not follow.
    #[error("the events do not fit the debate")]
    Unfit(#[from] ReplayError),
    /// An event cannot be written as JSON.
    #[error("cannot write the events")]
    Encode(#[source] serde_json::Error),
    /// A file operation failed.
    #[error(transparent)]
    Disk(#[from] DiskError),
}

impl Folder {
    /// Records a batch of events: all of them, durably, or none.
    ///
    /// Replies over [`INLINE_MAX`](agon_store::INLINE_MAX) become blobs first. The
    /// state takes the events in only when they are synced. No events, no line.
    ///
    /// # Errors
    ///
    /// If the batch cannot be recorded. Where even taking it back fails, every
    /// further append is refused as [`AppendError::Poisoned`].
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

    /// Writes a snapshot once the journal has grown by as much as one costs.
    pub(super) fn write_snapshot_if_grown(&mut self) {
        let (reaches, size) = self.snapshot;
        let grown = self.after.end.offset.saturating_sub(reaches);
        if grown < SNAPSHOT_EVERY.max(size) {
            return;
        }
        // Without it the next opening reads more, and that is all.
        let written = snapshot::write(&*self.disk, &self.layout, &self.after, &self.state);
        self.snapshot = (self.after.end.offset, written.unwrap_or(size));
    }
}

/// Writes a line and makes it durable.
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
