//! Ignored files in the work trees of members: missing, copied, linked, and set up.

use std::fs;

use agon_testkit::{add, git};

use super::Repository;
use super::judged::script;
use super::started::Team;

/// A team in a project with a `.env` and `node_modules` that git ignores.
fn team() -> Team {
    let team = Team::new();
    let project = team.place.project();
    add(&project, ".gitignore", ".env\nnode_modules\nready\n");
    git(&project, &["add", "."]);
    git(&project, &["commit", "-q", "-m", "ignore"]);
    add(&project, ".env", "KEY=abc\n");
    add(&project, "node_modules/pad.js", "x\n");
    team
}

#[test]
fn a_member_gets_what_the_section_names_and_is_told_of_it_where_there_is_none() {
    let team = team();
    let look = "cat .env node_modules/pad.js ready; echo made > made.txt";
    script(&team, "ada", look);
    let task = team.task("One");
    let args = ["start", "worker", "--host", "claude", "--name", "ada"];
    let ran = team.run(&[&args[..], &["--task", &task, "--wait"]].concat());
    let note = "note: git ignores .env, node_modules, so a member's work tree lacks them; bring them \
                with `agon team worktree set --copy .env --link node_modules`";
    assert!(ran.stdout.contains(note), "{ran:?}");

    let set = [
        "worktree",
        "set",
        "--copy",
        ".env",
        "--link",
        "node_modules",
    ];
    let ran = team.run(&[&set[..], &["--", "sh", "-c", "echo ready > ready"]].concat());
    assert_eq!(ran.code, Some(0), "{ran:?}");
    for said in [
        "a copy of .env",
        "a link to node_modules",
        "can read the copies and any secrets in them",
        "Agon starts no member in opencode",
    ] {
        assert!(ran.stdout.contains(said), "{said}: {ran:?}");
    }
    let shown = team.json(&["worktree", "show"]);
    assert_eq!(shown["schema"], "agon.team_worktree/1");
    assert_eq!(shown["copy"], serde_json::json!([".env"]));
    assert_eq!(shown["setup"]["argv"][2], "echo ready > ready");

    // A tree that is there gets it, too.
    let task = team.task("Two");
    let started = team.start("ada", Some(&task), true);
    assert_eq!(started["notes"], serde_json::Value::Null, "{started}");
    let seen = fs::read_to_string(team.home().join("ada.script")).unwrap();
    assert_eq!(seen, "KEY=abc\nx\nready\n");
    let tree = started["work_tree"].as_str().unwrap();
    let files = git(tree.as_ref(), &["ls-tree", "-r", "--name-only", "HEAD"]);
    assert!(
        !files.contains(".env") && files.contains("made.txt"),
        "{files}"
    );

    team.json(&["worktree", "rm"]);
    let shown = team.run(&["worktree", "show"]);
    assert_eq!(
        shown.stdout.trim(),
        "new work trees contain only the files of their commit"
    );
}

#[test]
fn a_run_has_what_its_gates_need_in_the_tree_of_every_member_and_of_its_checks() {
    let team = team();
    team.json(&[
        "worktree",
        "set",
        "--copy",
        ".env",
        "--link",
        "node_modules",
    ]);
    team.json(&[
        "gate",
        "add",
        "needs",
        "--",
        "cat",
        ".env",
        "node_modules/pad.js",
    ]);
    team.mood("r1-planner", "one");
    team.mood("r1-reviewer", "approve");
    let done = team.json(&["run", "Make a file", "--host", "claude", "--agreed"]);
    assert_eq!(done["stage"], "done", "{done}");
    // A planner neither edits nor runs programs: it is given no secret.
    let trees = team.home().join(".local/state/agon/teams");
    let trees = fs::read_dir(trees).unwrap().next().unwrap().unwrap().path();
    assert!(trees.join("r1-t1/.env").is_file() && trees.join("r1-check/.env").is_file());
    assert!(trees.join("r1-planner").is_dir() && !trees.join("r1-planner/.env").exists());
}

#[test]
fn a_setup_that_fails_stops_the_start_with_what_it_printed() {
    let team = team();
    team.json(&[
        "worktree",
        "set",
        "--",
        "sh",
        "-c",
        "echo no registry >&2; exit 4",
    ]);
    let task = team.task("One");
    let args = ["start", "worker", "--host", "claude", "--name", "ada"];
    let ran = team.run(&[&args[..], &["--task", &task, "--json"]].concat());
    let error = &ran.json()["error"];
    assert_eq!(error["code"], "tree_setup", "{ran:?}");
    assert!(
        error["message"]
            .as_str()
            .unwrap()
            .contains("exit 4\nno registry"),
        "{ran:?}"
    );
    // Nobody has the task, and nobody joined.
    assert_eq!(team.task_state(&task), "ready");
    let members = team.json(&["status"])["members"].clone();
    assert_eq!(members.as_array().unwrap().len(), 1, "{members}");
}

#[test]
fn a_member_who_does_not_lead_says_nothing_of_it() {
    let team = Repository::with_team();
    for args in [
        &["worktree", "set", "--copy", ".env"][..],
        &["worktree", "rm"],
    ] {
        let (code, ..) = team.refused("ada", args);
        assert_eq!(code, "refused", "{args:?}");
    }
    // A file of a work tree says nothing, either.
    add(
        &team.tree("lea"),
        "worktree.toml",
        "schema = \"agon.worktree/1\"\n[worktree]\ncopy = [\"x\"]\n",
    );
    let shown = team.json("ada", &["worktree", "show"]);
    assert_eq!(shown["copy"], serde_json::json!([]));
    let (code, message, _) = team.refused("lea", &["worktree", "set", "--copy", "../x"]);
    assert_eq!(code, "invalid_worktree", "{message}");
}
