//! What Agon itself changes in a work tree, and what has changed there.

use std::path::Path;

use agon_team::id::MemberName;

use super::mark::mark;
use crate::caller::Caller;
use crate::failure::Failure;
use crate::team::git::run_git;

/// Checks a commit out in a work tree of our own, without what lay there before; what is ignored stays,
/// such as what a build made.
///
/// # Errors
///
/// If git refuses.
pub(in crate::team) async fn check_out(
    caller: &Caller,
    tree: &Path,
    commit: &str,
) -> Result<(), Failure> {
    mark(caller, tree)?;
    run_git(caller, tree, &["reset", "-q", "--hard"]).await?;
    run_git(caller, tree, &["clean", "-ffdq"]).await?;
    run_git(caller, tree, &["checkout", "-q", "--detach", commit]).await?;
    Ok(())
}

/// The paths that are changed in a work tree and not committed, new and removed ones too. Where a merge
/// is not done, what it brought is left out.
///
/// # Errors
///
/// If git refuses.
pub(in crate::team) async fn changed_paths(
    caller: &Caller,
    tree: &Path,
) -> Result<Vec<String>, Failure> {
    run_git(caller, tree, &["add", "--all"]).await?;
    let against = async |revision: &str| {
        let args = [
            "diff",
            "--cached",
            "--name-only",
            "--no-renames",
            "-z",
            revision,
        ];
        let found = run_git(caller, tree, &args).await?;
        let paths = found.split('\0').filter(|path| !path.is_empty());
        Ok::<Vec<String>, Failure>(paths.map(str::to_owned).collect())
    };
    let mut changed = against("HEAD").await?;
    let merged = ["rev-parse", "-q", "--verify", "MERGE_HEAD"];
    if let Ok(merged) = run_git(caller, tree, &merged).await {
        let of_both = against(merged.trim()).await?;
        changed.retain(|path| of_both.contains(path));
    }
    Ok(changed)
}

/// Commits all that is changed in a work tree; false where nothing is.
///
/// # Errors
///
/// If git refuses.
pub(in crate::team) async fn commit(
    caller: &Caller,
    tree: &Path,
    by: &MemberName,
    message: &str,
) -> Result<bool, Failure> {
    let status = run_git(caller, tree, &["status", "--porcelain=v1"]).await?;
    if status.trim().is_empty() {
        return Ok(false);
    }
    run_git(caller, tree, &["add", "--all"]).await?;
    let name = format!("user.name={by}");
    let mail = format!("user.email={by}@agon.invalid");
    let args = [
        "-c",
        &name,
        "-c",
        &mail,
        "commit",
        "-q",
        "--no-verify",
        "--no-gpg-sign",
        "-m",
        message,
    ];
    run_git(caller, tree, &args).await?;
    Ok(true)
}

/// Merges `what` into a work tree, in Agon's name and with no hook of the repository's; under the
/// message that git has for it where none is given.
///
/// # Errors
///
/// If git refuses, a conflict included.
pub(in crate::team) async fn merge(
    caller: &Caller,
    tree: &Path,
    what: &str,
    message: Option<&str>,
) -> Result<(), Failure> {
    let as_agon = ["-c", "user.name=agon", "-c", "user.email=agon@agon.invalid"];
    let merge = ["merge", "-q", "--no-verify", "--no-gpg-sign"];
    let message = match message {
        Some(message) => vec!["--no-ff", "-m", message],
        None => vec!["--no-edit"],
    };
    let args = [&as_agon[..], &merge, &message, &[what]].concat();
    mark(caller, tree)?;
    run_git(caller, tree, &args).await.map(|_| ())
}

/// The files of a work tree in which a merge left conflicts.
///
/// # Errors
///
/// If git refuses.
pub(in crate::team) async fn conflicts(
    caller: &Caller,
    tree: &Path,
) -> Result<Vec<String>, Failure> {
    let unmerged = ["diff", "--name-only", "--diff-filter=U", "-z"];
    let names = run_git(caller, tree, &unmerged).await?;
    let names = names.split('\0').filter(|name| !name.is_empty());
    Ok(names.map(str::to_owned).collect())
}
