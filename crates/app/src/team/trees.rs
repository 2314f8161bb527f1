//! Work trees: made for members, looked at, and their changes committed.

mod mark;

use std::collections::BTreeMap;
use std::fs::{File, TryLockError};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use agon_team::id::MemberName;
use agon_team::store::TeamLocation;

use self::mark::mark;
pub(super) use self::mark::marks;
use super::door::failure;
use super::git::run_git;
use crate::caller::Caller;
use crate::failure::{Failure, FailureKind};

// To make a tree of a large repository takes seconds.
/// How long others may be at the work trees.
const LOCK_TIMEOUT: Duration = Duration::from_secs(60);
/// How often it is looked whether they are done.
const LOCK_INTERVAL: Duration = Duration::from_millis(20);

/// The folder for the work trees of a repository's members: in the user's state, outside of every
/// work tree of the repository and of its git folder, which AI tools guard.
///
/// # Errors
///
/// If the user has no such folder.
pub(super) fn folder(caller: &Caller, location: &TeamLocation) -> Result<PathBuf, Failure> {
    let state = caller.state_dir().ok_or_else(|| {
        Failure::new(
            FailureKind::Store,
            "store",
            "there is no folder for work trees",
        )
        .hint("set HOME or XDG_STATE_HOME")
    })?;
    let parent = location.common_dir.parent();
    let name = parent.and_then(Path::file_name).unwrap_or_default();
    // The same in every version of Agon: trees that were made are found by it.
    let hash = blake3::hash(location.common_dir.as_os_str().as_bytes()).to_hex();
    let hash = hash.as_str().get(..16).unwrap_or_default();
    let name = format!("{}-{hash}", name.to_string_lossy());
    Ok(state.join("teams").join(name))
}

/// The branch of a member's own.
pub(super) fn branch_of(name: &MemberName) -> String {
    format!("agon/members/{name}")
}

/// Makes the work tree of a member at `path` on its branch, which begins at `base`; what is there
/// stays as it is.
///
/// # Errors
///
/// If git refuses.
pub(super) async fn make(
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
pub(super) async fn make_for_us(
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
pub(super) async fn has_branch(caller: &Caller, branch: &str) -> Result<bool, Failure> {
    let reference = format!("refs/heads/{branch}");
    let args = ["for-each-ref", "--format=%(refname)", &reference];
    Ok(!run_git(caller, &caller.cwd, &args).await?.trim().is_empty())
}

/// Waits until no other process of Agon's adds, lists or forgets work trees of the repository: git
/// fails where it meets one that is half made. What is returned lets the next one go on.
///
/// # Errors
///
/// If it takes longer than a minute, or the lock's file cannot be opened.
async fn lock_work_trees(caller: &Caller, at: &Path) -> Result<File, Failure> {
    let location = TeamLocation::find(at).map_err(failure)?;
    let path = location.database().with_file_name("trees.lock");
    let failed = |cause: std::io::Error| {
        let message = format!("cannot lock {}: {cause}", caller.display_path(&path));
        Failure::new(FailureKind::Store, "store", message)
    };
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    let file = File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(&path)
        .map_err(failed)?;
    let begun = Instant::now();
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) if begun.elapsed() < LOCK_TIMEOUT => {
                tokio::time::sleep(LOCK_INTERVAL).await;
            }
            Err(TryLockError::WouldBlock) => {
                let message = "another process is at the work trees of this repository";
                return Err(Failure::new(FailureKind::Store, "busy", message)
                    .hint("try again once it is done"));
            }
            Err(TryLockError::Error(cause)) => return Err(failed(cause)),
        }
    }
}

/// Whether a work tree is there with all of its files.
pub(super) fn is_whole(path: &Path) -> bool {
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
pub(super) fn unlock(path: &Path) {
    if let Some(folder) = git_folder(path) {
        std::fs::remove_file(folder.join("index.lock")).ok();
    }
}

/// Checks a commit out in a work tree of our own, without what lay there before; what is ignored stays,
/// such as what a build made.
///
/// # Errors
///
/// If git refuses.
pub(super) async fn check_out(caller: &Caller, tree: &Path, commit: &str) -> Result<(), Failure> {
    mark(caller, tree)?;
    run_git(caller, tree, &["reset", "-q", "--hard"]).await?;
    run_git(caller, tree, &["clean", "-ffdq"]).await?;
    run_git(caller, tree, &["checkout", "-q", "--detach", commit]).await?;
    Ok(())
}

/// The commit that is checked out in a work tree.
///
/// # Errors
///
/// If it has none.
pub(super) async fn head(caller: &Caller, tree: &Path) -> Result<String, Failure> {
    let head = run_git(caller, tree, &["rev-parse", "--verify", "HEAD"]).await?;
    Ok(head.trim().to_owned())
}

/// The paths that are changed in a work tree and not committed, new and removed ones too. Where a merge
/// is not done, what it brought is left out.
///
/// # Errors
///
/// If git refuses.
pub(super) async fn changed_paths(caller: &Caller, tree: &Path) -> Result<Vec<String>, Failure> {
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
pub(super) async fn commit(
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
pub(super) async fn merge(
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
pub(super) async fn conflicts(caller: &Caller, tree: &Path) -> Result<Vec<String>, Failure> {
    let unmerged = ["diff", "--name-only", "--diff-filter=U", "-z"];
    let names = run_git(caller, tree, &unmerged).await?;
    let names = names.split('\0').filter(|name| !name.is_empty());
    Ok(names.map(str::to_owned).collect())
}

/// Every work tree of the repository.
///
/// # Errors
///
/// If git refuses.
pub(super) async fn list(caller: &Caller, at: &Path) -> Result<Vec<PathBuf>, Failure> {
    let _lock = lock_work_trees(caller, at).await?;
    let listed = run_git(caller, at, &["worktree", "list", "--porcelain", "-z"]).await?;
    let trees = listed
        .split('\0')
        .filter_map(|line| line.strip_prefix("worktree "));
    Ok(trees
        .map(PathBuf::from)
        .filter(|tree| tree.join(".git").exists())
        .collect())
}

/// A link in a work tree, ignored or not, that leads out of it.
///
/// # Errors
///
/// If git refuses.
pub(super) async fn find_way_out(caller: &Caller, tree: &Path) -> Result<Option<String>, Failure> {
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
pub(super) async fn look(caller: &Caller, tree: &Path) -> Option<String> {
    let args = [
        "ls-files",
        "-z",
        "--cached",
        "--others",
        "--exclude-standard",
    ];
    let listed = run_git(caller, tree, &args).await.ok()?;
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
pub(super) async fn look_at_all(caller: &Caller, trees: &[PathBuf]) -> BTreeMap<PathBuf, String> {
    let mut looks = BTreeMap::new();
    for tree in trees {
        if let Some(look) = look(caller, tree).await {
            looks.insert(tree.clone(), look);
        }
    }
    looks
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use agon_testkit::{Sandbox, add, git};

    use super::*;

    fn place() -> (Sandbox, Caller, PathBuf) {
        let sandbox = Sandbox::new();
        let project = sandbox.project();
        git(&project, &["init", "-q"]);
        add(&project, "a.txt", "one\n");
        git(&project, &["add", "."]);
        git(&project, &["commit", "-q", "-m", "begin"]);
        let vars = sandbox.command_env().into_iter();
        let vars = vars.map(|(name, value)| (name.into(), value.into()));
        let caller = Caller::new(vars.collect(), &project);
        (sandbox, caller, project)
    }

    #[tokio::test]
    async fn trees_that_are_made_at_once_are_all_made() {
        let (sandbox, caller, project) = place();
        let trees: Vec<_> = (0..8)
            .map(|n| sandbox.home().join(format!("trees/{n}")))
            .collect();
        let made = trees.iter().enumerate().map(|(n, tree)| {
            let (caller, branch) = (caller.clone(), format!("agon/members/m{n}"));
            async move { make(&caller, tree, &branch, "HEAD").await }
        });
        let listed = (0..8).map(|_| list(&caller, &project));
        let (made, listed) = tokio::join!(
            futures_util::future::join_all(made),
            futures_util::future::join_all(listed)
        );
        assert!(made.iter().all(Result::is_ok), "{made:?}");
        assert!(listed.iter().all(Result::is_ok), "{listed:?}");
        assert!(trees.iter().all(|tree| is_whole(tree)));
    }

    #[tokio::test]
    async fn a_link_that_leads_out_is_found_also_where_it_is_ignored() {
        let (sandbox, caller, project) = place();
        add(&project, ".gitignore", "out\n");
        symlink("a.txt", project.join("inside")).unwrap();
        assert_eq!(find_way_out(&caller, &project).await, Ok(None));
        symlink(sandbox.home(), project.join("out")).unwrap();
        let found = find_way_out(&caller, &project).await;
        assert_eq!(found, Ok(Some("out".to_owned())));
    }

    #[tokio::test]
    async fn a_look_changes_with_every_write_and_with_nothing_else() {
        let (_sandbox, caller, project) = place();
        let first = look(&caller, &project).await;
        git(&project, &["status"]);
        assert_eq!(look(&caller, &project).await, first);
        for change in ["two\n", "one\n"] {
            let before = look(&caller, &project).await;
            std::thread::sleep(std::time::Duration::from_millis(20));
            add(&project, "a.txt", change);
            assert_ne!(look(&caller, &project).await, before);
        }
        let before = look(&caller, &project).await;
        add(&project, "b.txt", "new\n");
        assert_ne!(look(&caller, &project).await, before);
    }

    #[tokio::test]
    async fn what_agon_writes_to_a_tree_is_marked_before_it_is_written() {
        let (sandbox, caller, project) = place();
        let tree = sandbox.home().join("trees/ada");
        let location = TeamLocation::find(&project).unwrap();
        let read = || marks(&location, std::slice::from_ref(&tree)).remove(&tree);
        assert_eq!(read(), None);
        make(&caller, &tree, "agon/members/ada", "HEAD")
            .await
            .unwrap();
        let made = read();
        // It is whole, so nothing is written.
        make(&caller, &tree, "agon/members/ada", "HEAD")
            .await
            .unwrap();
        look(&caller, &tree).await;
        assert_eq!(read(), made);
        check_out(&caller, &tree, "HEAD").await.unwrap();
        let checked_out = read();
        merge(&caller, &tree, "HEAD", None).await.unwrap();
        let all = [None, made, checked_out, read()];
        let different: std::collections::BTreeSet<_> = all.iter().collect();
        assert_eq!(different.len(), all.len(), "{all:?}");
    }

    #[tokio::test]
    async fn a_tree_whose_making_was_killed_is_made_again_and_a_whole_one_stays() {
        let (sandbox, caller, project) = place();
        let tree = sandbox.home().join("trees/ada");
        make(&caller, &tree, "agon/members/ada", "HEAD")
            .await
            .unwrap();
        add(&tree, "work.txt", "kept\n");
        let lock = project.join(".git/worktrees/ada/index.lock");
        std::fs::write(&lock, "").unwrap();
        make(&caller, &tree, "agon/members/ada", "HEAD")
            .await
            .unwrap();
        assert!(tree.join("work.txt").exists());
        assert!(lock.exists(), "a git that lives may have it");
        make_for_us(&caller, &tree, "agon/members/ada", "HEAD")
            .await
            .unwrap();
        assert!(!lock.exists());
        git(&tree, &["add", "."]);
        // As git leaves it when it is killed in the middle.
        std::fs::remove_file(tree.join("a.txt")).unwrap();
        add(&project, ".git/worktrees/ada/locked", "initializing");
        std::fs::remove_file(project.join(".git/worktrees/ada/index")).unwrap();
        make(&caller, &tree, "agon/members/ada", "HEAD")
            .await
            .unwrap();
        assert!(tree.join("a.txt").exists() && !tree.join("work.txt").exists());
    }
}
