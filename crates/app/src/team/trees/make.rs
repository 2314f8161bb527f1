//! A work tree is made, whole or not at all.

use std::path::{Path, PathBuf};

use super::lock::lock_work_trees;
use super::mark::mark;
use crate::caller::Caller;
use crate::failure::{Failure, FailureKind};
use crate::team::git::run_git;

/// Makes the work tree of a member at `path` on its branch, which begins at `base`; what is there
/// stays as it is.
///
/// # Errors
///
/// If git refuses.
pub(in crate::team) async fn make(
    caller: &Caller,
    path: &Path,
    branch: &str,
    base: &str,
) -> Result<(), Failure> {
    let _lock = lock_work_trees(caller, &caller.cwd).await?;
    if is_whole(path) {
        return Ok(());
    }
    mark(caller, path)?;
    if let Some(parent) = path.parent() {
        std::fs::create_dir_all(parent).map_err(|cause| {
            let message = format!("cannot make {}: {cause}", parent.display());
            Failure::new(FailureKind::Store, "store", message)
        })?;
    }
    let git = |args: Vec<String>| async move {
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        run_git(caller, &caller.cwd, &args).await
    };
    let place = path.to_string_lossy().into_owned();
    // One that was removed by hand, or whose making was killed, is forgotten first.
    if path.exists() {
        if !is_unfinished(path) {
            let message = format!(
                "{} is there, and is no work tree of this repository",
                caller.display_path(path)
            );
            return Err(Failure::new(FailureKind::Store, "store", message)
                .hint("move it away: it may have work in it"));
        }
        std::fs::remove_dir_all(path).map_err(|cause| {
            let message = format!("cannot remove {}: {cause}", path.display());
            Failure::new(FailureKind::Store, "store", message)
        })?;
    }
    let forget = ["worktree", "unlock", &place].map(str::to_owned);
    git(forget.into()).await.ok();
    git(vec!["worktree".to_owned(), "prune".to_owned()]).await?;
    let args = match has_branch(caller, branch).await? {
        false => vec!["worktree", "add", "-q", "-b", branch, &place, base],
        true => vec!["worktree", "add", "-q", &place, branch],
    };
    git(args.into_iter().map(str::to_owned).collect()).await?;
    Ok(())
}

/// Like [`make`], of a work tree that only the caller writes to now: what a git that was killed left
/// locked there is free again.
///
/// # Errors
///
/// If git refuses.
pub(in crate::team) async fn make_and_unlock(
    caller: &Caller,
    path: &Path,
    branch: &str,
    base: &str,
) -> Result<(), Failure> {
    make(caller, path, branch, base).await?;
    unlock(path);
    Ok(())
}

/// Whether the repository has a branch of this name.
///
/// # Errors
///
/// If git refuses.
pub(in crate::team) async fn has_branch(caller: &Caller, branch: &str) -> Result<bool, Failure> {
    let reference = format!("refs/heads/{branch}");
    let args = ["for-each-ref", "--format=%(refname)", &reference];
    Ok(!run_git(caller, &caller.cwd, &args).await?.trim().is_empty())
}

/// Whether a work tree is there with all of its files.
pub(in crate::team) fn is_whole(path: &Path) -> bool {
    git_folder(path).is_some_and(|folder| folder.join("HEAD").exists()) && !is_unfinished(path)
}

/// Whether nothing but a git that was killed was at this folder: it keeps a work tree locked while it
/// makes it, and writes the index last. A lock alone may be a person's.
fn is_unfinished(path: &Path) -> bool {
    match git_folder(path) {
        Some(folder) => !folder.join("index").exists(),
        None => std::fs::read_dir(path).is_ok_and(|mut inside| inside.next().is_none()),
    }
}

/// The git folder of a work tree that was added.
fn git_folder(path: &Path) -> Option<PathBuf> {
    let text = std::fs::read_to_string(path.join(".git")).ok()?;
    let folder = text.strip_prefix("gitdir: ")?.trim_end();
    Some(path.join(folder))
}

/// Removes what a git that was killed left locked in a work tree. Only who knows that no other process
/// is at work there may: the lock of one that lives would be lost with what it writes.
pub(in crate::team) fn unlock(path: &Path) {
    if let Some(folder) = git_folder(path) {
        std::fs::remove_file(folder.join("index.lock")).ok();
    }
}
