//! Marks work trees that Agon writes to, so that its changes are not blamed on a member's turn.

use std::collections::BTreeMap;
use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

use agon_caller::{Caller, Code, Failure};
use agon_team::store::TeamLocation;

use crate::open_team::failure;

/// Records that Agon is about to write to a work tree. Every mark is unique.
///
/// # Errors
///
/// Fails if the mark cannot be written.
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

/// Maximum size of a mark, in bytes.
const MAX_BYTES: u64 = 64 << 10;

/// Returns the last mark of each of these work trees that has one.
pub(crate) fn marks(location: &TeamLocation, trees: &[PathBuf]) -> BTreeMap<PathBuf, String> {
    let marked = trees.iter().filter_map(|tree| {
        let mark = agon_files::read_to_string(&mark_of(location, tree), MAX_BYTES).ok()?;
        Some((tree.clone(), mark))
    });
    marked.collect()
}

/// Removes the mark of a work tree that is gone.
pub(crate) fn unmark(location: &TeamLocation, tree: &Path) {
    // Ignore errors: a mark of a removed tree has no effect.
    fs::remove_file(mark_of(location, tree)).ok();
}

/// Returns the path of a work tree's mark. It has the name of the tree's folder, because git may
/// report the same tree under another path.
fn mark_of(location: &TeamLocation, tree: &Path) -> PathBuf {
    let folder = location.database().with_file_name("trees");
    folder.join(tree.file_name().unwrap_or_default())
}
