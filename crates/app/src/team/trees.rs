//! Work trees: made for members, looked at, and their changes committed.

mod change;
mod lock;
mod look;
mod make;
mod mark;
#[cfg(test)]
mod tests;

use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use agon_team::id::MemberName;
use agon_team::store::TeamLocation;

pub(super) use self::change::{changed_paths, check_out, commit, conflicts, merge};
use self::lock::lock_work_trees;
pub(super) use self::look::{find_way_out, look, look_at_all};
pub(super) use self::make::{has_branch, is_whole, make, make_and_unlock, unlock};
pub(super) use self::mark::marks;
use super::git::run_git;
use crate::caller::Caller;
use crate::failure::{Failure, FailureKind};

/// The folder for the work trees of a repository's members: in the user's state, outside of every
/// work tree of the repository and of its git folder, which AI tools guard.
///
/// # Errors
///
/// If the user has no such folder.
pub(super) fn folder(caller: &Caller, location: &TeamLocation) -> Result<PathBuf, Failure> {
    let state = caller.state_dir().ok_or_else(|| {
        Failure::new(
            FailureKind::Store,
            "store",
            "there is no folder for work trees",
        )
        .hint("set HOME or XDG_STATE_HOME")
    })?;
    let parent = location.common_dir.parent();
    let name = parent.and_then(Path::file_name).unwrap_or_default();
    // The same in every version of Agon: trees that were made are found by it.
    let hash = blake3::hash(location.common_dir.as_os_str().as_bytes()).to_hex();
    let hash = hash.as_str().get(..16).unwrap_or_default();
    let name = format!("{}-{hash}", name.to_string_lossy());
    Ok(state.join("teams").join(name))
}

/// The branch of a member's own.
pub(super) fn branch_of(name: &MemberName) -> String {
    format!("agon/members/{name}")
}

/// The commit that is checked out in a work tree.
///
/// # Errors
///
/// If it has none.
pub(super) async fn head(caller: &Caller, tree: &Path) -> Result<String, Failure> {
    let head = run_git(caller, tree, &["rev-parse", "--verify", "HEAD"]).await?;
    Ok(head.trim().to_owned())
}

/// Every work tree of the repository.
///
/// # Errors
///
/// If git refuses.
pub(super) async fn list(caller: &Caller, at: &Path) -> Result<Vec<PathBuf>, Failure> {
    let _lock = lock_work_trees(caller, at).await?;
    let listed = run_git(caller, at, &["worktree", "list", "--porcelain", "-z"]).await?;
    let trees = listed
        .split('\0')
        .filter_map(|line| line.strip_prefix("worktree "));
    Ok(trees
        .map(PathBuf::from)
        .filter(|tree| tree.join(".git").exists())
        .collect())
}
