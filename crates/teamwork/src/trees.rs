//! Work trees of members: creates and checks them, and commits their changes.

pub(crate) mod brought_files;
mod change;
mod fingerprint;
mod lock;
mod make;
mod mark;
mod moved;
mod nested;

#[cfg(test)]
mod tests;

use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use agon_caller::{Caller, Code, Failure};
use agon_git::{Fetched, GitError, GitSession};
use agon_team::id::MemberName;
use agon_team::store::TeamLocation;

pub(super) use self::brought_files::refuse_brought;
pub(super) use self::change::{
    ChangedPath, changed_paths, check_out, clear, commit, conflicts, forward, merge, merging,
    parse_raw, require_branch, restore,
};
pub(super) use self::fingerprint::{
    find_escaping_link, fingerprint, fingerprint_all, uncommitted_paths,
};
pub(super) use self::lock::lock_work_trees;
pub(super) use self::make::{has_branch, is_whole, make, make_and_unlock, unlock};
pub(super) use self::mark::{mark, marks, unmark};
pub(super) use self::moved::{displaced, repair_all, strays};
pub(super) use self::nested::{nested_repositories, refuse_repositories};
use super::git::{git_failure, open_objects, refusal};
use super::open_team::failure;

/// The prefix of members' branches.
const MEMBER_BRANCHES: &str = "agon/members/";

/// Returns the folder for the work trees of a repository's members. It is in the user's state
/// folder, outside the repository's work trees and its git folder, which AI tools guard.
///
/// # Errors
///
/// Fails if the user has no state folder.
pub(super) fn folder(caller: &Caller, location: &TeamLocation) -> Result<PathBuf, Failure> {
    let state = caller.state_dir().ok_or_else(|| {
        Failure::new(Code::Store, "cannot find a folder for work trees")
            .hint("set HOME or XDG_STATE_HOME")
    })?;
    let parent = location.common_dir.parent();
    let name = parent.and_then(Path::file_name).unwrap_or_default();
    // Must not change between versions of Agon: existing trees are found by this name.
    let hash = blake3::hash(location.common_dir.as_os_str().as_bytes()).to_hex();
    let hash = hash.as_str().get(..16).unwrap_or_default();
    let name = format!("{}-{hash}", name.to_string_lossy());
    Ok(state.join("teams").join(name))
}

/// Returns the branch of a member.
pub(super) fn branch_of(name: &MemberName) -> String {
    format!("{MEMBER_BRANCHES}{name}")
}

/// Returns the name of the member, or of the run's work tree, that a branch belongs to.
pub(super) fn member_of_branch(branch: &str) -> Option<&str> {
    branch.strip_prefix(MEMBER_BRANCHES)
}

/// Returns whether a work tree is in Agon's folder for work trees, after resolving links.
pub(super) fn is_in(folder: &Path, tree: &Path) -> bool {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    tree.parent()
        .is_some_and(|parent| real(parent) == real(folder))
}

/// Returns the commit that a work tree has checked out.
///
/// # Errors
///
/// Fails if it has none.
pub(super) async fn head(caller: &Caller, tree: &Path) -> Result<String, Failure> {
    let session = open_objects(caller, tree)?;
    commit_of(&session, "HEAD").await
}

/// Returns the commit that a name refers to.
///
/// # Errors
///
/// Fails if it refers to none.
async fn commit_of(session: &GitSession, name: &str) -> Result<String, Failure> {
    let commit = format!("{name}^{{commit}}");
    let mut args = vec!["rev-parse", "--verify"];
    // With `-q`, the exit code alone shows that there is no commit yet; git's message may be
    // translated.
    args.extend((name == "HEAD").then_some("-q"));
    args.extend(["--end-of-options", &commit]);
    match session.text(&args).await {
        Ok(found) => Ok(found.trim().to_owned()),
        Err(GitError::Failed { code: Some(1), .. }) => {
            let message = "this repository has no commit yet, but a work tree needs one";
            Err(refusal(message).hint("make a first commit with `git add . && git commit`"))
        }
        Err(error) => Err(git_failure(error)),
    }
}

/// Lists every work tree of the repository whose folder exists.
///
/// # Errors
///
/// Fails if the caller is in no repository.
pub(super) fn list(caller: &Caller) -> Result<Vec<PathBuf>, Failure> {
    let location = TeamLocation::find(&caller.cwd).map_err(failure)?;
    let trees = location.repository().work_trees().into_iter();
    Ok(trees.filter_map(|it| it.work_tree).collect())
}

/// Describes fetched objects for the user.
pub(super) fn describe_fetched(fetched: &Fetched) -> String {
    let Fetched { remote, objects } = fetched;
    format!(
        "fetched {objects} missing objects from {} (partial clone)",
        super::text::clean_line(remote)
    )
}
