//! A short duel for tests: its files, and its folder on an in-memory disk.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use agon_record::state::State;
pub(super) use agon_samples::batches::{AT, admitted, batches, given, opening, spec, state_after};
use agon_store::{Disk, Projection, RelPath};

use crate::{FindError, Folder, find_debate, list_debates};

/// Returns files as another crate would render them: Agon's own and a transcript.
pub(super) fn files(state: &State) -> Vec<Projection> {
    let mut files = crate::projections(state);
    let said = state
        .nodes()
        .iter()
        .map(|node| format!("{}\n", node.id))
        .collect::<String>();
    let transcript = format!("{} turns\n{said}", state.turns.len());
    files.push((
        RelPath::new("transcript.md").unwrap(),
        transcript.into_bytes(),
    ));
    files
}

pub(super) fn debates() -> PathBuf {
    PathBuf::from("/srv/debates")
}

pub(super) fn folder() -> PathBuf {
    debates().join("job-store")
}

/// Finds the folder of the debate `name`, with the ids from the folders in `dir`.
pub(super) fn find(disk: &dyn Disk, name: &str, dir: &Path) -> Result<PathBuf, FindError> {
    let list = || Ok(list_debates(disk, dir)?.debates);
    find_debate(disk, name, dir, &list)
}

/// Returns a debate on an in-memory disk, with the first `count` batches.
pub(super) fn debate(disk: &agon_store::FaultDisk, count: usize) -> Folder {
    let disk: Arc<dyn agon_store::Disk> = Arc::new(disk.clone());
    let mut folder = Folder::create(disk, &debates(), "Job store", spec(), AT).unwrap();
    for (n, batch) in (1..).zip(batches().iter().take(count)) {
        folder.append(AT + n, batch).unwrap();
    }
    folder
}

pub(super) fn open(
    disk: &agon_store::FaultDisk,
    path: &Path,
) -> Result<(Folder, crate::OpenReport), crate::OpenError> {
    Folder::open(Arc::new(disk.clone()), path, AT + 500)
}
