//! A team whose repository was moved.

use std::fs;
use std::path::PathBuf;

use agon_testkit::{add, git};

use super::started::Team;
use crate::support::{Ran, Running};

#[test]
fn the_doctor_names_trees_that_lead_to_the_old_place_and_members_go_on_at_the_new_one() {
    let team = Team::new();
    let project = team.place.project();
    let mine = team.home().join("my tree");
    let path = mine.to_str().unwrap();
    git(&project, &["worktree", "add", "-q", "-b", "mine", path]);
    for (name, title) in [("ada", "One"), ("bob", "Two")] {
        let task = team.task(title);
        team.mood(name, "good");
        team.start(name, Some(&task), true);
    }
    let third = team.task("Three");
    let trees = git(&project, &["worktree", "list", "--porcelain"]);
    let tree_of = |name: &str| -> PathBuf {
        let end = format!("/{name}");
        let paths = trees
            .lines()
            .filter_map(|line| line.strip_prefix("worktree "));
        paths
            .into_iter()
            .find(|path| path.ends_with(&end))
            .unwrap()
            .into()
    };
    for name in ["ada", "bob"] {
        add(&tree_of(name), "unsaved.txt", "not committed\n");
    }
    let moved = project.with_file_name("renamed");
    fs::rename(&project, &moved).unwrap();
    let run = |args: &[&str]| -> Ran {
        let mut command = team.place.command(&[&["team"], args].concat());
        command.current_dir(&moved);
        Running::start(command).end()
    };

    let said = run(&["doctor"]);
    assert_eq!(said.code, Some(8), "{}", said.stdout);
    let lost = "trees-linked: the repository was moved, and ";
    assert_eq!(said.stdout.matches(lost).count(), 3, "{}", said.stdout);
    let next = "run `agon team doctor --repair`";
    assert!(said.stdout.contains(next), "{}", said.stdout);

    // A start takes along the tree of its own member alone.
    let args = ["start", "worker", "--host", "claude", "--name", "ada"];
    let ran = run(&[&args[..], &["--task", &third, "--wait", "--json"]].concat());
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let ran = ran.json();
    assert_eq!(ran["turn"]["state"], "finished", "{ran}");
    assert!(!tree_of("ada").exists() && tree_of("bob").exists());
    let files = git(&moved, &["ls-tree", "--name-only", "agon/members/ada"]);
    assert!(files.contains("unsaved.txt"), "{files}");

    let said = run(&["doctor", "--repair"]);
    assert!(said.stdout.contains("done: move it to "), "{said:?}");
    assert!(!tree_of("bob").exists());
    // That of a person is the person's to repair.
    let said = run(&["doctor"]);
    assert_eq!(said.stdout.matches(lost).count(), 1, "{}", said.stdout);
    let next = format!("git worktree repair '{path}'");
    assert!(said.stdout.trim_end().ends_with(&next), "{}", said.stdout);
    git(&moved, &["worktree", "repair", path]);
    let said = run(&["doctor"]);
    assert_eq!(said.stdout, "no problems found: 18 checks\n");
}
