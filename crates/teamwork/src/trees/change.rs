//! Changes work trees with git, and lists what changed in them.

use std::path::Path;

use agon_caller::{Caller, Failure};
use agon_git::{FilterScope, GitSession};
use agon_team::id::MemberName;

use super::mark::mark;
use super::nested::stage_changes;
use crate::git::{git_failure, open_objects, open_tree, refusal, run_over_files};

/// A path that differs between two states of a work tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ChangedPath {
    /// The path, relative to the root of the work tree.
    pub(crate) path: String,
    /// Whether it is a submodule's commit, before or after.
    pub(crate) is_gitlink: bool,
}

/// Checks out a commit in one of Agon's own work trees and discards everything else there, except
/// ignored files such as build output.
///
/// # Errors
///
/// Fails if git fails, or a file of the commit needs a filter that only the repository defines.
pub(crate) async fn check_out(caller: &Caller, tree: &Path, commit: &str) -> Result<(), Failure> {
    let session = open_tree(caller, tree).await?;
    session
        .refuse_foreign_filters(FilterScope::Commit(commit))
        .await
        .map_err(git_failure)?;
    mark(caller, tree)?;
    clear(caller, &session).await?;
    let args = ["checkout", "-q", "--detach", commit];
    run_over_files(caller, &session, &args, b"").await
}

/// Resets one of Agon's own work trees to its commit; ignored files stay.
///
/// # Errors
///
/// If git refuses.
pub(crate) async fn clear(caller: &Caller, session: &GitSession) -> Result<(), Failure> {
    run_over_files(caller, session, &["reset", "-q", "--hard"], b"").await?;
    run_over_files(caller, session, &["clean", "-ffdq"], b"").await
}

/// Returns the commit of an unfinished merge in a work tree, if there is one.
pub(crate) async fn merging(caller: &Caller, tree: &Path) -> Option<String> {
    let session = open_objects(caller, tree).ok()?;
    let args = ["rev-parse", "-q", "--verify", "MERGE_HEAD^{commit}"];
    let merged = session.text(&args).await.ok()?;
    Some(merged.trim().to_owned())
}

/// Returns the paths that differ between the commit `base` and a work tree, including new, removed
/// and committed files and submodules. Paths that equal the commit `merged` are left out.
///
/// # Errors
///
/// Fails if git fails, or the work tree contains a nested repository that is not in `base`.
pub(crate) async fn changed_paths(
    caller: &Caller,
    tree: &Path,
    base: &str,
    merged: Option<&str>,
) -> Result<Vec<ChangedPath>, Failure> {
    let session = open_tree(caller, tree).await?;
    stage_changes(caller, &session, base).await?;
    let against = async |revision: &str| {
        let args = [
            "diff",
            "--cached",
            "--raw",
            "--no-abbrev",
            "--no-renames",
            "--ignore-submodules=dirty",
            "-z",
            revision,
        ];
        let found = session.text(&args).await.map_err(git_failure)?;
        Ok::<_, Failure>(parse_raw(&found))
    };
    let mut changed = against(base).await?;
    if let Some(merged) = merged {
        let of_both = against(merged).await?;
        changed.retain(|path| of_both.contains(path));
    }
    Ok(changed)
}

/// Parses the output of `git diff --raw -z --no-renames`.
pub(crate) fn parse_raw(printed: &str) -> Vec<ChangedPath> {
    let mut fields = printed.split('\0');
    let mut paths = Vec::new();
    while let (Some(facts), Some(path)) = (fields.next(), fields.next()) {
        let mut modes = facts.trim_start_matches(':').split(' ');
        let is_gitlink = modes.next() == Some("160000") || modes.next() == Some("160000");
        paths.push(ChangedPath {
            path: path.to_owned(),
            is_gitlink,
        });
    }
    paths
}

/// Commits all changes in a work tree to the branch that it is on, which must be `branch`. Returns
/// `false` if nothing changed.
///
/// # Errors
///
/// Fails if git fails, the work tree is on another branch, or it contains a nested repository that
/// is not in its commit.
pub(crate) async fn commit(
    caller: &Caller,
    tree: &Path,
    branch: &str,
    by: &MemberName,
    message: &str,
) -> Result<bool, Failure> {
    let session = open_tree(caller, tree).await?;
    let git = async |args: &[&str]| session.text(args).await.map_err(git_failure);
    require_branch(&session, branch).await?;
    let head = git(&["rev-parse", "--verify", "HEAD"]).await?;
    let head = head.trim();
    stage_changes(caller, &session, head).await?;
    let new_tree = git(&["write-tree"]).await?;
    let old_tree = git(&["rev-parse", "--verify", "HEAD^{tree}"]).await?;
    let merged = ["rev-parse", "-q", "--verify", "MERGE_HEAD^{commit}"];
    let merged = session.text(&merged).await.ok();
    if new_tree == old_tree && merged.is_none() {
        return Ok(false);
    }
    let identity = identity(by.as_str());
    let mut args: Vec<&str> = identity.iter().map(String::as_str).collect();
    args.extend(["commit-tree", "--no-gpg-sign", "-p", head]);
    if let Some(merged) = &merged {
        args.extend(["-p", merged.trim()]);
    }
    args.extend(["-F", "-", new_tree.trim()]);
    let new = session.run(&args, message.as_bytes()).await;
    let new = new.map_err(git_failure)?;
    let new = String::from_utf8_lossy(&new);
    let reference = format!("refs/heads/{branch}");
    let update = [
        "update-ref",
        "-m",
        "commit by agon",
        &reference,
        new.trim(),
        head,
    ];
    git(&update).await?;
    if merged.is_some() {
        // Remove the merge's mark before its other files: without the mark there is no merge.
        for name in ["MERGE_HEAD", "MERGE_MODE", "MERGE_MSG", "AUTO_MERGE"] {
            // Ignore a missing file: git does not write all of them for every merge.
            std::fs::remove_file(session.repository().git_dir.join(name)).ok();
        }
    }
    Ok(true)
}

/// Refuses a work tree that is not on the branch that it was made for, because a commit would move
/// the other branch.
///
/// # Errors
///
/// Fails if it is on another branch.
pub(crate) async fn require_branch(session: &GitSession, branch: &str) -> Result<(), Failure> {
    let on = session.text(&["symbolic-ref", "-q", "HEAD"]).await;
    let on = on.unwrap_or_default();
    let on = on.trim();
    if on.strip_prefix("refs/heads/") == Some(branch) {
        return Ok(());
    }
    let on = match on {
        "" => "no branch",
        on => on.strip_prefix("refs/heads/").unwrap_or(on),
    };
    let on = crate::text::clean_line(on);
    Err(
        refusal(&format!("the work tree is on {on}, not on {branch}"))
            .hint(format!("switch back with `git checkout {branch}`")),
    )
}

/// Returns the git options with which a commit is made in this name, whatever the user's settings.
fn identity(name: &str) -> Vec<String> {
    let of = |kind: &str| {
        [
            "-c".to_owned(),
            format!("{kind}.name={name}"),
            "-c".to_owned(),
            format!("{kind}.email={name}@agon.invalid"),
        ]
    };
    ["user", "author", "committer"].map(of).concat()
}

/// Restores files of a work tree from a commit, without moving the branch.
///
/// # Errors
///
/// Fails if git fails, for example because the commit lacks one of them.
pub(crate) async fn restore(
    caller: &Caller,
    tree: &Path,
    commit: &str,
    files: &[String],
) -> Result<(), Failure> {
    let session = open_tree(caller, tree).await?;
    session
        .refuse_foreign_filters(FilterScope::Commit(commit))
        .await
        .map_err(git_failure)?;
    mark(caller, tree)?;
    let names: Vec<String> = files
        .iter()
        .map(|it| format!(":(top,literal){it}"))
        .collect();
    let mut args = vec!["checkout", "-q", "--no-overlay", commit, "--"];
    args.extend(names.iter().map(String::as_str));
    run_over_files(caller, &session, &args, b"").await
}

/// Merges `what` into a work tree, in Agon's name and without the repository's hooks. Without a
/// message, git's default is used.
///
/// # Errors
///
/// Fails if git fails, including a conflict.
pub(crate) async fn merge(
    caller: &Caller,
    tree: &Path,
    what: &str,
    message: Option<&str>,
) -> Result<(), Failure> {
    let session = open_tree(caller, tree).await?;
    session
        .refuse_foreign_filters(FilterScope::Commit(what))
        .await
        .map_err(git_failure)?;
    let identity = identity("agon");
    let mut args: Vec<&str> = identity.iter().map(String::as_str).collect();
    args.extend(["merge", "-q", "--ff", "--no-verify", "--no-gpg-sign"]);
    match message {
        Some(message) => args.extend(["--no-ff", "-m", message]),
        None => args.push("--no-edit"),
    }
    args.push(what);
    mark(caller, tree)?;
    run_over_files(caller, &session, &args, b"").await
}

/// Fast-forwards the branch of a work tree to a commit, with its files.
///
/// # Errors
///
/// Fails if git fails, for example because the branch is not an ancestor of the commit.
pub(crate) async fn forward(
    caller: &Caller,
    session: &GitSession,
    commit: &str,
) -> Result<(), Failure> {
    session
        .refuse_foreign_filters(FilterScope::Commit(commit))
        .await
        .map_err(git_failure)?;
    let args = ["merge", "-q", "--ff", "--ff-only", commit];
    run_over_files(caller, session, &args, b"").await
}

/// Returns the files of a work tree with unresolved merge conflicts.
///
/// # Errors
///
/// If git refuses.
pub(crate) async fn conflicts(caller: &Caller, tree: &Path) -> Result<Vec<String>, Failure> {
    let session = open_objects(caller, tree)?;
    let listed = session.text(&["ls-files", "-u", "-z"]).await;
    let listed = listed.map_err(git_failure)?;
    let names = listed.split('\0').filter_map(|line| line.split_once('\t'));
    let mut names: Vec<String> = names.map(|(_, name)| name.to_owned()).collect();
    names.dedup();
    Ok(names)
}
