//! Adds and removes work trees, and fetches missing objects of a partial clone.

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use agon_git::{GitLimits, GitSession, Repository};
use agon_testkit::{add, git};

use crate::place::Place;

#[tokio::test]
async fn a_work_tree_is_added_and_forgotten_and_no_other_one_is() {
    let place = Place::new();
    let repo = place.repo();
    let gone = place.path("usb/mine");
    git(
        &repo,
        &[
            "worktree",
            "add",
            "-q",
            "-b",
            "mine",
            gone.to_str().unwrap(),
        ],
    );
    fs::rename(place.path("usb"), place.path("unplugged")).unwrap();
    git(&repo, &["branch", "ada"]);
    let tree = place.path("ada");
    let session = place.open().await;
    let added = session.add_work_tree(&tree, "ada").await.unwrap();
    assert_eq!(added.work_tree, Some(tree.clone()));
    drop(session);
    let inside = GitSession::open(&place.git(), &added).await.unwrap();
    inside.run(&["reset", "-q", "--hard"], b"").await.unwrap();
    assert_eq!(git(&tree, &["status", "--porcelain"]), "");
    assert_eq!(git(&tree, &["branch", "--show-current"]).trim(), "ada");
    fs::remove_dir_all(&tree).unwrap();
    let repository = Repository::discover(&repo).unwrap();
    repository.forget_work_tree(&tree).unwrap();
    assert!(!repo.join(".git/worktrees/ada").exists());
    fs::rename(place.path("unplugged"), place.path("usb")).unwrap();
    assert_eq!(git(&gone, &["status", "--porcelain"]), "");
}

/// A repository with the work tree `ada`, its folder and its registration.
fn with_ada(place: &Place) -> (Repository, PathBuf, PathBuf) {
    let (repo, tree) = (place.repo(), place.path("ada"));
    let path = tree.to_str().unwrap();
    git(&repo, &["worktree", "add", "-q", "-b", "ada", path]);
    let repository = Repository::discover(&repo).unwrap();
    (repository, tree, repo.join(".git/worktrees/ada"))
}

#[test]
fn a_work_tree_is_linked_again_and_nothing_is_written_through_a_link() {
    let place = Place::new();
    let (repository, tree, git_dir) = with_ada(&place);
    let moved = place.path("moved");
    fs::rename(&tree, &moved).unwrap();
    let added = repository.added_work_trees();
    let outside = place.path("outside");
    for name in ["gitdir", ".git"] {
        let link = match name {
            "gitdir" => git_dir.join(name),
            _ => moved.join(name),
        };
        fs::copy(&link, &outside).unwrap();
        let before = fs::read(&outside).unwrap();
        fs::remove_file(&link).unwrap();
        symlink(&outside, &link).unwrap();
        added[0].link_to(&moved).unwrap();
        assert_eq!(fs::read(&outside).unwrap(), before, "{name}");
        assert!(fs::symlink_metadata(&link).unwrap().is_file(), "{name}");
    }
    let written = fs::read_to_string(git_dir.join("gitdir")).unwrap();
    assert_eq!(written, format!("{}\n", moved.join(".git").display()));
    assert_eq!(git(&moved, &["status", "--porcelain"]), "");
    let names = |dir: &Path| -> Vec<_> {
        let entries = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap());
        entries.map(|entry| entry.file_name()).collect()
    };
    let all = [names(&git_dir), names(&moved)].concat();
    let id = std::process::id().to_string();
    let is_left = |name: &OsString| name.to_string_lossy().contains(&id);
    assert!(!all.iter().any(is_left), "{all:?}");
}

#[test]
fn a_registration_that_is_a_link_is_none() {
    let place = Place::new();
    let (repository, tree, git_dir) = with_ada(&place);
    assert_eq!(repository.added_work_trees().len(), 1);
    let outside = place.path("outside");
    fs::rename(&git_dir, &outside).unwrap();
    // From there, the relative path to the repository differs.
    let common = repository.common_dir.to_str().unwrap();
    fs::write(outside.join("commondir"), common).unwrap();
    symlink(&outside, &git_dir).unwrap();
    assert_eq!(repository.added_work_trees(), []);
    assert_eq!(repository.registration_of(&tree), None);
    assert!(repository.work_tree_at(&tree).is_err());
}

#[tokio::test]
async fn objects_that_a_partial_clone_lacks_are_fetched_by_the_users_means_alone() {
    let place = Place::new();
    let repo = place.repo();
    for (key, value) in [
        ("uploadpack.allowFilter", "true"),
        ("uploadpack.allowAnySHA1InWant", "true"),
    ] {
        git(&repo, &["config", key, value]);
    }
    let clone = place.path("clone");
    let url = format!("file://{}", repo.display());
    git(
        &repo,
        &[
            "clone",
            "-q",
            "--filter=blob:none",
            &url,
            clone.to_str().unwrap(),
        ],
    );
    add(&repo, "b/new.txt", "new\n");
    git(&repo, &["add", "."]);
    git(&repo, &["commit", "-q", "-m", "more"]);
    git(&clone, &["fetch", "-q", "origin"]);
    // A program of the repository's that a plain fetch would start.
    let program = place.program("upload-pack");
    git(&clone, &["config", "remote.origin.uploadpack", &program]);
    let repository = Repository::discover(&clone).unwrap();
    let session = GitSession::open(&place.git(), &repository).await.unwrap();
    let read = ["cat-file", "-p", "origin/main:b/new.txt"];
    assert!(
        session.text(&read).await.is_err(),
        "it was not to be fetched"
    );
    let fetched = session
        .fetch_missing("origin/main", GitLimits::STEP)
        .await
        .unwrap()
        .unwrap();
    assert_eq!((fetched.remote.as_str(), fetched.objects), ("origin", 1));
    assert_eq!(session.text(&read).await.unwrap(), "new\n");
    assert_eq!(
        session
            .fetch_missing("origin/main", GitLimits::STEP)
            .await
            .unwrap(),
        None
    );
    assert_eq!(place.take_ran(), Vec::<String>::new());
}
