//! Finds the debates that were opened lately on a topic, without replaying any.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use agon_folder::read_opening;
use agon_store::{Disk as _, DiskError, Layout, RealDisk};

use crate::file;
use crate::listed_rows;
use crate::stamp::{file_stamp, stat};

/// Returns the folders in `dir` whose debate was opened with `topic` at `since_ms` or later, in
/// milliseconds since 1970, in the order of their names. Leaves out the folders named in `known`,
/// and adds the names of all folders to it.
///
/// Writes nothing. Checks the time of each journal. If one was written since then and is not in the
/// index in this state, reads it and parses its first line. Leaves out debates that cannot be read.
/// A second search with the same `known` costs a list of the directory, and reads only the debates
/// that were opened in between.
///
/// # Errors
///
/// If the directory cannot be read.
pub fn debates_opened_since(
    dir: &Path,
    since_ms: u64,
    topic: &str,
    known: &mut BTreeSet<OsString>,
) -> Result<Vec<PathBuf>, DiskError> {
    let names = match RealDisk.list_names(dir) {
        Ok(names) => names,
        Err(error) if error.is_not_found() => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    // Opened when the first journal is new enough, because opening costs more than a list.
    let mut index = None;
    let since = SystemTime::UNIX_EPOCH + Duration::from_millis(since_ms);
    let is_meant = |at_ms: u64, found: &str| at_ms >= since_ms && found == topic;
    let mut found = Vec::new();
    for name in names {
        if name.as_bytes().starts_with(b".") || !known.insert(name.clone()) {
            continue;
        }
        let path = dir.join(&name);
        let failed = |cause: io::Error| DiskError::new("check", &path, cause);
        let Some(journal) = stat(&Layout::new(&path).journal()).map_err(failed)? else {
            continue;
        };
        if journal.modified().is_ok_and(|at| at < since) {
            continue;
        }
        let index = index.get_or_insert_with(|| file::open_existing(dir));
        let row = index
            .as_ref()
            .map(|db| listed_rows::read_one(db, name.as_bytes()));
        if let Some(Err(_)) = row {
            // A busy index takes up to a second to say so.
            *index = None;
        }
        let row = row
            .and_then(Result::ok)
            .flatten()
            .filter(|row| row.stamp == file_stamp(&journal));
        let is_found = match row.and_then(|row| row.parse_record()) {
            Some(record) => is_meant(record.at_first, &record.topic),
            None => read_opening(&RealDisk, &path)
                .ok()
                .flatten()
                .is_some_and(|opening| is_meant(opening.at_ms, &opening.spec.topic)),
        };
        if is_found {
            found.push(path);
        }
    }
    Ok(found)
}
