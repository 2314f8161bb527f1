//! What every reader does.

use std::io;
use std::path::PathBuf;

use crate::{Entry, PlanItem, RecordProblem, RecordedSession};

/// Reads one session, entry by entry, and goes on where it was when the record has grown.
///
/// A reader holds no entries. What it keeps to tell copies from news (ids it has met) is some
/// bytes a line, never text.
pub trait SessionReader {
    /// What is known of the session so far; whole after the first [`SessionReader::read`].
    fn session(&self) -> &RecordedSession;

    /// Gives every entry that was not given yet, up to the end of what is there.
    ///
    /// A last line that is not yet complete is left for the next time.
    ///
    /// # Errors
    ///
    /// If the record cannot be read at all any more: it is gone, or another took its place.
    fn read(&mut self, give: &mut dyn FnMut(Entry)) -> Result<ReadProgress, ReadError>;

    /// What could not be read so far.
    fn problems(&self) -> &[RecordProblem];

    /// The list of things to do, where the host keeps it beside the record.
    fn plan(&self) -> Vec<PlanItem> {
        Vec::new()
    }
}

/// How far a reader is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReadProgress {
    /// Entries that this read gave.
    pub entries: u64,
    /// Bytes of the record that were read so far; of a database, of the texts in its rows.
    pub bytes: u64,
    /// Bytes of a last line that is still being written, or was cut off.
    pub unfinished: u64,
}

/// Why a record cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The file cannot be opened or read.
    #[error("cannot read {}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The file became shorter than what was read of it, or another file is in its place.
    #[error("{} is not the file it was", path.display())]
    Replaced {
        /// The file.
        path: PathBuf,
    },
    /// The database cannot be opened or read.
    #[error("cannot read the database {}: {reason}", path.display())]
    Database {
        /// The file.
        path: PathBuf,
        /// What the library says.
        reason: String,
    },
}
