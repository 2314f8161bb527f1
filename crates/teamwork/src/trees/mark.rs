//! Marks of the work trees that Agon itself writes to: what changes there meanwhile comes from Agon.

use std::collections::BTreeMap;
use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

use agon_caller::{Caller, Code, Failure};
use agon_team::store::TeamLocation;

use crate::door::failure;

/// Says that Agon is about to write to a work tree. Two marks of a tree are never the same.
///
/// # Errors
///
/// If it cannot be written.
pub(crate) fn mark(caller: &Caller, tree: &Path) -> Result<(), Failure> {
    let location = TeamLocation::find(&caller.cwd).map_err(failure)?;
    let path = mark_of(&location, tree);
    let written =
        make_folder(&path).and_then(|()| fs::write(&path, ulid::Ulid::generate().to_string()));
    written.map_err(|cause| {
        let message = format!("cannot write {}: {cause}", caller.display_path(&path));
        Failure::new(Code::Store, message)
    })
}

fn make_folder(path: &Path) -> io::Result<()> {
    let folder = path.parent().unwrap_or(path);
    DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

/// The most bytes of a mark that are read.
const MAX_BYTES: u64 = 64 << 10;

/// The last mark of each of these work trees that has one.
pub(crate) fn marks(location: &TeamLocation, trees: &[PathBuf]) -> BTreeMap<PathBuf, String> {
    let marked = trees.iter().filter_map(|tree| {
        let mark = agon_files::read_to_string(&mark_of(location, tree), MAX_BYTES).ok()?;
        Some((tree.clone(), mark))
    });
    marked.collect()
}

/// Forgets the mark of a work tree that is gone.
pub(crate) fn unmark(location: &TeamLocation, tree: &Path) {
    // One that stays says nothing.
    fs::remove_file(mark_of(location, tree)).ok();
}

/// By the name of its folder: git may name the same one by another path.
fn mark_of(location: &TeamLocation, tree: &Path) -> PathBuf {
    let folder = location.database().with_file_name("trees");
    folder.join(tree.file_name().unwrap_or_default())
}
