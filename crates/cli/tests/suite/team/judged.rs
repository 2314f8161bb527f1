//! What the policy says of a turn: of everything since its base, commits of the member's own and of
//! submodules among it. And a run that is taken over without one of its tasks.

use std::fs;

use agon_testkit::{add, git};
use serde_json::Value;

use super::started::Team;

/// How a member commits by itself.
const OWN: &str = "commit() { git -c user.name=x -c user.email=x@x commit -q \"$@\"; }\n";

const DENY: &str = "schema = \"agon.policy/1\"\ndefault = \"allow\"\n\
    [[rule]]\neffect = \"deny\"\ntools = [\"edit\"]\npaths = [\"lib\", \"secret\"]\n";
const ALLOW: &str = "schema = \"agon.policy/1\"\ndefault = \"allow\"\n\
    [[rule]]\neffect = \"allow\"\ntools = [\"edit\"]\npaths = [\"lib\"]\n";

/// A team whose project has the submodule `lib`, which says itself that its changes are not shown.
fn team(policy: Option<&str>) -> Team {
    let team = Team::new();
    let project = team.place.project();
    let modules = "[submodule \"lib\"]\n\tpath = lib\n\turl = ./lib\n\tignore = all\n";
    add(&project, ".gitmodules", modules);
    add(&project, "open/a.txt", "a\n");
    git(&project, &["add", "."]);
    let link = format!("160000,{},lib", "1".repeat(40));
    git(&project, &["update-index", "--add", "--cacheinfo", &link]);
    git(&project, &["commit", "-q", "-m", "submodule"]);
    if let Some(policy) = policy {
        add(&project, ".git/agon/policy.toml", policy);
    }
    team
}

/// The member's next turn runs these lines.
pub(super) fn script(team: &Team, member: &str, lines: &str) {
    team.mood(member, "script");
    add(
        &team.home(),
        &format!("script/{member}"),
        &format!("{OWN}{lines}"),
    );
}

/// How the turn of a member ends that runs these lines.
fn turn(team: &Team, member: &str, lines: &str) -> (String, String) {
    script(team, member, lines);
    let task = team.task("Make a file");
    let ended = team.start(member, Some(&task), true)["turn"].clone();
    let text = |key: &str| ended[key].as_str().unwrap_or_default().to_owned();
    (text("state"), text("said"))
}

#[test]
fn a_changed_commit_of_a_submodule_is_refused_unless_a_rule_allows_it() {
    let own_repository =
        "cd lib; git init -q; commit --allow-empty -m x; cd ..; echo made > made.txt";
    let index = "git update-index --cacheinfo 160000,2222222222222222222222222222222222222222,lib";
    let committed = format!("{index}; commit -m x");
    let file_in_its_place = "rmdir lib; echo x > lib";
    for policy in [None, Some(DENY)] {
        let team = team(policy);
        for (name, lines) in [
            ("ada", own_repository),
            ("bob", index),
            ("eve", &committed),
            ("kim", file_in_its_place),
        ] {
            let (state, said) = turn(&team, name, lines);
            assert_eq!(state, "dead", "{name}: {said}");
            match policy {
                Some(_) => assert!(
                    said.starts_with("it changed lib, which the policy denies (")
                        && said.ends_with("policy.toml:3)"),
                    "{name}: {said}"
                ),
                None => assert_eq!(
                    said, "it changed the submodule lib, which no policy rule allows",
                    "{name}"
                ),
            }
        }
    }
    let team = team(Some(ALLOW));
    let (state, said) = turn(&team, "ada", index);
    assert_eq!(state, "finished", "{said}");
}

#[test]
fn a_changed_commit_of_a_submodule_is_shown_to_the_reviewer() {
    let team = team(Some(ALLOW));
    team.mood("r1-planner", "one");
    team.mood("r1-reviewer", "approve");
    let index = "git update-index --cacheinfo 160000,2222222222222222222222222222222222222222,lib";
    script(
        &team,
        "r1-t1",
        &format!("{index}; commit -m x; echo made > made.txt"),
    );
    let done = team.json(&["run", "Make a file", "--host", "claude", "--agreed"]);
    assert_eq!(done["stage"], "done", "{done}");
    let prompt = fs::read_to_string(team.home().join("r1-reviewer.prompt")).unwrap();
    for shown in [
        format!("-Subproject commit {}", "1".repeat(40)),
        format!("+Subproject commit {}", "2".repeat(40)),
        "+made".to_owned(),
    ] {
        assert!(prompt.contains(&shown), "{shown}: {prompt}");
    }
}

#[test]
fn what_a_member_committed_itself_is_judged_and_what_a_lost_turn_left_too() {
    let team = team(Some(DENY));
    let denied = "which the policy denies (";
    for (name, lines, path) in [
        (
            "ada",
            "mkdir secret; echo x > secret/x; git add .; commit -m x",
            "secret/x",
        ),
        (
            "bob",
            "mkdir secret; git mv open/a.txt secret/a.txt; commit -m x",
            "secret/a.txt",
        ),
        (
            "eve",
            "mkdir secret; echo x > secret/x; git add .; commit -m x; commit --allow-empty -m y; \
             echo made > made.txt",
            "secret/x",
        ),
    ] {
        let (state, said) = turn(&team, name, lines);
        assert_eq!(state, "dead", "{name}: {said}");
        assert!(
            said.contains(&format!("it changed {path}, {denied}")),
            "{name}: {said}"
        );
    }
    // The next task of the same member begins on the same branch, where nobody judged that commit.
    let (state, said) = turn(&team, "ada", "echo made > made.txt");
    assert_eq!(state, "dead", "{said}");
    assert!(
        said.contains(&format!("it changed secret/x, {denied}")),
        "{said}"
    );
    let (state, said) = turn(&team, "ada", "git rm -q -r secret; echo made > other.txt");
    assert_eq!(state, "finished", "{said}");
}

/// A run of three tasks, one of which is never done.
fn left_out(team: &Team) -> Value {
    team.mood("r1-planner", "plan");
    team.mood("r1-reviewer", "approve");
    team.mood("r1-t1", "good");
    team.mood("r1-t2", "good");
    team.mood("r1-t3", "nothing");
    let ran = team.json(&["run", "Make three files", "--host", "claude", "--agreed"]);
    assert_eq!(ran["stage"], "stopped", "{ran}");
    ran
}

#[test]
fn a_run_that_leaves_a_task_out_says_which_and_why_and_so_does_landing_it() {
    let team = Team::new();
    let ran = left_out(&team);
    let note = ran["note"].as_str().unwrap();
    let why = "t3 is failed (the lease of r1-t3 was revoked: it ended without a result";
    assert!(note.contains(why), "{note}");
    let landed = team.run(&["land", "r1"]);
    assert_eq!(landed.code, Some(0), "{landed:?}");
    for line in [
        "2 of 3 tasks of r1 are included; missing:",
        &format!("  Three: {why}"),
        "the run stopped: not all tasks could be done: t3 is failed",
        "to do the rest, start a new run: agon team run GOAL",
    ] {
        assert!(landed.stdout.contains(line), "{line}: {}", landed.stdout);
    }
    let again = team.json(&["land", "r1"]);
    assert_eq!(
        (&again["tasks"], &again["left_out"][0]["task"]),
        (&3.into(), &"t3".into())
    );
    assert_eq!(again["left_out"][0]["state"], "failed");
}

#[test]
fn a_run_that_breaks_off_keeps_why_and_its_branch_says_so_where_it_is_landed() {
    let team = Team::new();
    team.mood("r1-planner", "plan");
    team.mood("r1-reviewer", "approve");
    for task in ["r1-t1", "r1-t2", "r1-t3"] {
        team.mood(task, "good");
    }
    // Where the tree of the second is to be made, something else is already.
    let teams = team.home().join(".local/state/agon/teams");
    script(
        &team,
        "r1-t1",
        "mkdir ../r1-t2; echo mine > ../r1-t2/mine; echo made > made.txt",
    );
    let ran = team.run(&["run", "Make three files", "--host", "claude", "--agreed"]);
    assert_eq!(ran.code, Some(6), "{ran:?}");
    assert!(ran.stderr.contains("agon team run --resume r1"), "{ran:?}");
    assert!(teams.exists());
    let landed = team.run(&["land", "r1"]);
    for line in [
        "tasks of r1 are included; missing:",
        "  Two: t2 is ready",
        "exists but is not a work tree of this repository",
        "to finish them: agon team run --resume r1, then land it again",
    ] {
        assert!(landed.stdout.contains(line), "{line}: {}", landed.stdout);
    }
}

#[test]
fn a_run_is_done_and_landed_whatever_a_person_set_for_merges_of_their_own() {
    for settings in [
        "[merge]\n\tff = only\n\tconflictStyle = zdiff3\n\tlog = true\n",
        "[merge]\n\tff = false\n[pull]\n\trebase = true\n[rerere]\n\tenabled = true\n\tautoupdate = true\n",
        "[commit]\n\tgpgSign = true\n\ttemplate = /nowhere\n[core]\n\teditor = false\n\tcommentChar = auto\n",
    ] {
        let team = Team::new();
        let who = "[user]\n\tname = Ann\n\temail = ann@example.invalid\n";
        add(&team.home(), ".gitconfig", &format!("{settings}{who}"));
        team.mood("r1-planner", "plan");
        team.mood("r1-reviewer", "approve");
        for task in ["r1-t1", "r1-t2", "r1-t3"] {
            team.mood(task, "shared");
        }
        let done = team.json(&["run", "Make three files", "--host", "claude", "--agreed"]);
        assert_eq!(done["stage"], "done", "{settings}: {done}");
        // The user's branch went on meanwhile, so that it is merged.
        let project = team.place.project();
        add(&project, "mine.txt", "mine\n");
        git(&project, &["add", "."]);
        git(&project, &["commit", "-q", "--no-gpg-sign", "-m", "mine"]);
        let landed = team.json(&["land", "r1"]);
        assert_eq!(landed["left_out"], serde_json::json!([]), "{settings}");
        assert_eq!(landed["fast_forward"], false, "{settings}");
        let files = git(&project, &["show", "HEAD:shared.txt"]);
        assert_eq!(files, "r1-t1\nr1-t2\nr1-t3\n", "{settings}");
    }
}
