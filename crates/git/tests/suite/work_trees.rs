//! Work trees are added and forgotten, and the objects of a partial clone fetched.

use std::fs;

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
