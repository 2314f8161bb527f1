//! The common interface of the readers.

use std::io;
use std::path::PathBuf;

use crate::{Entry, PlanItem, RecordProblem, RecordedSession};

/// Reads a session entry by entry, and continues from there when the record has grown.
///
/// A reader keeps no entries. To recognize copies it keeps ids, a few bytes per line, but no text.
pub trait SessionReader {
    /// Returns the session's description, which is complete after the first
    /// [`SessionReader::read`].
    fn session(&self) -> &RecordedSession;

    /// Passes on every new entry up to the current end of the record.
    ///
    /// An incomplete last line is left for the next call.
    ///
    /// # Errors
    ///
    /// If the record is gone, was replaced or cannot be read.
    fn read(&mut self, give: &mut dyn FnMut(Entry)) -> Result<ReadProgress, ReadError>;

    /// Returns the problems found so far.
    fn problems(&self) -> &[RecordProblem];

    /// Returns the to-do list, if the host stores it outside the record.
    fn plan(&self) -> Vec<PlanItem> {
        Vec::new()
    }
}

/// The progress of a reader.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReadProgress {
    /// Entries passed on by this read.
    pub entries: u64,
    /// Bytes read so far; for a database, bytes of text in its rows.
    pub bytes: u64,
    /// Bytes of an incomplete last line.
    pub unfinished: u64,
}

/// A record cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The file cannot be opened or read.
    #[error("cannot read {}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// The file was truncated or replaced.
    #[error("{} was replaced or truncated", path.display())]
    Replaced {
        /// The file.
        path: PathBuf,
    },
    /// The database cannot be opened or read.
    #[error("cannot read the database {}: {reason}", path.display())]
    Database {
        /// The file.
        path: PathBuf,
        /// The error of the database library.
        reason: String,
    },
}
