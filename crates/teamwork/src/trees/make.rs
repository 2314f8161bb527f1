//! A work tree is made, whole or not at all.

use std::path::{Path, PathBuf};

use agon_caller::{Caller, Code, Failure};
use agon_git::{Fetched, FilterScope, Git, GitSession};
use agon_team::store::TeamLocation;

use super::commit_of;
use super::lock::lock_work_trees;
use super::mark::mark;
use super::moved::repair;
use crate::door::failure;
use crate::git::{
    checkout_limits, git_failure, location_of, open_at, run_git, run_over_files, slow_git_failure,
};

/// Makes the work tree of a member at `path` on its branch, which begins at `base`; what is there
/// stays as it is. Objects that a partial clone lacks of the commit are fetched first, and returned.
///
/// # Errors
///
/// If git refuses, a file of the commit needs a filter that only the repository defines, or the
/// `.git` of a work tree that is there leads elsewhere by now.
pub(crate) async fn make(
    caller: &Caller,
    path: &Path,
    branch: &str,
    base: &str,
) -> Result<Option<Fetched>, Failure> {
    let _lock = lock_work_trees(caller, &caller.cwd).await?;
    let location = TeamLocation::find(&caller.cwd).map_err(failure)?;
    let stored = |doing: &str, path: &Path, cause: std::io::Error| {
        let message = format!("cannot {doing} {}: {cause}", path.display());
        Failure::new(Code::Store, message)
    };
    if let Some(folder) = path.parent() {
        repair(caller, &location, folder, |tree| tree.place == path)?;
    }
    if is_whole(&location, path) {
        location_of(caller, path)?;
        return Ok(None);
    }
    mark(caller, path)?;
    if let Some(parent) = path.parent() {
        std::fs::create_dir_all(parent).map_err(|cause| stored("make", parent, cause))?;
    }
    // One that was removed by hand, or whose making was killed, is forgotten first.
    if path.exists() {
        if !is_unfinished(&location, path) {
            let message = format!(
                "{} is there, and is no work tree of this repository",
                caller.display_path(path)
            );
            return Err(
                Failure::new(Code::Store, message).hint("move it away: it may have work in it")
            );
        }
        std::fs::remove_dir_all(path).map_err(|cause| stored("remove", path, cause))?;
    }
    let repository = location.repository();
    // Of the registrations only the one of this path: another may be of a disk that is not here now.
    repository
        .forget_work_tree(path)
        .map_err(|cause| stored("remove the registration of", path, cause))?;
    let registrations = location.common_dir.join("worktrees");
    std::fs::create_dir_all(&registrations)
        .map_err(|cause| stored("make", &registrations, cause))?;
    let session = open_at(caller, &location).await?;
    let git = async |args: &[&str]| session.text(args).await.map_err(git_failure);
    let reference = format!("refs/heads/{branch}");
    let is_new = !has_branch(caller, branch).await?;
    let begin = if is_new { base } else { &reference };
    let commit = commit_of(&session, begin).await?;
    let commit = commit.as_str();
    let limits = checkout_limits(caller)?;
    let fetched = session.fetch_missing(commit, limits).await;
    let fetched = fetched.map_err(slow_git_failure)?;
    session
        .refuse_foreign_filters(FilterScope::Commit(commit))
        .await
        .map_err(git_failure)?;
    if is_new {
        git(&["update-ref", "-m", "branch by agon", &reference, commit, ""]).await?;
    }
    let added = session
        .add_work_tree(path, branch)
        .await
        .map_err(git_failure)?;
    let program = Git::find(&caller.vars_os).map_err(git_failure)?;
    let inside = GitSession::open(&program, &added)
        .await
        .map_err(git_failure)?;
    run_over_files(caller, &inside, &["reset", "-q", "--hard"], b"").await?;
    Ok(fetched)
}

/// Like [`make`], of a work tree that only the caller writes to now: what a git that was killed left
/// locked there is free again.
///
/// # Errors
///
/// As [`make`].
pub(crate) async fn make_and_unlock(
    caller: &Caller,
    path: &Path,
    branch: &str,
    base: &str,
) -> Result<Option<Fetched>, Failure> {
    let fetched = make(caller, path, branch, base).await?;
    let location = TeamLocation::find(&caller.cwd).map_err(failure)?;
    unlock(&location, path);
    Ok(fetched)
}

/// Whether the repository has a branch of this name.
///
/// # Errors
///
/// If git refuses.
pub(crate) async fn has_branch(caller: &Caller, branch: &str) -> Result<bool, Failure> {
    let reference = format!("refs/heads/{branch}");
    let args = ["for-each-ref", "--format=%(refname)", &reference];
    Ok(!run_git(caller, &caller.cwd, &args).await?.trim().is_empty())
}

/// Whether a work tree is there with all of its files.
pub(crate) fn is_whole(location: &TeamLocation, path: &Path) -> bool {
    let folder = git_folder(location, path).filter(|_| path.is_dir());
    folder.is_some_and(|folder| folder.join("HEAD").exists() && folder.join("index").exists())
}

/// Whether nothing but a git that was killed was at this folder: it keeps a work tree locked while it
/// makes it, and writes the index last. A lock alone may be a person's.
fn is_unfinished(location: &TeamLocation, path: &Path) -> bool {
    match git_folder(location, path) {
        Some(folder) => !folder.join("index").exists(),
        None => std::fs::read_dir(path).is_ok_and(|mut inside| inside.next().is_none()),
    }
}

/// The git folder that the repository has for a work tree that was added. What the work tree itself
/// says of it does not count.
fn git_folder(location: &TeamLocation, path: &Path) -> Option<PathBuf> {
    location.repository().registration_of(path)
}

/// Removes what a git that was killed left locked in a work tree. Only who knows that no other process
/// is at work there may: the lock of one that lives would be lost with what it writes.
pub(crate) fn unlock(location: &TeamLocation, path: &Path) {
    if let Some(folder) = git_folder(location, path) {
        // Usually there is none; git reports one that cannot be removed.
        std::fs::remove_file(folder.join("index.lock")).ok();
    }
}
