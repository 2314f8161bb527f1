//! Writes the files that a new debate folder begins with.

use std::path::Path;
use std::sync::Arc;

use agon_record::event::Event;
use agon_record::state::ReplayError;
use agon_store::journal::{self, Position};
use agon_store::snapshot::SnapshotPoint;
use agon_store::{
    Blobs, Disk, DiskError, DiskFile, FileMark, Holder, Layout, LockError, LockGuard, RunList,
    write_synced,
};

use super::append::write_journal_line;

/// The file with git attributes for the folder.
pub(super) const ATTRIBUTES: &str = ".gitattributes";
const GIT_IGNORE: &str = "lock\nrun\nrun.tmp\nsnapshot\ntmp\nlog\nhanded\n";
const GIT_ATTRIBUTES: &str = "* -text\n.agon/journal.jsonl -text -merge\n";

// Four digits leave 35 of the 40 bytes of a name to the topic. Each attempt checks one folder.
/// Maximum number of folder names that are tried.
pub(super) const NAMES_TRIED: u32 = 9_999;

/// Why a debate folder was not created; nothing of it is left.
#[derive(Debug, thiserror::Error)]
pub enum CreateError {
    /// All tried names are taken.
    #[error("every name from `{base}` to `{base}-{NAMES_TRIED}` is taken")]
    Taken {
        /// The name without a number.
        base: String,
    },
    /// The opening event cannot be serialized.
    #[error("cannot write the opening of the debate")]
    Encode(#[source] serde_json::Error),
    /// The first events do not form a valid debate.
    #[error("the events do not form a valid debate")]
    Unfit(#[source] ReplayError),
    /// The new folder's lock cannot be taken.
    #[error("cannot lock the new folder")]
    Lock(#[source] LockError),
    /// A file operation failed.
    #[error(transparent)]
    Disk(#[from] DiskError),
}

/// A complete folder under a temporary name.
#[derive(Debug)]
pub(super) struct UnnamedFolder {
    pub(super) lock: Box<dyn LockGuard>,
    pub(super) after: SnapshotPoint,
}

impl UnnamedFolder {
    pub(super) fn build_in_temp(
        disk: &dyn Disk,
        temp: &Layout,
        events: &[Event],
        kept: &[&[u8]],
        at_ms: u64,
    ) -> Result<Self, CreateError> {
        if disk.metadata(temp.root())?.is_some() {
            disk.remove_tree(temp.root())?;
        }
        disk.create_dir(temp.root())?;
        write_git_attributes(disk, temp)?;
        let new = Self::create_record_dir(disk, temp, events, at_ms)?;
        let blobs = Blobs { disk, layout: temp };
        kept.iter().try_for_each(|bytes| blobs.store(bytes))?;
        disk.sync_dir(temp.root())?;
        Ok(new)
    }

    /// Creates the internal directory in a folder, with a journal of one line.
    pub(super) fn create_record_dir(
        disk: &dyn Disk,
        layout: &Layout,
        events: &[Event],
        at_ms: u64,
    ) -> Result<Self, CreateError> {
        disk.create_dir(&layout.agon_dir())?;
        let note = Holder::this_process(at_ms).to_lock_note();
        let lock = disk
            .lock(&layout.lock(), &note)
            .map_err(CreateError::Lock)?;
        let ignore = layout.agon_dir().join(".gitignore");
        write_synced(disk, &ignore, GIT_IGNORE.as_bytes())?;
        let stored = Blobs { disk, layout }.store_large_replies(events)?;
        let (line, end) =
            journal::encode_line(&Position::START, at_ms, &stored).map_err(CreateError::Encode)?;
        let mut journal = disk.create_file(&layout.journal())?;
        write_journal_line(&mut *journal, &line)?;
        drop(journal);
        disk.sync_dir(&layout.agon_dir())?;
        let after = SnapshotPoint {
            start: 0,
            end,
            opened_at_ms: at_ms,
            last_at_ms: at_ms,
        };
        Ok(Self { lock, after })
    }
}

/// Writes the attributes that keep git from changing the files.
pub(super) fn write_git_attributes(disk: &dyn Disk, layout: &Layout) -> Result<(), DiskError> {
    let attributes = layout.root().join(ATTRIBUTES);
    write_synced(disk, &attributes, GIT_ATTRIBUTES.as_bytes())
}

/// The open files of a folder that was just created.
pub(super) struct FolderFiles {
    pub(super) journal: Box<dyn DiskFile>,
    /// The current mark of the journal.
    pub(super) left: Option<FileMark>,
    pub(super) runs: RunList,
}

impl FolderFiles {
    /// Makes the new name in `parent` durable, and opens the folder's files.
    pub(super) fn sync_parent_and_open(
        disk: &Arc<dyn Disk>,
        parent: &Path,
        layout: &Layout,
    ) -> Result<Self, DiskError> {
        disk.sync_dir(parent)?;
        let journal = disk.open_append(&layout.journal())?;
        let left = journal.current_mark()?;
        let runs = RunList::open(Arc::clone(disk), layout)?;
        Ok(Self {
            journal,
            left,
            runs,
        })
    }
}
