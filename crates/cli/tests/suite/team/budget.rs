//! The budget of a role bounds what a turn takes in all, and a task that takes more goes to a person.

use serde_json::{Value, json};

use super::checked::{gated_task, team_with_check};
use super::run_settings::set;
use super::started::Team;

/// A turn of the role `quick`, which may take 60,000 tokens.
fn start(team: &Team, task: &str) -> Value {
    team.json(&[
        "start", "quick", "--host", "claude", "--name", "ada", "--task", task, "--wait",
    ])
}

fn note(team: &Team, task: &str) -> String {
    let shown = team.json(&["task", "show", task]);
    shown["task"]["note"].as_str().unwrap().to_owned()
}

#[test]
fn a_turn_that_takes_more_than_its_role_may_is_ended_and_its_task_waits_for_a_person() {
    let team = Team::new();
    team.mood("ada", "verbose\ngood");
    let task = team.task("Fix a typo");
    let ended = start(&team, &task);
    let said = ended["turn"]["said"].as_str().unwrap();
    assert!(
        said.starts_with("ended: it used ")
            && said.ends_with("a turn of the role quick may use 60000"),
        "{said}"
    );
    let used = team.json(&["usage"]);
    assert!(used.to_string().contains("60015"), "{used:#}");
    assert_eq!(team.task_state(&task), "failed");
    let why = note(&team, &task);
    assert!(
        why.starts_with("no further turn on it: an earlier one used 60015 tokens"),
        "{why}"
    );
    // A person who opens it again decides that it gets another turn.
    team.json(&["task", "reopen", &task, "--note", "it is smaller now"]);
    let again = start(&team, &task);
    assert_eq!(again["turn"]["state"], "finished", "{again:#}");
    assert_eq!(team.task_state(&task), "review");
    assert_eq!(team.pids("ada").len(), 2);
}

#[test]
fn repairs_count_in_the_budget_of_a_turn() {
    let team = team_with_check();
    let task = gated_task(&team);
    // 40,000 tokens each: together they are beyond it.
    team.mood("ada", "costly\ncostlier");
    let ended = start(&team, &task);
    let said = ended["turn"]["said"].as_str().unwrap();
    assert!(said.starts_with("ended: it used 80010 tokens"), "{said}");
    assert_eq!(team.task_state(&task), "failed");
    assert_eq!(team.pids("ada").len(), 2);
}

#[test]
fn a_turn_that_says_at_its_end_that_it_took_too_much_repairs_nothing_and_gets_no_other() {
    let team = team_with_check();
    let task = gated_task(&team);
    team.mood("ada", "costliest");
    let ended = start(&team, &task);
    assert_eq!(team.pids("ada").len(), 1, "{ended:#}");
    // What it left is submitted; sent back, it is given to nobody.
    assert_eq!(team.task_state(&task), "review");
    team.json(&[
        "review",
        &task,
        "--epoch",
        "1",
        "--send-back",
        "--note",
        "it is broken",
    ]);
    let refused = start(&team, &task);
    let said = refused["turn"]["said"].as_str().unwrap();
    assert!(
        said.starts_with("no further turn on it: an earlier one used 70005 tokens"),
        "{said}"
    );
    assert_eq!(team.task_state(&task), "failed");
    assert_eq!(note(&team, &task), said);
    assert_eq!(team.pids("ada").len(), 1);
}

#[test]
fn a_run_spends_no_further_attempts_on_a_task_beyond_its_budget() {
    let team = Team::new();
    set(&team, "profiles", "profile = \"minimal\"\n");
    set(
        &team,
        "teams",
        "[teams.solo]\nmembers = { worker = 0, quick = 1 }\n",
    );
    team.mood("r1-t1", "verbose");
    let stopped = team.json(&["run", "Fix a typo", "--host", "claude", "--agreed"]);
    assert_eq!(stopped["stage"], "stopped", "{stopped:#}");
    assert_eq!(team.pids("r1-t1").len(), 1);
    let task = &stopped["report"][0]["task"];
    assert_eq!(
        (&task["state"], &task["attempt"]),
        (&json!("failed"), &json!(1))
    );
    let why = stopped["note"].as_str().unwrap();
    assert!(
        why.contains("t1 is failed (no further turn on it: an earlier one used 60015 tokens"),
        "{why}"
    );
}
