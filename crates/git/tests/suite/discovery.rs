//! Finds the repository of a folder.

use std::fs;
use std::os::unix::fs::symlink;

use agon_git::{DiscoverError, Repository};
use agon_testkit::git;

use crate::place::Place;

#[test]
fn a_work_tree_is_found_from_every_folder_in_it() {
    let place = Place::new();
    let repo = place.repo();
    fs::create_dir_all(repo.join("src/deep")).unwrap();
    let found = Repository::discover(&repo.join("src/deep")).unwrap();
    assert_eq!(found.work_tree.as_ref(), Some(&repo));
    assert_eq!(found.git_dir, repo.join(".git"));
    let other = place.path("other");
    git(
        &repo,
        &["worktree", "add", "-q", "-b", "b", other.to_str().unwrap()],
    );
    let found = Repository::discover(&other).unwrap();
    assert_eq!(found.git_dir, repo.join(".git/worktrees/other"));
    assert_eq!(found.common_dir, repo.join(".git"));
}

#[test]
fn files_of_a_bare_repository_are_no_repository() {
    let place = Place::new();
    let inside = place.repo().join("tools/wt");
    fs::create_dir_all(&inside).unwrap();
    let tools = place.repo().join("tools");
    for folder in ["objects", "refs"] {
        fs::create_dir(tools.join(folder)).unwrap();
    }
    fs::write(tools.join("HEAD"), "ref: refs/heads/main\n").unwrap();
    fs::write(tools.join("config"), "[core]\n\tworktree = wt\n").unwrap();
    for folder in [&inside, &tools] {
        let error = Repository::discover(folder).unwrap_err();
        assert!(matches!(error, DiscoverError::Bare(_)), "{error}");
    }
    let bare = place.path("bare.git");
    git(
        &place.repo(),
        &["init", "-q", "--bare", bare.to_str().unwrap()],
    );
    let error = Repository::discover(&bare.join("refs")).unwrap_err();
    assert!(matches!(error, DiscoverError::Bare(_)), "{error}");
}

#[test]
fn a_git_file_that_leads_to_another_work_tree_is_refused() {
    let place = Place::new();
    let repo = place.repo();
    let (ada, bob) = (place.path("ada"), place.path("bob"));
    for tree in [&ada, &bob] {
        git(&repo, &["worktree", "add", "-q", tree.to_str().unwrap()]);
    }
    let main = repo.join(".git");
    for target in [main.clone(), main.join("worktrees/bob")] {
        fs::write(ada.join(".git"), format!("gitdir: {}\n", target.display())).unwrap();
        for found in [
            Repository::discover(&ada),
            Repository::discover(&repo).unwrap().work_tree_at(&ada),
        ] {
            let error = found.unwrap_err();
            assert!(matches!(error, DiscoverError::Elsewhere { .. }), "{error}");
        }
        fs::remove_file(ada.join(".git")).unwrap();
        symlink(&target, ada.join(".git")).unwrap();
        let error = Repository::discover(&repo).unwrap().work_tree_at(&ada);
        assert!(error.is_err());
        fs::remove_file(ada.join(".git")).unwrap();
    }
    // A separate repository in its place.
    git(&ada, &["init", "-q"]);
    let error = Repository::discover(&repo).unwrap().work_tree_at(&ada);
    assert!(error.is_err());
}

#[test]
fn a_repository_that_says_its_files_are_elsewhere_is_refused() {
    let place = Place::new();
    let repo = place.repo();
    git(&repo, &["config", "core.worktree", "/"]);
    let error = Repository::discover(&repo).unwrap_err();
    assert!(
        matches!(error, DiscoverError::WorkTreeElsewhere { .. }),
        "{error}"
    );
    git(&repo, &["config", "core.worktree", repo.to_str().unwrap()]);
    assert!(Repository::discover(&repo).is_ok());
}

#[test]
fn a_submodule_and_a_git_folder_that_is_kept_apart_are_found() {
    let place = Place::new();
    let repo = place.repo();
    let lib = place.path("lib");
    let apart = place.path("apart");
    let folder = place.path("lib-store");
    git(
        &repo,
        &["clone", "-q", repo.to_str().unwrap(), lib.to_str().unwrap()],
    );
    let submodule = [
        "-c",
        "protocol.file.allow=always",
        "submodule",
        "--quiet",
        "add",
    ];
    git(
        &repo,
        &[&submodule[..], &[lib.to_str().unwrap(), "sub"]].concat(),
    );
    let found = Repository::discover(&repo.join("sub")).unwrap();
    assert_eq!(found.work_tree, Some(repo.join("sub")));
    let separate = format!("--separate-git-dir={}", folder.display());
    git(
        &repo,
        &[
            "clone",
            "-q",
            &separate,
            lib.to_str().unwrap(),
            apart.to_str().unwrap(),
        ],
    );
    let found = Repository::discover(&apart).unwrap();
    assert_eq!((found.work_tree, found.git_dir), (Some(apart), folder));
}
