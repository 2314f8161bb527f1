//! Reads the state of the files in a work tree.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use agon_caller::{Caller, Failure};
use agon_team::store::TeamLocation;

use crate::git::{git_failure, open_at, open_tree, run_git};

/// Finds a link in a work tree, ignored or not, that leads out of it.
///
/// # Errors
///
/// If git refuses.
pub(crate) async fn find_escaping_link(
    caller: &Caller,
    tree: &Path,
) -> Result<Option<String>, Failure> {
    let listed = run_git(caller, tree, &["ls-files", "-z", "--cached", "--others"]).await?;
    let root = tree.canonicalize().unwrap_or_else(|_| tree.to_owned());
    let leads_out = |name: &&str| {
        let path = root.join(name);
        let is_link = path.symlink_metadata().is_ok_and(|it| it.is_symlink());
        // A dangling link counts, too: a write through it creates its target.
        is_link
            && !path
                .canonicalize()
                .is_ok_and(|real| real.starts_with(&root))
    };
    let mut names = listed.split('\0').filter(|name| !name.is_empty());
    Ok(names.find(leads_out).map(str::to_owned))
}

/// Returns the paths of a work tree that differ from its commit, including new files that are not
/// ignored. Unlike [`super::changed_paths`], it does not write to the index: a member may be at
/// work there.
///
/// # Errors
///
/// If git fails.
pub(crate) async fn uncommitted_paths(
    caller: &Caller,
    location: &TeamLocation,
) -> Result<Vec<String>, Failure> {
    let session = open_at(caller, location).await?;
    let unstaged = [
        "ls-files",
        "-z",
        "--modified",
        "--deleted",
        "--others",
        "--exclude-standard",
    ];
    let staged = [
        "diff",
        "--cached",
        "--name-only",
        "--no-renames",
        "--ignore-submodules=all",
        "-z",
    ];
    let mut paths = BTreeSet::new();
    for args in [&unstaged[..], &staged] {
        let listed = session.text(args).await.map_err(git_failure)?;
        let listed = listed.split('\0').filter(|path| !path.is_empty());
        paths.extend(listed.map(str::to_owned));
    }
    Ok(paths.into_iter().collect())
}

/// Returns a fingerprint of the files in a work tree, tracked or not, without ignored ones. Equal
/// fingerprints mean that nothing was written in between. Returns `None` if the tree cannot be
/// read.
pub(crate) async fn fingerprint(caller: &Caller, tree: &Path) -> Option<String> {
    let args = [
        "ls-files",
        "-z",
        "--cached",
        "--others",
        "--exclude-standard",
    ];
    let session = open_tree(caller, tree).await.ok()?;
    let listed = session.text(&args).await.ok()?;
    let mut names: Vec<&str> = listed.split('\0').filter(|name| !name.is_empty()).collect();
    names.sort_unstable();
    names.dedup();
    let mut hasher = DefaultHasher::new();
    for name in names {
        name.hash(&mut hasher);
        let found = std::fs::symlink_metadata(tree.join(name)).ok();
        // Unlike mtime, ctime cannot be set back.
        let facts = found.map(|it| {
            let times = (it.mtime(), it.mtime_nsec(), it.ctime(), it.ctime_nsec());
            (times, it.size(), it.mode(), it.ino())
        });
        facts.hash(&mut hasher);
    }
    Some(format!("{:016x}", hasher.finish()))
}

/// Returns the fingerprint of each of these work trees that can be read.
pub(crate) async fn fingerprint_all(
    caller: &Caller,
    trees: &[PathBuf],
) -> BTreeMap<PathBuf, String> {
    let mut fingerprints = BTreeMap::new();
    for tree in trees {
        if let Some(fingerprint) = fingerprint(caller, tree).await {
            fingerprints.insert(tree.clone(), fingerprint);
        }
    }
    fingerprints
}
