//! A mark of a team's files that changes with them.

use std::fs;
use std::time::UNIX_EPOCH;

use agon_caller::Caller;
use agon_team::store::TeamLocation;

use super::gate::gate_file;

/// Returns a text that changes with every change of the team in the caller's repository, or `None`
/// if there is no team. It only asks for the sizes and times of files, so a page may ask every
/// second.
///
/// A change by time alone, such as the end of a lease, does not change it.
pub fn version(caller: &Caller) -> Option<String> {
    let location = TeamLocation::find(&caller.cwd).ok()?;
    let database = location.database();
    let mut journal = database.clone().into_os_string();
    journal.push("-wal");
    let own = [database.as_path(), journal.as_ref()];
    let gates = gate_file(&location);
    let marks = own.into_iter().chain([gates.as_path()]).map(|path| {
        let seen = fs::metadata(path).ok()?;
        let changed = seen.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
        Some(format!("{:x}-{:x}", changed.as_nanos(), seen.len()))
    });
    let marks: Vec<Option<String>> = marks.collect();
    marks.first()?.as_ref()?;
    let marks: Vec<String> = marks.into_iter().map(Option::unwrap_or_default).collect();
    Some(marks.join("."))
}
