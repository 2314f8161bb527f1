//! How the files of a work tree look.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use agon_caller::{Caller, Failure};

use crate::git::{open_tree, run_git};

/// A link in a work tree, ignored or not, that leads out of it.
///
/// # Errors
///
/// If git refuses.
pub(crate) async fn find_way_out(caller: &Caller, tree: &Path) -> Result<Option<String>, Failure> {
    let listed = run_git(caller, tree, &["ls-files", "-z", "--cached", "--others"]).await?;
    let root = tree.canonicalize().unwrap_or_else(|_| tree.to_owned());
    let leads_out = |name: &&str| {
        let path = root.join(name);
        let is_link = path.symlink_metadata().is_ok_and(|it| it.is_symlink());
        // One that leads nowhere may be written through, too.
        is_link
            && !path
                .canonicalize()
                .is_ok_and(|real| real.starts_with(&root))
    };
    let mut names = listed.split('\0').filter(|name| !name.is_empty());
    Ok(names.find(leads_out).map(str::to_owned))
}

/// How the files of a work tree look, tracked or not, without those that are ignored: two looks that
/// are equal had no write between them. None where it cannot be looked at.
pub(crate) async fn look(caller: &Caller, tree: &Path) -> Option<String> {
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
        // The time of the change cannot be set back as that of the content can.
        let facts = found.map(|it| {
            let times = (it.mtime(), it.mtime_nsec(), it.ctime(), it.ctime_nsec());
            (times, it.size(), it.mode(), it.ino())
        });
        facts.hash(&mut hasher);
    }
    Some(format!("{:016x}", hasher.finish()))
}

/// How every one of these work trees looks.
pub(crate) async fn look_at_all(caller: &Caller, trees: &[PathBuf]) -> BTreeMap<PathBuf, String> {
    let mut looks = BTreeMap::new();
    for tree in trees {
        if let Some(look) = look(caller, tree).await {
            looks.insert(tree.clone(), look);
        }
    }
    looks
}
