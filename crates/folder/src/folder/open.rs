//! Opens a debate folder for writing.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use agon_store::journal::JournalFault;
use agon_store::load::{LoadError, Loaded, SnapshotUse, load_debate};
use agon_store::{Disk, DiskError, Holder, Layout, LockError, RunList, save_in_aside_dir};

use super::Folder;
use super::published::Published;
use crate::manifest::Manifest;
use crate::view::{Problem, blob_problem};

/// The result of opening a folder for writing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OpenReport {
    /// An incomplete last line from a crash, which was never acknowledged.
    pub torn: Option<Torn>,
    /// Problems to report that do not prevent writing.
    pub warnings: Vec<Problem>,
}

/// An incomplete last line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Torn {
    /// Its length in bytes.
    pub bytes: u64,
    /// Where it is saved now.
    pub kept: PathBuf,
}

/// Why a debate folder cannot be opened for writing.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The folder has no journal.
    #[error("{} does not contain a debate", path.display())]
    NotADebate {
        /// The folder.
        path: PathBuf,
    },
    /// A part of the folder is a link or another kind of file.
    #[error("{} is a link or not the expected kind of file", path.display())]
    Misplaced {
        /// The path.
        path: PathBuf,
    },
    /// Another process is writing.
    #[error("{} is still running ({})", path.display(), describe_holder(holder.as_ref()))]
    Locked {
        /// The folder.
        path: PathBuf,
        /// The process.
        holder: Option<Holder>,
    },
    /// The journal cannot be extended, but can still be read.
    #[error("cannot continue the debate in {}", path.display())]
    ReadOnly {
        /// The folder.
        path: PathBuf,
        /// The reason.
        #[source]
        fault: JournalFault,
    },
    /// A file operation failed.
    #[error(transparent)]
    Disk(#[from] DiskError),
}

fn describe_holder(holder: Option<&Holder>) -> String {
    match holder {
        Some(Holder { pid, started }) => format!("process {pid}, since {started}"),
        None => "in another process".to_owned(),
    }
}

impl Folder {
    /// Opens a debate folder for writing.
    ///
    /// Takes the lock, sets an incomplete last line aside, and reads what is new since the last
    /// snapshot. `at_ms` is shown to processes that find the lock taken.
    ///
    /// # Errors
    ///
    /// If there is no debate, another process writes it, its journal is corrupted, forked or from a
    /// newer version, or a file operation fails. Nothing is changed then.
    pub fn open(
        disk: Arc<dyn Disk>,
        path: &Path,
        at_ms: u64,
    ) -> Result<(Self, OpenReport), OpenError> {
        let layout = Layout::new(path);
        if let Some(path) = layout.first_misplaced_path(&*disk)? {
            return Err(OpenError::Misplaced { path });
        }
        if !layout.has_journal(&*disk)? {
            let path = path.to_owned();
            return Err(OpenError::NotADebate { path });
        }
        let note = Holder::this_process(at_ms).to_lock_note();
        let lock = match disk.lock(&layout.lock(), &note) {
            Ok(lock) => lock,
            Err(LockError::Taken(holder)) => {
                let path = path.to_owned();
                return Err(OpenError::Locked { path, holder });
            }
            Err(LockError::Disk(error)) => return Err(error.into()),
        };
        // Take the mark before reading, so that later changes are noticed.
        let mut left = disk.metadata(&layout.journal())?.and_then(|meta| meta.mark);
        let loaded = load_undamaged(&*disk, &layout)?;
        let (manifest, readable) = Manifest::read(&*disk, &layout)?;
        let mut opening = OpenReport::default();
        opening
            .warnings
            .extend(loaded.blobs.iter().map(blob_problem));
        if !readable {
            opening.warnings.push(Problem::Manifest);
        }
        let mut journal = disk.open_append(&layout.journal())?;
        if !loaded.torn.is_empty() {
            let bytes = loaded.torn.len() as u64;
            let kept = save_in_aside_dir(&*disk, &layout, "journal.jsonl", &loaded.torn)?;
            journal.truncate(loaded.after.end.offset)?;
            left = journal.current_mark()?;
            opening.torn = Some(Torn { bytes, kept });
        }
        // Sync the last line before new ones follow, because it may never have been synced.
        journal.sync()?;
        let runs = RunList::open(Arc::clone(&disk), &layout)?;
        let mut folder = Self {
            disk,
            layout,
            journal,
            left,
            after: loaded.after,
            state: loaded.state,
            manifest,
            published: Published::default(),
            runs,
            snapshot: loaded.snapshot,
            poisoned: false,
            _lock: lock,
        };
        folder.write_snapshot_if_grown();
        folder.remove_stop_requests()?;
        Ok((folder, opening))
    }
}

fn load_undamaged(disk: &dyn Disk, layout: &Layout) -> Result<Loaded, OpenError> {
    let read_only = |fault| {
        let path = layout.root().to_owned();
        OpenError::ReadOnly { path, fault }
    };
    match load_debate(disk, layout, SnapshotUse::Snapshot) {
        Ok(loaded) => match loaded.fault {
            Some(fault) => Err(read_only(fault)),
            None => Ok(loaded),
        },
        Err(LoadError::Fault(fault)) => Err(read_only(fault)),
        Err(LoadError::Disk(error)) => Err(error.into()),
    }
}
