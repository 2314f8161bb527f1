//! The tree of a work tree as it stands: what is tracked, staged, changed and new.
//!
//! Git itself makes it, with an index and an object folder of its own, so that it is the tree that a
//! commit of everything would have, and nothing of the user's index changes. The git folder that it
//! works in is made for it: no hook, filter or monitor that the repository's own configuration names
//! is known there. Those of the user's configuration are, such as the filter of Git LFS.

use std::collections::BTreeMap;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use agon_team::id::TreeHash;
use agon_team::store::TeamLocation;

use super::door::failure;
use super::git::{Git, refusal};
use super::scratch::ScratchGitDir;
use crate::caller::Caller;
use crate::failure::{Failure, FailureKind};

/// How deep work trees of submodules are looked into.
const MAX_SUBMODULE_DEPTH: usize = 8;

/// Settings of the repository that say how a file's bytes become a blob's; none names a program.
const CONVERSIONS: [&str; 7] = [
    "core.autocrlf",
    "core.eol",
    "core.filemode",
    "core.ignorecase",
    "core.symlinks",
    "core.precomposeunicode",
    "core.excludesfile",
];

/// The tree of the work tree of `location` as it stands: every file that is tracked or staged, as it
/// is in the work tree now, and every new one that is not ignored.
///
/// # Errors
///
/// If there is no work tree, only a part of it is checked out, a submodule has changes of its own,
/// or git cannot read it.
pub(super) async fn hash_work_tree(
    caller: &Caller,
    location: &TeamLocation,
) -> Result<TreeHash, Failure> {
    hash_at_depth(caller, location, 0).await
}

async fn hash_at_depth(
    caller: &Caller,
    location: &TeamLocation,
    depth: usize,
) -> Result<TreeHash, Failure> {
    let Some(root) = &location.work_tree else {
        return Err(refusal("this repository has no work tree").hint("go into a work tree of it"));
    };
    let real = Git::new(caller, root)?;
    let settings = parse_settings(&real.run(&["config", "--list", "-z"], b"").await?);
    if settings
        .get("core.sparsecheckout")
        .is_some_and(|on| on == "true")
    {
        let message = "only a part of the tree is checked out, so its hash cannot be told";
        return Err(refusal(message).hint("check all of it out: `git sparse-checkout disable`"));
    }
    let staged = real
        .run(&["ls-files", "-s", "-z", "--full-name"], b"")
        .await?;

    let scratch = ScratchGitDir::create(location)
        .map_err(|cause| Failure::from_error(FailureKind::Store, "store", &cause))?;
    let mut git = Git::new(caller, root)?;
    git.env.insert("GIT_DIR".into(), scratch.path().into());
    git.env.insert("GIT_WORK_TREE".into(), root.into());
    for name in CONVERSIONS {
        if let Some(value) = settings.get(name) {
            git.settings
                .extend(["-c".into(), format!("{name}={value}").into()]);
        }
    }
    // Without times of files and marks such as "assume unchanged": every file is read.
    git.run(&["update-index", "-z", "--index-info"], &staged)
        .await?;
    // Of those git asks its own `status`, with the settings of the submodule: they are read here.
    let mut paths = b".\0".to_vec();
    for path in submodules(&staged) {
        let dir = root.join(&path);
        if !dir.is_dir() {
            continue;
        }
        paths.extend_from_slice(b":(exclude,literal)");
        paths.extend_from_slice(path.as_os_str().as_bytes());
        paths.push(0);
        if dir.join(".git").exists() {
            let head = Git::new(caller, &dir)?
                .run(&["rev-parse", "--verify", "HEAD"], b"")
                .await?;
            let head = String::from_utf8_lossy(&head);
            let line = [
                b"160000 ",
                head.trim().as_bytes(),
                b" 0\t",
                path.as_os_str().as_bytes(),
                b"\0",
            ];
            git.run(&["update-index", "-z", "--index-info"], &line.concat())
                .await?;
        }
    }
    let add = [
        "add",
        "--all",
        "--pathspec-from-file=-",
        "--pathspec-file-nul",
    ];
    git.run(&add, &paths).await?;
    let printed = git.run(&["write-tree"], b"").await?;
    let indexed = git.run(&["ls-files", "-s", "-z"], b"").await?;
    for path in submodules(&indexed) {
        check_submodule(caller, &root.join(path), depth).await?;
    }
    let tree = String::from_utf8_lossy(&printed);
    tree.trim()
        .parse()
        .map_err(|_| refusal("git printed no tree"))
}

/// Refuses a submodule with changes that no commit of it has: its gitlink names a commit alone.
async fn check_submodule(caller: &Caller, dir: &Path, depth: usize) -> Result<(), Failure> {
    if !dir.join(".git").exists() {
        return Ok(());
    }
    let shown = caller.display_path(dir);
    if depth == MAX_SUBMODULE_DEPTH {
        return Err(refusal(&format!(
            "{shown} is a submodule too deep to look into"
        )));
    }
    let location = TeamLocation::find(dir).map_err(failure)?;
    let git = Git::new(caller, dir)?;
    let head = git
        .run(&["rev-parse", "--verify", "HEAD^{tree}"], b"")
        .await?;
    let now = Box::pin(hash_at_depth(caller, &location, depth + 1)).await?;
    match String::from_utf8_lossy(&head).trim() == now.as_str() {
        true => Ok(()),
        false => Err(refusal(&format!(
            "the submodule {shown} has changes that are in no commit"
        ))
        .hint("commit them in the submodule, then its new commit here")),
    }
}

/// The paths of the gitlinks in what `ls-files -s -z` printed.
fn submodules(indexed: &[u8]) -> Vec<PathBuf> {
    let lines = indexed.split(|byte| *byte == 0);
    lines
        .filter(|line| line.starts_with(b"160000 "))
        .filter_map(|line| line.splitn(2, |byte| *byte == b'\t').nth(1))
        .map(|path| PathBuf::from(std::ffi::OsStr::from_bytes(path)))
        .collect()
}

/// What `config --list -z` printed, the last value of each key.
fn parse_settings(printed: &[u8]) -> BTreeMap<String, String> {
    let printed = String::from_utf8_lossy(printed);
    let entries = printed.split('\0').filter(|entry| !entry.is_empty());
    entries
        .map(|entry| match entry.split_once('\n') {
            Some((key, value)) => (key.to_owned(), value.to_owned()),
            // A key without a value says yes.
            None => (entry.to_owned(), "true".to_owned()),
        })
        .collect()
}

#[cfg(test)]
mod tests;
