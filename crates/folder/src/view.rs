//! Reads a debate folder without a lock and without writing.

use std::path::{Path, PathBuf};

use agon_record::event::Event;
use agon_record::state::State;
use agon_store::journal::{FORMAT_VERSION, JournalFault};
use agon_store::load::{LoadError, SnapshotUse, load_debate};
use agon_store::{BlobFault, Disk, DiskError, Layout};

use crate::foreign::{self, Foreign, ForeignError};

/// A debate read from its folder without a lock.
///
/// Works on a read-only folder, and while another process writes: the debate then ends at the last
/// complete line.
#[derive(Clone, Debug)]
pub struct View {
    /// The state of the debate, up to the first invalid journal line.
    pub state: State,
    /// The version of the journal's format.
    pub format_version: u32,
    /// The problems of the folder.
    pub problems: Vec<Problem>,
    /// When the debate was opened, in milliseconds since 1970.
    pub at_first: u64,
    /// When the last line was written.
    pub at_last: u64,
    /// The number of valid journal lines.
    pub lines: u64,
    /// Every event, in order.
    pub events: Vec<Recorded>,
    /// Whether another tool keeps the debate; the events are then the events that would import it,
    /// and there are no lines.
    pub foreign: bool,
}

/// An event with its position in the record.
#[derive(Clone, Debug, PartialEq)]
pub struct Recorded {
    /// Its line number, from 1; a line contains a batch.
    pub seq: u64,
    /// When the line was written, in milliseconds since 1970.
    pub at_ms: u64,
    /// The event, including the text of a large reply.
    pub event: Event,
}

/// A problem of a folder that does not prevent reading the debate.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// The journal can be read only up to a certain line.
    #[error(transparent)]
    Journal(#[from] JournalFault),
    /// The last line is incomplete: a process is writing it, or was interrupted.
    #[error("the last line of the journal is incomplete ({bytes} bytes)")]
    Torn {
        /// Its length in bytes.
        bytes: u64,
    },
    /// A large reply is missing.
    #[error("the reply in .agon/blobs/{hash} is missing")]
    BlobMissing {
        /// Its hash.
        hash: String,
    },
    /// A large reply was changed.
    #[error("the reply in .agon/blobs/{hash} is corrupted")]
    BlobDamaged {
        /// Its hash.
        hash: String,
    },
    /// The list of projections cannot be read.
    #[error(".agon/projections.json is corrupted, so changed files count as edited by hand")]
    Manifest,
}

pub(crate) fn blob_problem(fault: &BlobFault) -> Problem {
    let hash = fault.hash.clone();
    if fault.missing {
        Problem::BlobMissing { hash }
    } else {
        Problem::BlobDamaged { hash }
    }
}

/// Why a debate folder cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ViewError {
    /// The folder has no journal.
    #[error("{} does not contain a debate", path.display())]
    NotADebate {
        /// The folder.
        path: PathBuf,
    },
    /// Even the first line of the journal cannot be read.
    #[error("cannot read the debate in {}", path.display())]
    Unreadable {
        /// The folder.
        path: PathBuf,
        /// The reason.
        #[source]
        fault: JournalFault,
    },
    /// Another tool keeps a debate here, and it cannot be read.
    #[error(transparent)]
    Foreign(ForeignError),
    /// A file operation failed.
    #[error(transparent)]
    Disk(#[from] DiskError),
}

impl From<Foreign> for View {
    fn from(foreign: Foreign) -> Self {
        let events = foreign.opening_events();
        let state = State::open(foreign.spec()).with_events(&events[1..]);
        let given = foreign.imported.scores.values().flatten();
        let given: Vec<u64> = given.filter_map(|score| score.at_ms).collect();
        let recorded = events.into_iter();
        Self {
            state,
            format_version: FORMAT_VERSION,
            problems: Vec::new(),
            at_first: given.iter().copied().min().unwrap_or(0),
            at_last: given.iter().copied().max().unwrap_or(0),
            lines: 0,
            events: recorded
                .map(|event| Recorded {
                    seq: 0,
                    at_ms: 0,
                    event,
                })
                .collect(),
            foreign: true,
        }
    }
}

impl View {
    /// Returns when the latest verdict was recorded; without one, when the last line was written.
    ///
    /// A decision about the verdict, or a note, does not change it.
    pub fn answered_at(&self) -> u64 {
        let mut events = self.events.iter().rev();
        let answered = events.find_map(|one| match &one.event {
            Event::Closed { .. } | Event::Scored(_) => Some(one.at_ms),
            // It happened elsewhere, before it was imported.
            Event::Imported(imported) => imported
                .scores
                .values()
                .flatten()
                .filter_map(|score| score.at_ms)
                .max(),
            _ => None,
        });
        answered.unwrap_or(self.at_last)
    }

    /// Reads the debate in the folder `path` with its whole journal.
    ///
    /// Reads a folder of another tool like [`foreign::read`].
    ///
    /// # Errors
    ///
    /// If there is no debate, its first line cannot be read, or the disk fails.
    pub fn read(disk: &dyn Disk, path: &Path) -> Result<Self, ViewError> {
        Self::load(disk, path, SnapshotUse::Journal)
    }

    /// As [`View::read`], but without the events that a snapshot covers.
    pub(crate) fn load(disk: &dyn Disk, path: &Path, how: SnapshotUse) -> Result<Self, ViewError> {
        let layout = Layout::new(path);
        let path = || path.to_owned();
        if !layout.has_journal(disk)? {
            if foreign::is_foreign_debate(disk, layout.root())? {
                return match foreign::read(disk, layout.root()) {
                    Ok(foreign) => Ok(foreign.into()),
                    Err(ForeignError::Disk(error)) => Err(error.into()),
                    Err(error) => Err(ViewError::Foreign(error)),
                };
            }
            return Err(ViewError::NotADebate { path: path() });
        }
        let loaded = match load_debate(disk, &layout, how) {
            Ok(loaded) => loaded,
            Err(LoadError::Fault(fault)) => {
                let path = path();
                return Err(ViewError::Unreadable { path, fault });
            }
            Err(LoadError::Disk(error)) => return Err(error.into()),
        };
        let mut problems: Vec<_> = loaded.fault.into_iter().map(Problem::Journal).collect();
        if !loaded.torn.is_empty() {
            let bytes = loaded.torn.len() as u64;
            problems.push(Problem::Torn { bytes });
        }
        problems.extend(loaded.blobs.iter().map(blob_problem));
        let newest = problems.iter().find_map(|problem| match problem {
            Problem::Journal(JournalFault::Newer { version, .. }) => Some(*version),
            _ => None,
        });
        let recorded = loaded.lines.into_iter().flat_map(|line| {
            let (seq, at_ms) = (line.end.seq, line.at_ms);
            let events = line.events.into_iter();
            events.map(move |event| Recorded { seq, at_ms, event })
        });
        Ok(Self {
            state: loaded.state,
            format_version: newest.unwrap_or(FORMAT_VERSION),
            problems,
            at_first: loaded.after.opened_at_ms,
            at_last: loaded.after.last_at_ms,
            lines: loaded.after.end.seq,
            events: recorded.collect(),
            foreign: false,
        })
    }
}
