//! Opens and refreshes the index of past debates.

use std::path::Path;

use agon_index::{Index, IndexError, RefreshLimit, Refreshed};

use crate::{Code, Failure, Notes};

/// Opens and refreshes the index of the debates in `dir`; notes its problems.
///
/// # Errors
///
/// Returns an error if the folder of debates cannot be read.
pub fn open_refreshed_index(
    dir: &Path,
    upto: RefreshLimit,
    notes: &mut dyn Notes,
) -> Result<(Index, Refreshed), Failure> {
    let mut index = Index::open(dir).map_err(|error| failure(&error))?;
    let refreshed = index.refresh(upto).map_err(|error| failure(&error))?;
    for note in index.take_notes() {
        notes.note(&format!("note: {note}"));
    }
    Ok((index, refreshed))
}

/// Warns of folders that could not be read.
pub fn note_unreadable(refreshed: &Refreshed, notes: &mut dyn Notes) {
    for (path, why) in &refreshed.unreadable {
        let why = agon_record::text::sanitise_line(why, 300);
        let path = agon_record::text::sanitise_line(&path.display().to_string(), 200);
        notes.warn(&format!("{path}: {why}"));
    }
}

/// Returns the failure for an index that cannot be used.
pub fn failure(error: &IndexError) -> Failure {
    match error {
        IndexError::NoWords => {
            Failure::new(Code::InvalidParameter, error.to_string()).parameter("search")
        }
        IndexError::Folder { .. } => Failure::from_error(Code::Store, error),
        IndexError::Library(_) => Failure::from_error(Code::Index, error)
            .hint("delete .agon/index.db in the folder of debates; Agon builds it again"),
    }
}
