//! An index of the debates in a folder: what they were about, what came of them, what they cost.
//!
//! It is a cache. Everything in it comes from the debate folders, it is brought up to date by
//! what changed in them, and it can be deleted at any time, also while it is in use. It is kept
//! in `.agon/index.db` below the folder of debates; where that cannot be written, in memory.
//! Unlike the record it does not go through a [`Disk`](agon_store::Disk): the library that keeps it
//! has its own way to a file.

mod decided;
mod entry;
mod file;
mod ledger;
mod near;
mod query;
mod refresh;
mod search;

use std::path::{Path, PathBuf};

use rusqlite::{Connection, ErrorCode};

pub use entry::{HungOn, Summary};
pub use ledger::{CallEnd, CallRecord, DebateCall, PastCallCost};
pub use near::{MAX_NEAR, NEAR, Near};
pub use refresh::{RefreshLimit, Refreshed};
pub use search::{Hit, Piece};

use file::IndexLocation;

/// What was found of an index that was not as it should be. None of it loses anything.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IndexNote {
    /// Another file, not an index, stood in its place.
    #[error("what stood at {} was no index of debates; it is kept as {}", path.display(), kept.display())]
    SetAside {
        /// The index's place.
        path: PathBuf,
        /// Where the file is now.
        kept: PathBuf,
    },
    /// The index was damaged, or of another version, and is rebuilt.
    #[error("the index of debates was {was} and is built anew")]
    Rebuilt {
        /// How it was, such as `damaged`.
        was: &'static str,
    },
    /// The index cannot be kept, so every search reads every debate.
    #[error("the index of debates cannot be kept in {}: {why}", path.display())]
    NotKept {
        /// The folder.
        path: PathBuf,
        /// Why not, for people.
        why: String,
    },
}

/// Why there is no index, not even in memory.
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
    /// The library that keeps the index failed.
    #[error("the index of debates does not answer")]
    Library(#[from] rusqlite::Error),
    /// Nothing to look for.
    #[error("there is no word to look for")]
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
    /// Opens the index of the debates in `dir`, or begins one.
    ///
    /// Nothing is read of the debates yet: that is [`Index::refresh`]. A folder that is not there
    /// has no debates, and is not created.
    ///
    /// # Errors
    ///
    /// If not even an index in memory can be had.
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

    /// What was found that was not as it should be, since the last time this was asked.
    pub fn take_notes(&mut self) -> Vec<IndexNote> {
        std::mem::take(&mut self.notes)
    }

    /// Runs `work`; if the index is damaged, rebuilds it and runs `work` again, the last time in
    /// memory.
    fn run_with_repair<T>(
        &mut self,
        work: impl Fn(&mut Connection) -> Result<T, rusqlite::Error>,
    ) -> Result<T, IndexError> {
        match work(&mut self.db) {
            Ok(done) => return Ok(done),
            Err(error) if !is_fixed_by_rebuild(&error) => return Err(error.into()),
            Err(_) => {}
        }
        self.notes.push(IndexNote::Rebuilt { was: "damaged" });
        let (db, place) = file::replace_damaged_index(&self.dir, &self.place, &mut self.notes)?;
        (self.db, self.place) = (db, place);
        self.refresh(RefreshLimit::All)?;
        match work(&mut self.db) {
            Err(error) if is_fixed_by_rebuild(&error) => {}
            done => return Ok(done?),
        }
        // The disk cannot be trusted with it.
        (self.db, self.place) = (file::open_in_memory()?, IndexLocation::Memory);
        self.refresh(RefreshLimit::All)?;
        Ok(work(&mut self.db)?)
    }
}

/// Whether the file is at fault, and another one would do.
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
        // A table that is missing, or that is otherwise than we make it.
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
