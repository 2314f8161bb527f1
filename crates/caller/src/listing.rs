//! Lists debates: from the index if there are many, otherwise from their folders.

use std::path::Path;

use agon_folder::{Listing, list_debates};
use agon_index::Index;
use agon_store::{DiskError, RealDisk};

use crate::Notes;
use crate::background::is_alive;

// Reading a debate takes about 0.4 ms, and opening the index about as long as reading five. So few
// are not worth a new file.
/// Most folders that are read each time if there is no index yet.
const MAX_UNINDEXED: usize = 32;

/// Returns the debates in `dir`; none if the directory does not exist.
///
/// Notes that the index is being built if that takes more than a second.
///
/// # Errors
///
/// If the directory, or a debate's lock or background process, cannot be read.
pub(crate) fn list(dir: &Path, notes: &mut dyn Notes) -> Result<Listing, DiskError> {
    match list_from_index(dir, notes) {
        Some(listing) => Ok(listing),
        None => list_debates(&RealDisk, dir),
    }
}

fn list_from_index(dir: &Path, notes: &mut dyn Notes) -> Option<Listing> {
    if !Index::exists(dir) {
        // Stops after one name too many, because the folder may be huge.
        let names = std::fs::read_dir(dir).ok()?;
        if names.take(MAX_UNINDEXED + 1).count() <= MAX_UNINDEXED {
            return None;
        }
    }
    let mut note = || notes.note("note: reading the debates into the index, for faster lists");
    Index::open_for_list(dir)?.list(&is_alive, &mut note)
}
