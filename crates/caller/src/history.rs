//! Past debates: the index of them, opened and brought up to date.

use std::path::Path;

use agon_index::{Index, IndexError, RefreshLimit, Refreshed};

use crate::{Code, Failure, Notes};

/// The index of the debates in `dir`, up to date; what was wrong with it is said on stderr.
///
/// # Errors
///
/// If the folder of debates cannot be read.
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

/// Says on stderr which folders could not be read this time.
pub fn note_unreadable(refreshed: &Refreshed, notes: &mut dyn Notes) {
    for (path, why) in &refreshed.unreadable {
        let why = agon_record::text::sanitise_line(why, 300);
        let path = agon_record::text::sanitise_line(&path.display().to_string(), 200);
        notes.warn(&format!("{path}: {why}"));
    }
}

/// An index that does not answer.
pub fn failure(error: &IndexError) -> Failure {
    match error {
        IndexError::NoWords => {
            Failure::new(Code::InvalidParameter, error.to_string()).parameter("search")
        }
        IndexError::Folder { .. } => Failure::from_error(Code::Store, error),
        IndexError::Library(_) => Failure::from_error(Code::Index, error)
            .hint("delete .agon/index.db in the folder of debates; it is built anew"),
    }
}
