//! Reading a debate folder without a lock and without writing.

use std::path::{Path, PathBuf};

use agon_record::event::Event;
use agon_record::state::State;
use agon_store::journal::{FORMAT_VERSION, JournalFault};
use agon_store::load::{LoadError, Use, load_debate};
use agon_store::{BlobFault, Disk, DiskError, Layout};

use crate::foreign::{self, Foreign, ForeignError};

/// A debate as its folder tells it, read without a lock.
///
/// It works on a folder that cannot be written, and beside a writer: then it
/// is the debate up to the last whole line.
#[derive(Clone, Debug)]
pub struct View {
    /// Where the debate stands, as far as the journal is sound.
    pub state: State,
    /// The version of the journal's format.
    pub format_version: u32,
    /// What is wrong with the folder.
    pub problems: Vec<Problem>,
    /// When the debate was opened, in milliseconds since 1970.
    pub at_first: u64,
    /// When the last line was written.
    pub at_last: u64,
    /// Sound lines of the journal.
    pub lines: u64,
    /// Every event, in order.
    pub events: Vec<Recorded>,
    /// Whether another tool keeps the debate: the events are then those that
    /// would import it, and no line is written.
    pub foreign: bool,
}

/// An event with its place in the record.
#[derive(Clone, Debug, PartialEq)]
pub struct Recorded {
    /// The line it stands in, from 1; a line holds a batch.
    pub seq: u64,
    /// When the line was written, in milliseconds since 1970.
    pub at_ms: u64,
    /// The event, with the text of a large reply in its place.
    pub event: Event,
}

/// Something wrong with a folder that does not hide the debate.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// The journal is read up to a line and no further.
    #[error(transparent)]
    Journal(#[from] JournalFault),
    /// The last line is not finished: a writer is at it, or was cut short.
    #[error("the last line of the journal is unfinished, {bytes} bytes")]
    Torn {
        /// How much of it is there.
        bytes: u64,
    },
    /// A large reply is not there.
    #[error("the reply in .agon/blobs/{hash} is missing")]
    BlobMissing {
        /// Its name.
        hash: String,
    },
    /// A large reply is not what was stored.
    #[error("the reply in .agon/blobs/{hash} is damaged")]
    BlobDamaged {
        /// Its name.
        hash: String,
    },
    /// The list of projections cannot be read.
    #[error(".agon/projections.json is damaged; files that differ count as changed by hand")]
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

/// Why there is nothing to show of a debate folder.
#[derive(Debug, thiserror::Error)]
pub enum ViewError {
    /// There is no journal here.
    #[error("{} holds no debate", path.display())]
    NotADebate {
        /// The folder.
        path: PathBuf,
    },
    /// Not even the first line of the journal can be read.
    #[error("cannot read the debate in {}", path.display())]
    Unreadable {
        /// The folder.
        path: PathBuf,
        /// Why.
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
    /// Reads the debate in the folder `path`, its whole journal.
    ///
    /// A folder that another tool keeps is read as [`foreign::read`] does.
    ///
    /// # Errors
    ///
    /// If there is no debate, its first line cannot be read, or the disk fails.
    pub fn read(disk: &dyn Disk, path: &Path) -> Result<Self, ViewError> {
        Self::load(disk, path, Use::Journal)
    }

    /// As [`View::read`], without the events that a snapshot stands for.
    pub(crate) fn load(disk: &dyn Disk, path: &Path, how: Use) -> Result<Self, ViewError> {
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
