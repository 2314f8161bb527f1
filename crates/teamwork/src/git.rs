//! Runs git in the work trees of the caller's repository.

use std::path::Path;
use std::time::Duration;

use agon_caller::{Caller, Code, Failure};
use agon_git::{DiscoverError, Git, GitError, GitLimits, GitSession};
use agon_team::store::TeamLocation;

use super::open_team::{failure, limits};

/// Opens git in a work tree of the caller's repository, for commands that read or write its files.
///
/// # Errors
///
/// Fails if git is not installed, or the work tree no longer belongs to the repository.
pub(super) async fn open_tree(caller: &Caller, tree: &Path) -> Result<GitSession, Failure> {
    let location = location_of(caller, tree)?;
    open_at(caller, &location).await
}

/// Opens git in the work tree of a location.
///
/// # Errors
///
/// If git is not installed, or its configuration cannot be read.
pub(super) async fn open_at(
    caller: &Caller,
    location: &TeamLocation,
) -> Result<GitSession, Failure> {
    let git = Git::find(&caller.vars_os).map_err(git_failure)?;
    let session = GitSession::open(&git, &location.repository()).await;
    session.map_err(git_failure)
}

/// Opens git in a work tree of the caller's repository, for commands on commits and branches only.
///
/// # Errors
///
/// Fails like [`open_tree`].
pub(super) fn open_objects(caller: &Caller, tree: &Path) -> Result<GitSession, Failure> {
    let location = location_of(caller, tree)?;
    let git = Git::find(&caller.vars_os).map_err(git_failure)?;
    GitSession::open_for_objects(&git, &location.repository()).map_err(git_failure)
}

/// Runs git on commits and branches, as seen from a work tree of the caller's repository, and
/// returns its output.
///
/// # Errors
///
/// Fails if git fails, or like [`open_tree`].
pub(super) async fn run_git(
    caller: &Caller,
    tree: &Path,
    args: &[&str],
) -> Result<String, Failure> {
    let session = open_objects(caller, tree)?;
    session.text(args).await.map_err(git_failure)
}

/// Returns the location of a work tree of the caller's repository.
///
/// # Errors
///
/// Fails if the repository has no such work tree, or if the tree's `.git` file points to another
/// git folder than the one registered: a member could have changed that file.
pub(super) fn location_of(caller: &Caller, tree: &Path) -> Result<TeamLocation, Failure> {
    let own = TeamLocation::find(&caller.cwd).map_err(failure)?;
    let found = own.repository().work_tree_at(tree);
    found.map(TeamLocation::from).map_err(|error| match error {
        DiscoverError::None(_) => {
            let tree = caller.display_path(tree);
            refusal(&format!("{tree} is not a work tree of this repository"))
                .hint("list the work trees with `git worktree list`")
        }
        changed => refusal(&changed.to_string()).hint(changed.hint()),
    })
}

/// Runs a git command that writes or reads every file of a work tree, within the configured time
/// limit.
///
/// # Errors
///
/// Fails if git fails or times out, or the configuration cannot be read.
pub(super) async fn run_over_files(
    caller: &Caller,
    session: &GitSession,
    args: &[&str],
    input: &[u8],
) -> Result<(), Failure> {
    let limits = checkout_limits(caller)?;
    let ran = session.run_within(args, input, limits).await;
    ran.map(drop).map_err(checkout_failure)
}

/// Returns the limits for a git command that writes or reads every file of a work tree.
///
/// # Errors
///
/// If the configuration cannot be read.
pub(super) fn checkout_limits(caller: &Caller) -> Result<GitLimits, Failure> {
    let time = Duration::from_millis(limits(caller)?.checkout_ms);
    Ok(GitLimits::checkout(time))
}

/// Converts a git error that occurred within [`checkout_limits`]; a timeout gets a hint to raise
/// the limit.
pub(super) fn checkout_failure(error: GitError) -> Failure {
    let GitError::TimedOut { after, .. } = &error else {
        return git_failure(error);
    };
    let more = after.as_millis().saturating_mul(2);
    let hint = format!("raise the limit in config.toml: set `checkout_ms = {more}` under `[team]`");
    git_failure(error).hint(hint)
}

/// Converts a git error to a failure.
pub(super) fn git_failure(error: GitError) -> Failure {
    // Clean the message, because git may quote file names in it.
    refusal(&super::text::clean(&error.to_string())).hint(error.hint())
}

pub(super) fn refusal(message: &str) -> Failure {
    Failure::new(Code::Tree, message)
}
