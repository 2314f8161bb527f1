//! A mark of a team's files that changes with them.

use std::fs;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use agon_caller::Caller;
use agon_git::Repository;
use agon_team::store::TeamLocation;

use super::gate::gate_file;

/// Returns a text that changes with every change of the team in the caller's repository, or `None`
/// if there is no team. The commits of the work trees are part of it, because a task that is done
/// can be merged or not. It only asks for the sizes and times of files, so a page may ask every
/// second.
///
/// A change by time alone, such as the end of a lease, does not change it.
pub fn version(caller: &Caller) -> Option<String> {
    let location = TeamLocation::find(&caller.cwd).ok()?;
    let database = location.database();
    let own = mark(&database)?;
    let mut journal = database.into_os_string();
    journal.push("-wal");
    let mut others = DefaultHasher::new();
    let files = [PathBuf::from(journal), gate_file(&location)].into_iter();
    for file in files.chain(commit_files(&location.repository())) {
        mark(&file).hash(&mut others);
    }
    Some(format!("{own}.{:x}", others.finish()))
}

/// Returns the time and the size of a file, or `None` if there is no such file.
fn mark(path: &Path) -> Option<String> {
    let seen = fs::metadata(path).ok()?;
    let changed = seen.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    Some(format!("{:x}-{:x}", changed.as_nanos(), seen.len()))
}

/// Returns the files that git replaces when the commit of a work tree changes.
fn commit_files(repository: &Repository) -> Vec<PathBuf> {
    let shared = &repository.common_dir;
    let mut files = vec![
        shared.join("packed-refs"),
        shared.join("reftable/tables.list"),
    ];
    for tree in repository.work_trees() {
        files.push(tree.git_dir.join("HEAD"));
        files.push(tree.git_dir.join("reftable/tables.list"));
        let head = fs::read_to_string(tree.git_dir.join("HEAD")).unwrap_or_default();
        let branch = head.trim_end().strip_prefix("ref: ");
        files.extend(branch.map(|branch| shared.join(branch)));
    }
    files
}
