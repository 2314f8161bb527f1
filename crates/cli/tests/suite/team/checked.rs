//! Checks that Agon runs on what a member made, what a run without a gate says, and verdicts that are
//! missing.

use std::fs;
use std::time::{Duration, Instant};

use agon_testkit::{add, git};
use serde_json::{Value, json};

use super::started::Team;
use crate::support::Running;

/// A team with a check that fails while `broken.txt` is there.
pub(super) fn team_with_check() -> Team {
    let team = Team::new();
    let project = team.place.project();
    add(
        &project,
        "check.sh",
        "test -e broken.txt || exit 0\necho \"line 7 is wrong\"\nexit 3\n",
    );
    git(&project, &["add", "."]);
    git(&project, &["commit", "-q", "-m", "a check"]);
    team.json(&["gate", "add", "whole", "--", "sh", "check.sh"]);
    team
}

pub(super) fn gated_task(team: &Team) -> String {
    let args = ["task", "add", "Make a file", "--gate", "whole"];
    team.json(&args)["task"]["id"].as_str().unwrap().to_owned()
}

fn prompt(team: &Team, member: &str) -> String {
    fs::read_to_string(team.home().join(format!("{member}.prompt"))).unwrap()
}

/// A run of one task.
fn team_with_run(reviewer: &str) -> Team {
    let team = Team::new();
    team.mood("r1-planner", "one");
    team.mood("r1-reviewer", reviewer);
    team
}

fn begin(team: &Team, flags: &[&str]) -> Value {
    let args = ["run", "Make a file", "--host", "claude", "--agreed"];
    team.json(&[&args, flags].concat())
}

#[test]
fn a_member_is_shown_what_a_check_printed_and_its_change_is_submitted_repaired() {
    let team = team_with_check();
    let task = gated_task(&team);
    team.mood("ada", "broken\nmended");
    let started = team.start("ada", Some(&task), true);
    let turn = &started["turn"];
    assert_eq!(turn["state"], "finished", "{started:#}");
    assert_eq!(
        turn["checks"],
        json!([
            {"gate": "whole", "passed": false, "outcome": "exit 3", "repairs": 1},
            {"gate": "whole", "passed": true, "outcome": "exit 0", "repairs": 0},
        ])
    );
    assert_eq!(team.pids("ada").len(), 2);
    let repair = prompt(&team, "ada");
    for words in [
        "Your turn ended, and Agon ran this check",
        "whole: sh check.sh",
        "exit 3",
        "line 7 is wrong",
        "When your turn ends, Agon runs these checks",
        "You cannot run programs",
    ] {
        assert!(repair.contains(words), "{words}: {repair}");
    }
    assert_eq!(team.task_state(&task), "review");
    let commit = turn["commit"].as_str().unwrap();
    let files = git(&team.place.project(), &["ls-tree", "--name-only", commit]);
    assert!(files.contains("made-ada.txt") && !files.contains("broken.txt"));
    let used = team.json(&["usage"]);
    assert_eq!(turn["tokens"], 30);
    let tokens = &used["total"]["tokens"];
    assert_eq!(
        (&tokens["in"], &tokens["out"]),
        (&json!(20), &json!(10)),
        "{used:#}"
    );
}

#[test]
fn a_member_repairs_twice_at_most_and_not_where_it_changed_nothing() {
    let team = team_with_check();
    let (worse, same) = (gated_task(&team), gated_task(&team));
    team.mood("ada", "script");
    add(&team.home(), "script/ada", "echo x >> broken.txt\n");
    let started = team.start("ada", Some(&worse), true);
    let checks = started["turn"]["checks"].as_array().unwrap();
    let repairs: Vec<u64> = checks
        .iter()
        .map(|it| it["repairs"].as_u64().unwrap())
        .collect();
    assert_eq!(repairs, [1, 2, 0], "{started:#}");
    assert_eq!(team.pids("ada").len(), 3);
    assert_eq!(
        team.task_state(&worse),
        "review",
        "the gate is for who accepts"
    );
    team.mood("bob", "broken");
    team.start("bob", Some(&same), true);
    assert_eq!(
        team.pids("bob").len(),
        2,
        "the same tree is not checked again"
    );
}

#[test]
fn a_check_runs_what_the_lead_defined_whatever_the_member_changed() {
    let team = team_with_check();
    let task = gated_task(&team);
    let forged = "mkdir -p .git-agon; printf 'schema = \"agon.gates/1\"\\n' > gates.toml\n\
        printf 'exit 0\\n' > whole; echo x > broken.txt\n";
    team.mood("ada", "script");
    add(&team.home(), "script/ada", forged);
    let started = team.start("ada", Some(&task), true);
    assert_eq!(
        started["turn"]["checks"][0]["outcome"], "exit 3",
        "{started:#}"
    );
}

#[test]
fn a_run_repairs_before_its_review_and_not_beyond_its_tokens() {
    let team = team_with_check();
    team.mood("r1-planner", "one");
    team.mood("r1-t1", "broken\nmended");
    team.mood("r1-reviewer", "approve");
    let done = begin(&team, &[]);
    assert_eq!(done["stage"], "done", "{done:#}");
    assert_eq!(done["nothing_executed"], Value::Null);
    assert_eq!(team.pids("r1-t1").len(), 2);
    assert_eq!(
        team.pids("r1-reviewer").len(),
        1,
        "it read the repaired change"
    );
    assert_eq!(done["report"][0]["task"]["attempt"], 1);

    let poor = team_with_check();
    poor.mood("r1-planner", "one");
    poor.mood("r1-t1", "broken\nmended");
    // The scout and the planner take 15 each, and so does each run of the worker's tool.
    let stopped = begin(&poor, &["--max-tokens", "45"]);
    assert_eq!(stopped["note"], "its token limit is reached", "{stopped:#}");
    assert_eq!(poor.pids("r1-t1").len(), 1);
}

/// A run whose first check waits until it is ended.
fn run_in_a_check() -> (Team, Running) {
    let team = team_with_check();
    let project = team.place.project();
    let mark = team.home().join("checked");
    let check = format!(
        "if [ ! -e '{0}' ]; then touch '{0}'; sleep 600; fi\n",
        mark.display()
    );
    add(&project, "check.sh", &check);
    git(&project, &["commit", "-qam", "a slow check"]);
    team.mood("r1-planner", "one");
    team.mood("r1-reviewer", "approve");
    let args = [
        "team",
        "run",
        "Make a file",
        "--host",
        "claude",
        "--agreed",
        "--json",
    ];
    let running = Running::start(team.place.command(&args));
    let begun = Instant::now();
    while !mark.exists() {
        assert!(begun.elapsed() < Duration::from_secs(120), "{}", team.log());
        std::thread::sleep(Duration::from_millis(50));
    }
    (team, running)
}

#[test]
fn a_run_that_is_stopped_or_killed_in_a_check_goes_on() {
    for is_killed in [false, true] {
        let (team, running) = run_in_a_check();
        match is_killed {
            true => running.kill(),
            false => {
                running.interrupt();
                let ended = running.end();
                assert_eq!(ended.code, Some(130), "{ended:?}");
            }
        }
        let ran = team.run(&["run", "--resume", "r1", "--json"]);
        assert!(
            ran.stderr.contains("r1 continues: t1 is worked on"),
            "{}",
            ran.stderr
        );
        let done = ran.json();
        assert_eq!(done["stage"], "done", "{done:#}");
        let files = git(
            &team.place.project(),
            &["ls-tree", "--name-only", "agon/r1"],
        );
        assert!(files.contains("made-r1-t1.txt"), "{files}");
    }
}

#[test]
fn a_run_without_a_gate_says_so_before_it_starts_in_its_report_and_on_the_board() {
    let team = team_with_run("approve");
    let args = ["run", "Make a file", "--host", "claude", "--agreed"];
    let ran = team.run(&args);
    let why = "no gate is defined";
    assert!(
        ran.stderr
            .starts_with(&format!("nothing will be executed: {why}; add one")),
        "{}",
        ran.stderr
    );
    let said = format!("nothing was executed: {why}");
    assert!(ran.stdout.contains(&said), "{}", ran.stdout);
    let board = team.run(&["status"]).stdout;
    assert!(
        board.starts_with("Runs\n") && board.contains(&said),
        "{board}"
    );
    let status = team.json(&["status"]);
    assert_eq!(status["runs"][0]["nothing_executed"], said.as_str());
    let merge = git(
        &team.place.project(),
        &["log", "-1", "--format=%B", "agon/r1"],
    );
    assert_eq!(
        merge.trim(),
        "Merge t1: One\n\nReviewed. Nothing was executed: the run has no gate."
    );
    let done = team.json(&["run", "--resume", "r1"]);
    assert_eq!(done["report"][0]["unchecked"], false, "it was reviewed");
}

#[test]
fn gates_that_a_project_proposes_are_added_with_yes_alone() {
    let team = team_with_run("approve");
    let project = team.place.project();
    add(
        &project,
        "AGENTS.md",
        "# Build\n\n```sh\ncargo test --offline\ncargo build\n```\n",
    );
    let proposed = team.json(&["gate", "propose"]);
    let expected = json!([{
        "name": "cargo-test", "argv": ["cargo", "test", "--offline"], "source": "AGENTS.md",
    }]);
    assert_eq!(proposed["proposed"], expected);
    let shown = team.run(&["gate", "propose"]).stdout;
    assert!(
        shown.starts_with("  cargo-test  cargo test --offline  AGENTS.md\n"),
        "{shown}"
    );
    let gates = |team: &Team| {
        team.json(&["gate", "show"])["gates"]
            .as_array()
            .unwrap()
            .len()
    };
    assert_eq!(gates(&team), 0);
    team.mood("r1-planner", "nothing");
    team.mood("r2-planner", "nothing");
    let plain = team.run(&["run", "Make a file", "--host", "claude"]);
    assert!(
        plain.stderr.contains("cargo test --offline")
            && plain.stderr.contains("; add these: --yes"),
        "{}",
        plain.stderr
    );
    assert_eq!(gates(&team), 0, "nothing was agreed to");
    let agreed = team.run(&["run", "Make a file", "--host", "claude", "--yes", "--json"]);
    assert!(
        agreed.stderr.contains("added: cargo-test"),
        "{}",
        agreed.stderr
    );
    assert_eq!(agreed.json()["gates"], json!(["cargo-test"]));
    assert_eq!(gates(&team), 1);
    assert_eq!(team.json(&["gate", "propose"])["proposed"], json!([]));
}

#[test]
fn a_review_without_a_verdict_is_asked_for_it_once_and_the_run_says_which_line_it_wanted() {
    let team = team_with_run("object\napprove");
    let done = begin(&team, &[]);
    assert_eq!(done["stage"], "done", "{done:#}");
    assert_eq!(team.pids("r1-reviewer").len(), 2);
    let asked = prompt(&team, "r1-reviewer");
    for words in [
        "The last line of your reply is not a verdict",
        "It has no test.",
        "Reply with only one line",
        "your role's return form does not apply",
    ] {
        assert!(asked.contains(words), "{words}: {asked}");
    }

    let mute = team_with_run("object");
    let stopped = begin(&mute, &[]);
    let note = stopped["note"].as_str().unwrap();
    assert!(
        note.contains(
            "the reviewer r1-reviewer gave no verdict (the last line must be `Verdict: merge`"
        ),
        "{note}"
    );
    assert_eq!(mute.pids("r1-reviewer").len(), 2);
    mute.mood("r1-reviewer", "approve");
    let resumed = mute.run(&["run", "--resume", "r1", "--json"]);
    assert!(
        resumed.stderr.contains("r1 continues: t1 is reviewed"),
        "{}",
        resumed.stderr
    );
    assert_eq!(resumed.json()["stage"], "done");
}

#[test]
fn a_verdict_that_a_second_checker_leaves_out_is_told_and_stops_nothing() {
    let team = team_with_run("approve");
    team.mood("r1-validator", "object");
    let ran = team.run(&["run", "Make a file", "--host", "claude", "--agreed"]);
    let said = "t1: the reviewer r1-validator gave no verdict";
    assert!(ran.stderr.contains(said), "{}", ran.stderr);
    let project = team.place.project();
    let merge = git(&project, &["log", "-1", "--format=%B", "agon/r1"]);
    assert!(
        merge.trim().ends_with("No verdict from: validator."),
        "{merge}"
    );
    assert_eq!(team.pids("r1-validator").len(), 2, "it was asked again");

    // An objection is one, whoever has it.
    let other = team_with_run("approve");
    other.mood("r1-validator", "fails\nholds");
    other.mood("r1-t1", "good\nboth");
    let done = begin(&other, &[]);
    assert_eq!(done["stage"], "done", "{done:#}");
    assert_eq!(other.pids("r1-t1").len(), 2);
}

#[test]
fn what_a_reviewer_found_reaches_the_author_in_full() {
    let team = team_with_run("refuse\napprove");
    team.mood("r1-t1", "good\nboth");
    let done = begin(&team, &[]);
    assert_eq!(done["stage"], "done", "{done:#}");
    let returned = prompt(&team, "r1-t1");
    assert!(
        returned.contains("blocker x\nVerdict: do not merge\n"),
        "{returned}"
    );
}

#[test]
fn a_task_that_its_author_closed_alone_is_unchecked() {
    let team = Team::new();
    let task = team.task("Make a file");
    team.mood("ada", "script");
    let close = format!(
        "agon=$(sed -n 's/.*\"command\":\"\\([^\"]*\\)\".*/\\1/p' \"$HOME/$me.args\" | head -n 1)\n\
         echo x > made.txt; git add made.txt\n\
         git -c user.name=ada -c user.email=ada@localhost commit -qm made\n\
         \"$agon\" team task submit {task} --epoch 1\n\"$agon\" team task done {task} --epoch 1\n"
    );
    add(&team.home(), "script/ada", &close);
    team.start("ada", Some(&task), true);
    let said = fs::read_to_string(team.home().join("ada.script")).unwrap();
    assert_eq!(team.task_state(&task), "done", "{said}");
    let status = team.json(&["status"]);
    assert_eq!(status["tasks"][0]["unchecked"], true, "{status:#}");
    let board = team.run(&["status"]).stdout;
    assert!(board.contains("Make a file; unchecked"), "{board}");
    // One that the lead closed was looked at by somebody.
    let other = team.task("Make another");
    team.mood("bob", "good");
    team.start("bob", Some(&other), true);
    team.json(&["task", "done", &other, "--epoch", "1"]);
    let status = team.json(&["status"]);
    assert_eq!(status["tasks"][1]["unchecked"], false, "{status:#}");
}
