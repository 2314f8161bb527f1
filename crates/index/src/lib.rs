//! An index of the debates in a folder: lists, topics, results and costs.
//!
//! The index is a cache. Everything in it comes from the debate folders. It is updated when they
//! change, and can be deleted at any time, even while in use. It is stored in `.agon/index.db`
//! below the folder of debates, or in memory if that is not writable. Unlike the record, it does
//! not go through a [`Disk`](agon_store::Disk), since SQLite accesses files itself.

mod decisions;
mod entry;
mod file;
mod ledger;
mod listed_rows;
mod listing;
mod opened;
mod query;
mod refresh;
mod search;
mod similar;
mod stamp;

use std::path::{Path, PathBuf};

use rusqlite::{Connection, ErrorCode};

pub use entry::{DecisivePoint, Summary};
pub use ledger::{CallEnd, CallRecord, DebateCall, PastCallCost};
pub use listing::IsRunning;
pub use opened::debates_opened_since;
pub use refresh::{RefreshLimit, Refreshed};
pub use search::{Hit, Piece};
pub use similar::{MAX_SIMILAR, MIN_SIMILARITY, SimilarDecision};

use file::IndexLocation;

/// A problem that the index repaired without losing anything.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IndexNote {
    /// Another program's file had the name of the index.
    #[error("the file {} was not an index of debates; it was renamed to {}", path.display(), kept.display())]
    SetAside {
        /// The path of the index.
        path: PathBuf,
        /// The new path of the renamed file.
        kept: PathBuf,
    },
    /// The index was corrupted or from another version, and is rebuilt.
    #[error("the index of debates was {was} and is being rebuilt")]
    Rebuilt {
        /// The state that was found, such as `corrupted`.
        was: &'static str,
    },
    /// The index cannot be stored, so every search reads every debate.
    #[error("cannot store the index of debates in {}: {why}", path.display())]
    NotKept {
        /// The folder.
        path: PathBuf,
        /// The reason, as text for the user.
        why: String,
    },
}

/// The reason why there is no index, not even in memory.
#[derive(Debug, thiserror::Error)]
pub enum IndexError {
    /// The folder of debates cannot be read.
    #[error("cannot read {}", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// The operating system's reason.
        #[source]
        cause: std::io::Error,
    },
    /// SQLite failed.
    #[error("the index of debates failed")]
    Library(#[from] rusqlite::Error),
    /// The search contains no word.
    #[error("the search contains no word")]
    NoWords,
}

/// An index of the debates in a folder.
#[derive(Debug)]
pub struct Index {
    dir: PathBuf,
    db: Connection,
    place: IndexLocation,
    notes: Vec<IndexNote>,
}

impl Index {
    /// Opens the index of the debates in `dir`, or creates it.
    ///
    /// Reads no debates; [`Index::refresh`] does. A missing folder has no debates and is not
    /// created.
    ///
    /// # Errors
    ///
    /// If not even an index in memory can be created.
    pub fn open(dir: &Path) -> Result<Self, IndexError> {
        let mut notes = Vec::new();
        let (db, place) = file::open_index(dir, &mut notes)?;
        let dir = dir.to_owned();
        Ok(Self {
            dir,
            db,
            place,
            notes,
        })
    }

    /// Opens the index of the debates in `dir` for [`Index::list`], or creates it; `None` if it
    /// cannot be stored there, is in use, or another program's file is in its place.
    pub fn open_for_list(dir: &Path) -> Option<Self> {
        let (db, place) = file::open_for_list(dir)?;
        Some(Self {
            dir: dir.to_owned(),
            db,
            place,
            notes: Vec::new(),
        })
    }

    /// Returns whether there is a file in the place of the index of the debates in `dir`.
    pub fn exists(dir: &Path) -> bool {
        file::index_path(dir).is_file()
    }

    /// Returns the notes collected so far and clears them.
    pub fn take_notes(&mut self) -> Vec<IndexNote> {
        std::mem::take(&mut self.notes)
    }

    /// Runs `work`. If the index is corrupted, rebuilds it and runs `work` again, and as a last
    /// resort in memory.
    fn run_with_repair<T>(
        &mut self,
        work: impl Fn(&mut Connection) -> Result<T, rusqlite::Error>,
    ) -> Result<T, IndexError> {
        match work(&mut self.db) {
            Ok(done) => return Ok(done),
            Err(error) if !is_fixed_by_rebuild(&error) => return Err(error.into()),
            Err(_) => {}
        }
        self.notes.push(IndexNote::Rebuilt { was: "corrupted" });
        let (db, place) = file::replace_damaged_index(&self.dir, &self.place, &mut self.notes)?;
        (self.db, self.place) = (db, place);
        self.refresh(RefreshLimit::All)?;
        match work(&mut self.db) {
            Err(error) if is_fixed_by_rebuild(&error) => {}
            done => return Ok(done?),
        }
        // A second rebuild failed, so the disk is unreliable: use an index in memory.
        (self.db, self.place) = (file::open_in_memory()?, IndexLocation::Memory);
        self.refresh(RefreshLimit::All)?;
        Ok(work(&mut self.db)?)
    }
}

/// Returns whether the index file caused the error, so that a new file would help.
fn is_fixed_by_rebuild(error: &rusqlite::Error) -> bool {
    let broken = [
        ErrorCode::DatabaseCorrupt,
        ErrorCode::NotADatabase,
        ErrorCode::SystemIoFailure,
        ErrorCode::CannotOpen,
        ErrorCode::ReadOnly,
        ErrorCode::DiskFull,
        ErrorCode::PermissionDenied,
        ErrorCode::SchemaChanged,
        // SQLite reports a missing or different table with this code.
        ErrorCode::Unknown,
    ];
    let code = error.sqlite_error_code();
    match error {
        rusqlite::Error::SqlInputError { .. } | rusqlite::Error::InvalidColumnType(..) => true,
        rusqlite::Error::FromSqlConversionFailure(..) | rusqlite::Error::Utf8Error(..) => true,
        rusqlite::Error::IntegralValueOutOfRange(..) => true,
        _ => code.is_some_and(|code| broken.contains(&code)),
    }
}
