//! Checks whether the journal is unchanged since this process wrote it.

use agon_store::DiskError;
use agon_store::journal::{self, Position};

use super::Folder;

impl Folder {
    /// Returns whether the journal is unchanged since Agon's last write.
    ///
    /// Comparing file marks suffices if nothing about the file changed. Otherwise, as after a
    /// change of owner or a new link, or if its last mark is unknown, the whole journal is read:
    /// its hashes are chained, so the same end means the same lines. A rewrite within the clock
    /// tick of Agon's own last write is not noticed, nor is any on a disk without marks.
    pub(super) fn is_journal_unchanged(&mut self) -> Result<bool, DiskError> {
        let path = self.layout.journal();
        let open = self.journal.current_mark()?;
        let Some(meta) = self.disk.metadata(&path)? else {
            return Ok(false);
        };
        if meta.len != self.after.end.offset {
            return Ok(false);
        }
        let Some(now) = meta.mark else {
            return Ok(true);
        };
        // Another file now has this name, and new lines would still go to the open one.
        if open.is_some_and(|open| !open.is_same_file(&now)) {
            return Ok(false);
        }
        if self.left.is_some_and(|left| left.has_same_times(&now)) {
            return Ok(true);
        }
        let scan = journal::scan_lines(&self.disk.read(&path)?, Position::START);
        let same = scan.fault.is_none() && scan.torn == 0 && scan.end == self.after.end;
        if same {
            self.left = Some(now);
        }
        Ok(same)
    }

    /// Remembers the journal's file mark after a write of Agon, for later comparison.
    pub(super) fn remember_journal_mark(&mut self) {
        // The line is already written; if reading the mark fails, the next check reads the whole
        // journal.
        self.left = self.journal.current_mark().ok().flatten();
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;
    use std::sync::Arc;

    use agon_record::event::Event;

    use super::*;
    use crate::AppendError;
    use agon_samples::batches::spec;
    use agon_store::{FileMark, RealDisk};

    const AT: u64 = 1_795_291_200_000;

    fn create(parent: &Path) -> Folder {
        Folder::create(Arc::new(RealDisk), parent, "Yes or no?", spec(), AT).unwrap()
    }

    fn stop() -> [Event; 1] {
        [Event::Agreement { stop: true }]
    }

    #[test]
    fn a_file_that_its_disk_numbers_anew_is_written_on() {
        let dir = tempfile::tempdir().unwrap();
        let mut folder = create(dir.path());
        folder.left = folder.left.map(FileMark::with_other_inode);
        // It is not even read, since nothing indicates a change.
        assert!(folder.is_journal_unchanged().unwrap());
        folder.append(AT + 1, &stop()).unwrap();
    }

    #[test]
    fn a_journal_of_which_nothing_is_remembered_is_read_before_it_is_written_on() {
        let dir = tempfile::tempdir().unwrap();
        let mut folder = create(dir.path());
        folder.left = None;
        folder.append(AT + 1, &stop()).unwrap();
        let journal = folder.layout.journal();
        let text = fs::read_to_string(&journal).unwrap();
        let other = text.replace("plain files", "plain filed");
        assert_eq!((other.len(), other == text), (text.len(), false));
        fs::write(&journal, other).unwrap();
        folder.left = None;
        let refused = folder.append(AT + 2, &stop()).unwrap_err();
        assert!(matches!(refused, AppendError::Changed), "{refused}");
    }
}
