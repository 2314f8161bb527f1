//! What members that are done left, and its removal.

use std::path::PathBuf;

use agon_testkit::{Terminal, add, git};
use serde_json::{Value, json};

use super::Repository;
use super::started::Team;

fn names(list: &Value) -> Vec<&str> {
    let list = list.as_array().unwrap().iter();
    list.map(|it| it["name"].as_str().unwrap()).collect()
}

fn why<'a>(document: &'a Value, name: &str) -> &'a str {
    let kept = document["kept"].as_array().unwrap();
    let found = kept.iter().find(|it| it["name"] == name);
    found.unwrap_or_else(|| panic!("{name}: {document}"))["why"]
        .as_str()
        .unwrap()
}

/// Has a member work on a task of its own until that is done; its work tree.
fn done(team: &Team, name: &str) -> PathBuf {
    let task = team.task(name);
    let started = team.start(name, Some(&task), true);
    team.json(&["task", "done", &task]);
    PathBuf::from(started["work_tree"].as_str().unwrap())
}

fn members(team: &Team) -> Vec<String> {
    let status = team.json(&["status"]);
    let members = status["members"].as_array().unwrap().iter();
    members
        .map(|it| it["name"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn what_was_merged_goes_and_work_that_is_nowhere_else_stays() {
    let team = Team::new();
    let project = team.place.project();
    let (merged, unmerged) = (done(&team, "ada"), done(&team, "bob"));
    let dirty = done(&team, "cid");
    git(
        &project,
        &[
            "merge",
            "-q",
            "--no-edit",
            "agon/members/ada",
            "agon/members/cid",
        ],
    );
    add(&dirty, "late.txt", "not committed\n");
    let open = team.task("Open");
    team.start("dan", Some(&open), true);

    let plan = team.json(&["clean", "--dry-run"]);
    assert_eq!(plan["dry_run"], true);
    assert_eq!(names(&plan["removed"]), ["ada"]);
    assert!(merged.is_dir());
    assert_eq!(why(&plan, "bob"), "its work exists nowhere else");
    assert_eq!(plan["kept"][0]["unmerged"], 1, "{plan}");
    assert_eq!(why(&plan, "cid"), "its work exists nowhere else");
    assert!(
        plan["kept"]
            .as_array()
            .unwrap()
            .iter()
            .any(|it| it["uncommitted"] == json!(["late.txt"]))
    );
    assert_eq!(why(&plan, "dan"), format!("{open} is review"));

    // Nobody is there to be asked.
    let refused = team.run(&["clean", "--json"]);
    assert_eq!(
        refused.json()["error"]["code"],
        "not_confirmed",
        "{refused:?}"
    );
    assert!(merged.is_dir());

    let cleaned = team.run(&["clean", "--yes"]);
    assert_eq!(cleaned.code, Some(0), "{cleaned:?}");
    for said in [
        "removed: ada (work tree and branch)",
        "contains: 1 unmerged commit on agon/members/bob",
        "contains: uncommitted late.txt",
        "to remove one anyway, name it: agon team clean bob --force",
    ] {
        assert!(cleaned.stdout.contains(said), "{said}: {cleaned:?}");
    }
    assert!(!merged.exists() && unmerged.is_dir() && dirty.is_dir());
    assert_eq!(members(&team), ["bob", "cid", "dan", "lea"]);
    let branches = git(&project, &["branch", "--list", "agon/members/*"]);
    assert!(
        !branches.contains("ada") && branches.contains("bob"),
        "{branches}"
    );
    assert!(!git(&project, &["worktree", "list"]).contains("/ada"));

    let forced = team.json(&["clean", "bob", "cid", "--force", "--yes"]);
    assert_eq!(names(&forced["removed"]), ["bob", "cid"]);
    assert!(!unmerged.exists() && !dirty.exists());
    assert_eq!(members(&team), ["dan", "lea"]);
    // A name that is free again is taken again.
    team.mood("ada", "both");
    let again = team.start("ada", Some(&team.task("Again")), true);
    assert_eq!(again["turn"]["state"], "finished", "{again}");
    let (code, folder) = (
        team.run(&["clean", "eve", "--dry-run"]),
        merged.parent().unwrap(),
    );
    assert_eq!(code.code, Some(2));
    let left = std::fs::read_dir(folder).unwrap().flatten();
    assert!(
        !left
            .into_iter()
            .any(|it| it.file_name().to_string_lossy().starts_with('.'))
    );
}

#[test]
fn a_run_is_cleaned_once_it_has_landed() {
    let team = Team::new();
    let project = team.place.project();
    team.mood("r1-planner", "one");
    team.mood("r1-reviewer", "approve");
    let run = team.json(&["run", "Make a file", "--host", "claude", "--agreed"]);
    assert_eq!(run["stage"], "done", "{run}");
    let plan = team.json(&["clean", "--dry-run"]);
    assert_eq!(names(&plan["removed"]), [""; 0], "{plan}");
    assert_eq!(
        why(&plan, "r1-t1"),
        "not landed yet: run `agon team land r1` first"
    );
    let landed = team.run(&["land", "r1"]);
    assert!(
        landed.stdout.contains("next: agon team clean"),
        "{landed:?}"
    );
    let cleaned = team.json(&["clean", "r1", "--yes"]);
    assert_eq!(cleaned["kept"], json!([]), "{cleaned}");
    assert_eq!(git(&project, &["branch", "--list", "agon/*"]), "");
    assert_eq!(git(&project, &["worktree", "list"]).lines().count(), 1);
    assert_eq!(members(&team), ["lea"]);
}

#[test]
fn what_a_person_holds_on_to_stays_even_if_forced() {
    let team = Team::new();
    let project = team.place.project();
    let (locked, taken) = (done(&team, "ada"), done(&team, "bob"));
    git(&project, &["worktree", "lock", locked.to_str().unwrap()]);
    git(&taken, &["checkout", "-q", "-b", "mine"]);
    add(&taken, "mine.txt", "x\n");
    team.mood("eve", "hang");
    let task = team.task("Busy");
    team.start("eve", Some(&task), false);
    team.until("eve has begun", || !team.pids("eve").is_empty());
    let kept = team.json(&["clean", "ada", "bob", "eve", "--force", "--yes"]);
    assert_eq!(names(&kept["removed"]), [""; 0], "{kept}");
    assert!(why(&kept, "ada").contains("locked"), "{kept}");
    assert_eq!(why(&kept, "bob"), "its work tree is on your branch mine");
    assert!(
        why(&kept, "eve").starts_with("it is working in session s"),
        "{kept}"
    );
    assert!(taken.join("mine.txt").is_file());
    for pid in team.pids("eve") {
        crate::support::signal("KILL", pid);
    }
}

#[test]
fn a_person_is_asked_and_a_member_who_does_not_lead_is_refused() {
    let team = Team::new();
    let tree = done(&team, "ada");
    git(&team.place.project(), &["merge", "-q", "agon/members/ada"]);
    for (answer, stays) in [("n\r", true), ("y\r", false)] {
        let program = std::path::Path::new(env!("CARGO_BIN_EXE_agon"));
        let project = team.place.project();
        let args = ["team", "clean"];
        let mut terminal = Terminal::start(program, &args, &project, &team.place.env);
        terminal.until("Remove these for good? [y/N]");
        terminal.press(answer);
        let (_, shown) = terminal.end();
        assert!(
            shown.contains("would be removed: ada (work tree and branch)"),
            "{shown}"
        );
        assert_eq!(tree.is_dir(), stays, "{shown}");
    }
    let other = Repository::with_team();
    let (code, ..) = other.refused("ada", &["clean", "--yes"]);
    assert_eq!(code, "refused");
}

#[test]
fn a_branch_that_the_user_is_on_and_commits_on_no_branch_stay() {
    let team = Team::new();
    let project = team.place.project();
    let (merged, detached) = (done(&team, "ada"), done(&team, "bob"));
    let branches = ["agon/members/ada", "agon/members/bob"];
    git(
        &project,
        &[&["merge", "-q", "--no-edit"], &branches[..]].concat(),
    );
    git(&detached, &["checkout", "-q", "--detach"]);
    add(&detached, "beside.txt", "on no branch\n");
    git(&detached, &["add", "."]);
    git(&detached, &["commit", "-q", "-m", "beside"]);
    // The user looks at what a member did, and its work tree is gone.
    git(
        &project,
        &["worktree", "remove", "--force", merged.to_str().unwrap()],
    );
    git(&project, &["checkout", "-q", "agon/members/ada"]);
    let cleaned = team.json(&["clean", "--yes"]);
    assert_eq!(names(&cleaned["removed"]), [""; 0], "{cleaned}");
    assert!(
        why(&cleaned, "ada").starts_with("its branch is checked out in "),
        "{cleaned}"
    );
    assert_eq!(why(&cleaned, "bob"), "its work exists nowhere else");
    let forced = team.json(&["clean", "ada", "--force", "--yes"]);
    assert_eq!(names(&forced["removed"]), [""; 0], "{forced}");
    assert!(git(&project, &["branch", "--list", "agon/*"]).contains("ada"));
    let all = team.json(&["clean", "--force", "--yes"]);
    assert_eq!(names(&all["removed"]), ["bob"], "{all}");
}

#[test]
fn a_run_that_can_be_resumed_stays() {
    let team = Team::new();
    team.mood("r1-planner", "one");
    team.mood("r1-reviewer", "approve");
    let stopped = team.json(&["run", "Make a file", "--host", "claude"]);
    assert_eq!(stopped["stage"], "stopped", "{stopped}");
    for args in [&["clean", "--yes"][..], &["clean", "--force", "--yes"]] {
        let kept = team.json(args);
        assert_eq!(names(&kept["removed"]), [""; 0], "{kept}");
        assert_eq!(why(&kept, "r1"), "r1 is not finished and can be resumed");
    }
    let done = team.json(&["run", "--resume", "r1", "--agreed"]);
    assert_eq!(done["stage"], "done", "{done}");
}

#[test]
fn what_changed_since_a_person_was_asked_is_not_removed() {
    let team = Team::new();
    let project = team.place.project();
    let tree = done(&team, "ada");
    git(&project, &["merge", "-q", "agon/members/ada"]);
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_agon"));
    let mut terminal = Terminal::start(program, &["team", "clean"], &project, &team.place.env);
    terminal.until("Remove these for good? [y/N]");
    let other = done(&team, "bob");
    git(&project, &["merge", "-q", "--no-edit", "agon/members/bob"]);
    terminal.press("y\r");
    let (_, shown) = terminal.end();
    assert!(
        shown.contains("the list of things to remove has changed"),
        "{shown}"
    );
    assert!(tree.is_dir() && other.is_dir());
}
