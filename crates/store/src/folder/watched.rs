//! Whether the journal is still as this process left it.

use super::Folder;
use crate::disk::DiskError;
use crate::journal::{self, Position};

impl Folder {
    /// Whether the journal is as it was after the last line of ours.
    ///
    /// One look at it is enough as long as nothing changed about the file. When something did, as
    /// by another owner or a link to it, all of it is read: its hashes hang together, so that the
    /// same end means the same lines. A rewrite within the clock tick of our own last write is
    /// not seen.
    pub(super) fn is_as_left(&mut self) -> Result<bool, DiskError> {
        let path = self.layout.journal();
        let Some(meta) = self.disk.metadata(&path)? else {
            return Ok(false);
        };
        if meta.len != self.after.end.offset {
            return Ok(false);
        }
        let (Some(left), Some(now)) = (self.left, meta.mark) else {
            self.left = meta.mark;
            return Ok(true);
        };
        if now == left {
            return Ok(true);
        }
        // What is written now goes into the file that was opened, whatever has its name.
        if !now.is_same_file(&left) {
            return Ok(false);
        }
        let scan = journal::scan(&self.disk.read(&path)?, Position::START);
        let same = scan.fault.is_none() && scan.torn == 0 && scan.end == self.after.end;
        if same {
            self.left = Some(now);
        }
        Ok(same)
    }

    /// Takes note of the journal as it is now, after a write of ours.
    pub(super) fn note_as_left(&mut self) {
        // Where it cannot be told, the next look is the first.
        self.left = self.journal.mark().unwrap_or_default();
    }
}
