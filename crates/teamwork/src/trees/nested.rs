//! Finds nested repositories that a turn left in a work tree, and adds the other changes to the
//! index.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::PathBuf;

use agon_caller::{Caller, Failure};
use agon_git::{FilterScope, GitSession, find_git_entries};

use super::brought_files::refuse_brought;
use crate::git::{git_failure, refusal, run_over_files};
use crate::text::clean_line;
use crate::tree::{checked_out_commit, gitlink_line, submodules};

/// The most paths that are listed.
const MAX_NAMED: usize = 5;

/// Refuses everything that could be a repository's `.git` (a file, folder or link), except in the
/// submodules of `base`.
///
/// # Errors
///
/// Fails with the path if there is one, or if a folder cannot be read.
pub(crate) async fn refuse_repositories(session: &GitSession, base: &str) -> Result<(), Failure> {
    let found = nested_repositories(session, base).await?;
    if found.is_empty() {
        return Ok(());
    }
    let named = found.iter().take(MAX_NAMED);
    let named: Vec<_> = named
        .map(|path| clean_line(&path.to_string_lossy()))
        .collect();
    let more = match found.len().saturating_sub(MAX_NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    Err(refusal(&format!(
        "the work tree contains a nested repository: {}{more}; a commit would lack its files",
        named.join(", ")
    ))
    .hint("remove that `.git` to make its files part of this repository"))
}

/// Returns everything in a work tree that could be a repository's `.git`, except in the submodules
/// of `base`.
///
/// # Errors
///
/// Fails if a folder cannot be read.
pub(crate) async fn nested_repositories(
    session: &GitSession,
    base: &str,
) -> Result<Vec<PathBuf>, Failure> {
    let Some(root) = session.repository().work_tree.as_deref() else {
        return Ok(Vec::new());
    };
    let mut found = find_git_entries(root).map_err(|(path, cause)| {
        let path = clean_line(&path.to_string_lossy());
        refusal(&format!("cannot read {path}: {cause}"))
    })?;
    if !found.is_empty() {
        let of_base = gitlinks_of(session, base).await?;
        found.retain(|path| {
            let is_plain = path.file_name() == Some(OsStr::new(".git"));
            let folder = path.parent().unwrap_or(path);
            !(is_plain && of_base.iter().any(|link| link == folder))
        });
    }
    Ok(found)
}

/// Adds all changes in a work tree to its index. A submodule of `base` counts by its checked-out
/// commit, which is read without using its configuration.
///
/// # Errors
///
/// Fails if git fails, a file needs a filter that only the repository defines, or there is a nested
/// repository that is not in `base`.
pub(super) async fn stage_changes(
    caller: &Caller,
    session: &GitSession,
    base: &str,
) -> Result<(), Failure> {
    refuse_repositories(session, base).await?;
    session
        .refuse_foreign_filters(FilterScope::WorkTree)
        .await
        .map_err(git_failure)?;
    let Some(root) = session.repository().work_tree.as_deref() else {
        return Err(refusal("this repository has no work tree"));
    };
    let mut links = gitlinks_of(session, base).await?;
    let staged = session.run(&["ls-files", "-s", "-z"], b"").await;
    links.extend(submodules(&staged.map_err(git_failure)?));
    links.sort();
    links.dedup();
    let mut paths = b".\0".to_vec();
    let mut moved = Vec::new();
    for link in links {
        let dir = root.join(&link);
        let is_dir = dir.symlink_metadata().is_ok_and(|meta| meta.is_dir());
        if !is_dir {
            continue;
        }
        paths.extend_from_slice(b":(exclude,literal)");
        paths.extend_from_slice(link.as_os_str().as_bytes());
        paths.push(0);
        if let Some(head) = checked_out_commit(caller, &dir).await? {
            moved.extend(gitlink_line(&head, &link));
        }
    }
    let add = [
        "add",
        "--all",
        "--pathspec-from-file=-",
        "--pathspec-file-nul",
    ];
    run_over_files(caller, session, &add, &paths).await?;
    // Restore the entries of unchanged files, so that the turn submits only what it changed.
    let untouched = session.restore_untouched("HEAD").await;
    untouched.map_err(git_failure)?;
    let take = ["update-index", "-z", "--index-info"];
    session.run(&take, &moved).await.map_err(git_failure)?;
    refuse_brought(session, base).await
}

/// Returns the submodules of a commit.
async fn gitlinks_of(session: &GitSession, commit: &str) -> Result<Vec<PathBuf>, Failure> {
    let args = ["ls-tree", "-r", "-z", "--full-tree", commit];
    let listed = session.run(&args, b"").await.map_err(git_failure)?;
    Ok(submodules(&listed))
}
