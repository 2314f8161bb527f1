//! Computes the current tree of a work tree: tracked, staged, changed and new files.
//!
//! Git itself makes the tree, with a separate index and object folder. The result is the tree that
//! a commit of everything would have, and the user's index stays unchanged. Nested repositories
//! count by their checked-out commit, which is read without using their configuration. New files of
//! a debate in the folder of debates do not count: Agon wrote them, not the member.

use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use agon_caller::{Caller, Code, Failure, find};
use agon_git::{FilterScope, Git, GitSession, Repository};
use agon_team::id::TreeHash;
use agon_team::store::TeamLocation;

use super::git::{git_failure, refusal};
use super::scratch::ScratchGitDir;

/// The most nested levels of submodules.
const MAX_SUBMODULE_DEPTH: usize = 8;

/// The folder in each debate that contains Agon's record of it.
const RECORD_DIR: &str = ".agon";

/// Returns the current tree of the work tree at `location`: every tracked or staged file in its
/// current state, and every new file that is neither ignored nor part of a debate.
///
/// # Errors
///
/// Fails if there is no work tree, it is only partly checked out, a submodule has uncommitted
/// changes, a file needs a filter that only the repository defines, or git cannot read the tree.
pub(super) async fn hash_work_tree(
    caller: &Caller,
    location: &TeamLocation,
) -> Result<TreeHash, Failure> {
    hash_at_depth(caller, location, &location.repository(), 0).await
}

async fn hash_at_depth(
    caller: &Caller,
    location: &TeamLocation,
    repository: &Repository,
    depth: usize,
) -> Result<TreeHash, Failure> {
    let Some(root) = &repository.work_tree else {
        return Err(refusal("this repository has no work tree")
            .hint("run the command in one of its work trees"));
    };
    let git = Git::find(&caller.vars_os).map_err(git_failure)?;
    let session = GitSession::open(&git, repository)
        .await
        .map_err(git_failure)?;
    if session.config().is_on("core.sparsecheckout") {
        let message = "cannot hash the tree: only a part of it is checked out (sparse checkout)";
        return Err(refusal(message).hint("check out all of it with `git sparse-checkout disable`"));
    }
    let scope = FilterScope::WorkTree;
    session
        .refuse_foreign_filters(scope)
        .await
        .map_err(git_failure)?;
    let staged = ["ls-files", "-s", "-z", "--full-name"];
    let staged = session.run(&staged, b"").await.map_err(git_failure)?;
    let mut inside = submodules(&staged);
    let new = ["ls-files", "--others", "--exclude-standard", "-z"];
    let new = session.run(&new, b"").await.map_err(git_failure)?;
    inside.extend(new_repositories(&new));

    let place = ScratchGitDir::choose(location)
        .map_err(|cause| Failure::from_error(Code::Store, &cause))?;
    let scratch = session.with_scratch(place.path()).map_err(git_failure)?;
    let index_info = ["update-index", "-z", "--index-info"];
    // The new index has no file times and no flags such as "assume unchanged", so git reads every
    // file.
    scratch
        .run(&index_info, &staged)
        .await
        .map_err(git_failure)?;
    // Leave out submodules: git would run `status` in them with their own settings.
    let mut paths = b".\0".to_vec();
    for path in &inside {
        let dir = root.join(path);
        if !dir.is_dir() {
            continue;
        }
        paths.extend_from_slice(b":(exclude,literal)");
        paths.extend_from_slice(path.as_os_str().as_bytes());
        paths.push(0);
        if let Some(head) = checked_out_commit(caller, &dir).await? {
            let line = gitlink_line(&head, path);
            scratch.run(&index_info, &line).await.map_err(git_failure)?;
        }
    }
    let add = [
        "add",
        "--all",
        "--pathspec-from-file=-",
        "--pathspec-file-nul",
    ];
    if depth == 0 {
        for path in new_debate_files(caller, root, &new) {
            paths.extend_from_slice(b":(exclude,literal)");
            paths.extend_from_slice(path);
            paths.push(0);
        }
    }
    scratch.run(&add, &paths).await.map_err(git_failure)?;
    if let Ok(head) = session.head().await {
        let untouched = scratch.restore_untouched(&head).await;
        untouched.map_err(git_failure)?;
    }
    let printed = scratch
        .run(&["write-tree"], b"")
        .await
        .map_err(git_failure)?;
    for path in inside {
        check_submodule(caller, location, &root.join(&path), depth).await?;
    }
    let tree = String::from_utf8_lossy(&printed);
    tree.trim()
        .parse()
        .map_err(|_| refusal("git printed no tree"))
}

/// Returns the commit that a nested repository has checked out, or `None` if `dir` is not a
/// repository.
///
/// # Errors
///
/// Fails if it has no commit, or its git folder is elsewhere.
pub(super) async fn checked_out_commit(
    caller: &Caller,
    dir: &Path,
) -> Result<Option<String>, Failure> {
    match open_inside(caller, dir)? {
        Some(session) => session.head().await.map(Some).map_err(git_failure),
        None => Ok(None),
    }
}

/// Formats a gitlink for `update-index --index-info -z`.
pub(super) fn gitlink_line(commit: &str, path: &Path) -> Vec<u8> {
    let path = path.as_os_str().as_bytes();
    [b"160000 ", commit.as_bytes(), b" 0\t", path, b"\0"].concat()
}

fn open_inside(caller: &Caller, dir: &Path) -> Result<Option<GitSession>, Failure> {
    let git = Git::find(&caller.vars_os).map_err(git_failure)?;
    GitSession::open_inside(&git, dir).map_err(git_failure)
}

/// Refuses a submodule with uncommitted changes, because its gitlink only names a commit.
async fn check_submodule(
    caller: &Caller,
    location: &TeamLocation,
    dir: &Path,
    depth: usize,
) -> Result<(), Failure> {
    let Some(session) = open_inside(caller, dir)? else {
        return Ok(());
    };
    let shown = caller.display_path(dir);
    if depth == MAX_SUBMODULE_DEPTH {
        return Err(refusal(&format!(
            "submodules are nested more than {MAX_SUBMODULE_DEPTH} levels deep at {shown}"
        )));
    }
    let head = session
        .text(&["rev-parse", "--verify", "HEAD^{tree}"])
        .await;
    let head = head.map_err(git_failure)?;
    let repository = session.repository();
    let now = Box::pin(hash_at_depth(caller, location, repository, depth + 1)).await?;
    match head.trim() == now.as_str() {
        true => Ok(()),
        false => Err(
            refusal(&format!("the submodule {shown} has uncommitted changes"))
                .hint("commit them in the submodule, then commit the submodule here"),
        ),
    }
}

/// Parses the gitlink paths from the output of `ls-files -s -z` or `ls-tree -r -z`.
pub(super) fn submodules(listed: &[u8]) -> Vec<PathBuf> {
    let lines = listed.split(|byte| *byte == 0);
    lines
        .filter(|line| line.starts_with(b"160000 "))
        .filter_map(|line| line.splitn(2, |byte| *byte == b'\t').nth(1))
        .map(|path| PathBuf::from(std::ffi::OsStr::from_bytes(path)))
        .collect()
}

/// Parses the nested repositories from the output of `ls-files --others -z`, which lists each as a
/// folder.
fn new_repositories(listed: &[u8]) -> Vec<PathBuf> {
    let paths = listed.split(|byte| *byte == 0);
    paths
        .filter_map(|path| path.strip_suffix(b"/"))
        .map(|path| PathBuf::from(std::ffi::OsStr::from_bytes(path)))
        .collect()
}

/// Returns the folder of debates in the work tree at `root`, relative to it; `None` if it is
/// elsewhere. In another member's work tree it has the same place as in the caller's.
fn debates_folder(caller: &Caller, root: &Path) -> Option<PathBuf> {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let folder = real(&caller.cwd.join(find::debates_dir(caller).ok()?));
    let below = |top: &Path| folder.strip_prefix(real(top)).ok().map(Path::to_owned);
    let inside = below(root).or_else(|| below(&caller.project()))?;
    (!inside.as_os_str().is_empty()).then_some(inside)
}

/// Returns those of the new files in `listed` that belong to a debate, from the output of
/// `ls-files --others -z`. Other files in the folder of debates are the member's own.
pub(super) fn new_debate_files<'a>(
    caller: &Caller,
    root: &Path,
    listed: &'a [u8],
) -> Vec<&'a [u8]> {
    let Some(folder) = debates_folder(caller, root) else {
        return Vec::new();
    };
    let is_of_debate = |path: &Path| {
        let below = path.strip_prefix(&folder).ok();
        let first = below.and_then(|below| below.components().next());
        first.is_some_and(|first| {
            let debate = folder.join(first);
            first.as_os_str() == RECORD_DIR || root.join(debate).join(RECORD_DIR).is_dir()
        })
    };
    let paths = listed.split(|byte| *byte == 0);
    paths
        .filter(|path| !path.ends_with(b"/"))
        .filter(|path| is_of_debate(Path::new(std::ffi::OsStr::from_bytes(path))))
        .collect()
}

#[cfg(test)]
mod tests;
