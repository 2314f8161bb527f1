//! Creates work trees, completely or not at all.

use std::path::{Path, PathBuf};

use agon_caller::{Caller, Code, Failure};
use agon_git::{Fetched, FilterScope, Git, GitSession};
use agon_team::store::TeamLocation;

use super::commit_of;
use super::lock::lock_work_trees;
use super::mark::mark;
use super::moved::repair;
use crate::git::{
    checkout_failure, checkout_limits, git_failure, location_of, open_at, run_git, run_over_files,
};
use crate::open_team::failure;

/// Creates a member's work tree at `path` on its branch, which starts at `base`; an existing tree
/// stays as it is. Objects of the commit that a partial clone lacks are fetched first, and
/// reported.
///
/// # Errors
///
/// Fails if git fails, a file of the commit needs a filter that only the repository defines, or the
/// `.git` of an existing work tree now points elsewhere.
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
        std::fs::create_dir_all(parent).map_err(|cause| stored("create", parent, cause))?;
    }
    // Remove the registration of a tree that was deleted by hand or whose creation was killed.
    if path.exists() {
        if !is_unfinished(&location, path) {
            let message = format!(
                "{} exists but is not a work tree of this repository",
                caller.display_path(path)
            );
            return Err(
                Failure::new(Code::Store, message).hint("move it away; it may contain work")
            );
        }
        std::fs::remove_dir_all(path).map_err(|cause| stored("remove", path, cause))?;
    }
    let repository = location.repository();
    // Only this path's registration: another tree may be on a disk that is not mounted now.
    repository
        .forget_work_tree(path)
        .map_err(|cause| stored("remove the registration of", path, cause))?;
    let registrations = location.common_dir.join("worktrees");
    std::fs::create_dir_all(&registrations)
        .map_err(|cause| stored("create", &registrations, cause))?;
    let session = open_at(caller, &location).await?;
    let git = async |args: &[&str]| session.text(args).await.map_err(git_failure);
    let reference = format!("refs/heads/{branch}");
    let is_new = !has_branch(caller, branch).await?;
    let begin = if is_new { base } else { &reference };
    let commit = commit_of(&session, begin).await?;
    let commit = commit.as_str();
    let limits = checkout_limits(caller)?;
    let fetched = session.fetch_missing(commit, limits).await;
    let fetched = fetched.map_err(checkout_failure)?;
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

/// Like [`make`], for a work tree that only the caller writes to now: also removes an index lock
/// that a killed git left there.
///
/// # Errors
///
/// Fails like [`make`].
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

/// Returns whether the repository has a branch with this name.
///
/// # Errors
///
/// If git refuses.
pub(crate) async fn has_branch(caller: &Caller, branch: &str) -> Result<bool, Failure> {
    let reference = format!("refs/heads/{branch}");
    let args = ["for-each-ref", "--format=%(refname)", &reference];
    Ok(!run_git(caller, &caller.cwd, &args).await?.trim().is_empty())
}

/// Returns whether a work tree exists with all of its files.
pub(crate) fn is_whole(location: &TeamLocation, path: &Path) -> bool {
    let folder = git_folder(location, path).filter(|_| path.is_dir());
    folder.is_some_and(|folder| folder.join("HEAD").exists() && folder.join("index").exists())
}

/// Returns whether this folder is only the leftover of a killed git. Git locks a work tree while
/// creating it and writes the index last. A lock alone proves nothing, because a user may have locked
/// the tree.
fn is_unfinished(location: &TeamLocation, path: &Path) -> bool {
    match git_folder(location, path) {
        Some(folder) => !folder.join("index").exists(),
        None => std::fs::read_dir(path).is_ok_and(|mut inside| inside.next().is_none()),
    }
}

/// Returns the git folder that the repository registered for an added work tree, ignoring what the
/// tree's own `.git` says.
fn git_folder(location: &TeamLocation, path: &Path) -> Option<PathBuf> {
    location.repository().registration_of(path)
}

/// Removes the index lock that a killed git left in a work tree. The caller must know that no other
/// process works there: a live process would lose its lock and its changes.
pub(crate) fn unlock(location: &TeamLocation, path: &Path) {
    if let Some(folder) = git_folder(location, path) {
        // Ignore errors: usually there is no such lock, and git reports one that cannot be removed.
        std::fs::remove_file(folder.join("index.lock")).ok();
    }
}
