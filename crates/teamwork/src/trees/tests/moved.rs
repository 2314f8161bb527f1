//! Moves and copies a repository, and checks the work trees that Agon made for it.

use std::path::{Path, PathBuf};

use agon_testkit::{Sandbox, add, git};

use super::super::*;
use super::place;

/// Returns the folders for a repository's work trees, under its former and its current name.
const BEFORE: &str = "teams/p-0123456789abcdef";
const NOW: &str = "teams/renamed-fedcba9876543210";

/// Makes the work tree of ada with an uncommitted file.
async fn make_ada(caller: &Caller, folder: &Path) -> PathBuf {
    let tree = folder.join("ada");
    make(caller, &tree, "agon/members/ada", "HEAD")
        .await
        .unwrap();
    add(&tree, "work.txt", "not committed\n");
    tree
}

fn caller_in(sandbox: &Sandbox, project: &Path) -> Caller {
    let vars = sandbox.command_env().into_iter();
    let vars = vars.map(|(name, value)| (name.into(), value.into()));
    Caller::new(vars.collect(), project)
}

/// Returns for each displaced work tree whether its files were found, and the users' own work trees
/// with dangling links.
fn misplaced(caller: &Caller, folder: &Path) -> (Vec<bool>, Vec<PathBuf>) {
    let location = TeamLocation::find(&caller.cwd).unwrap();
    let own = displaced(&location, folder).into_iter();
    let has_files = own.map(|tree| tree.found.is_some()).collect();
    (has_files, strays(&location, folder))
}

#[tokio::test]
async fn a_tree_follows_a_repository_that_was_moved_with_all_that_is_in_it() {
    let (sandbox, caller, project) = place();
    let [former, folder] = [BEFORE, NOW].map(|name| sandbox.home().join(name));
    let before = make_ada(&caller, &former).await;
    let persons = sandbox.home().join("mine");
    let mine = persons.to_str().unwrap();
    git(&project, &["worktree", "add", "-q", "-b", "mine", mine]);
    assert_eq!(misplaced(&caller, &former), (vec![], vec![]));
    let moved = project.with_file_name("renamed");
    std::fs::rename(&project, &moved).unwrap();
    let link = std::fs::read_to_string(persons.join(".git")).unwrap();

    let caller = caller_in(&sandbox, &moved);
    let found = misplaced(&caller, &folder);
    assert_eq!(found, (vec![true], vec![persons.clone()]));
    let tree = folder.join("ada");
    make(&caller, &tree, "agon/members/ada", "HEAD")
        .await
        .unwrap();
    assert!(tree.join("work.txt").exists() && !before.exists());
    assert_eq!(git(&tree, &["status", "--porcelain"]), "?? work.txt\n");
    // A user's own work tree is left alone.
    let found = misplaced(&caller, &folder);
    assert_eq!(found, (vec![], vec![persons.clone()]));
    assert_eq!(std::fs::read_to_string(persons.join(".git")).unwrap(), link);
    git(&moved, &["worktree", "repair", mine]);
    assert_eq!(misplaced(&caller, &folder), (vec![], vec![]));
}

#[tokio::test]
async fn a_tree_follows_a_folder_of_state_that_was_moved_too_or_was_repaired_by_hand() {
    for by_hand in [false, true] {
        let (sandbox, caller, project) = place();
        make_ada(&caller, &sandbox.home().join(BEFORE)).await;
        let moved = project.with_file_name("renamed");
        std::fs::rename(&project, &moved).unwrap();
        let state = sandbox.home().join("elsewhere");
        std::fs::create_dir(&state).unwrap();
        std::fs::rename(sandbox.home().join("teams"), state.join("teams")).unwrap();
        if by_hand {
            let tree = state.join(BEFORE).join("ada");
            git(&moved, &["worktree", "repair", tree.to_str().unwrap()]);
        }
        let caller = caller_in(&sandbox, &moved);
        let location = TeamLocation::find(&moved).unwrap();
        let folder = state.join(NOW);
        repair_all(&caller, &location, &folder).await.unwrap();
        let tree = folder.join("ada");
        assert!(is_whole(&location, &tree) && tree.join("work.txt").exists());
        assert_eq!(misplaced(&caller, &folder), (vec![], vec![]));
    }
}

#[tokio::test]
async fn a_copy_of_a_repository_takes_no_tree_of_the_first_one() {
    let (sandbox, first, project) = place();
    let [former, folder] = [BEFORE, NOW].map(|name| sandbox.home().join(name));
    let tree = make_ada(&first, &former).await;
    let copy = project.with_file_name("copy");
    copy_all(&project, &copy);
    let link = std::fs::read_to_string(tree.join(".git")).unwrap();
    let caller = caller_in(&sandbox, &copy);
    assert_eq!(misplaced(&caller, &folder), (vec![false], vec![]));
    make_ada(&caller, &folder).await;
    assert_eq!(std::fs::read_to_string(tree.join(".git")).unwrap(), link);
    assert_eq!(misplaced(&first, &former), (vec![], vec![]));
    make(&first, &tree, "agon/members/ada", "HEAD")
        .await
        .unwrap();
}

fn copy_all(from: &Path, to: &Path) {
    std::fs::create_dir(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let (path, place) = {
            let entry = entry.unwrap();
            (entry.path(), to.join(entry.file_name()))
        };
        match path.is_dir() {
            true => copy_all(&path, &place),
            false => drop(std::fs::copy(&path, &place).unwrap()),
        }
    }
}

#[tokio::test]
async fn a_link_that_a_member_changed_is_not_followed() {
    let (sandbox, caller, project) = place();
    let [former, folder] = [BEFORE, NOW].map(|name| sandbox.home().join(name));
    let before = make_ada(&caller, &former).await;
    let moved = project.with_file_name("renamed");
    std::fs::rename(&project, &moved).unwrap();
    std::fs::remove_file(before.join(".git")).unwrap();
    std::os::unix::fs::symlink(moved.join(".git"), before.join(".git")).unwrap();
    let caller = caller_in(&sandbox, &moved);
    assert_eq!(misplaced(&caller, &folder), (vec![], vec![]));
    let tree = folder.join("ada");
    let made = make(&caller, &tree, "agon/members/ada", "HEAD").await;
    assert!(made.is_err());
    assert!(before.join("work.txt").exists());
}
