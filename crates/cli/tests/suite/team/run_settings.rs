//! What the settings of a user change in a run: its team, its flags, its profile.

use agon_testkit::{FakeTools, git};
use serde_json::Value;

use super::ran::{add_debaters, script, team, tree};
use super::started::Team;

/// Sets something of the team's settings for the user.
pub(super) fn set(team: &Team, kind: &str, text: &str) {
    let text = format!("schema = \"agon.{kind}/1\"\n{text}");
    agon_testkit::add(&team.home(), &format!(".config/agon/{kind}.toml"), &text);
}

/// Sets a flag above the profile.
fn flag(team: &mut Team, name: &str, value: &str) {
    let name = format!("AGON_FLAG_{name}");
    team.place.env.insert(name, value.to_owned());
}

/// The members of the run that were started.
fn started(team: &Team) -> Vec<String> {
    let status = team.json(&["status"]);
    let members = status["members"].as_array().unwrap();
    let names = members
        .iter()
        .map(|it| it["name"].as_str().unwrap().to_owned());
    let mut names: Vec<String> = names.filter(|name| name.starts_with("r1-")).collect();
    names.sort();
    names
}

#[test]
fn tasks_go_to_roles_by_their_weight_and_changes_to_those_who_check() {
    let team = team();
    team.mood("r1-planner", "weighed");
    for task in ["r1-t1", "r1-t2", "r1-t3"] {
        team.mood(task, "good");
    }
    team.mood("r1-t1", "good\nboth");
    team.mood("r1-validator", "fails\nholds");
    let ran = team.run(&[
        "run",
        "Make three files",
        "--host",
        "claude",
        "--agreed",
        "--json",
    ]);
    let done = ran.json();
    assert_eq!(done["stage"], "done", "{done}");
    assert_eq!(done["policy"]["team"], "small");
    let roles: Vec<&str> = done["report"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["role"].as_str().unwrap())
        .collect();
    // The small team has no heavy-worker.
    assert_eq!(roles, ["quick", "worker", "worker"]);
    for line in [
        "team small (profile standard): planner, quick, reviewer, scout, validator, worker x2",
        "  1. One (quick; quick)",
        "  3. Three (heavy; worker, because the team has no heavy-worker)",
        "t1: claude is working as quick: One (0:",
        "t1: validator is reviewing it in claude (0:",
    ] {
        assert!(ran.stderr.contains(line), "{line}\n{}", ran.stderr);
    }
    let members = [
        "r1-planner",
        "r1-reviewer",
        "r1-scout",
        "r1-t1",
        "r1-t2",
        "r1-t3",
        "r1-validator",
    ];
    assert_eq!(started(&team), members);
    let told = std::fs::read_to_string(team.home().join("r1-t1.prompt")).unwrap();
    assert!(
        told.contains("Makes one small, obvious change at once."),
        "{told}"
    );
    let planned = std::fs::read_to_string(team.home().join("r1-planner.prompt")).unwrap();
    assert!(
        planned.contains("A scout found this in the project"),
        "{planned}"
    );
    // One change went back once.
    let attempts = done["report"].as_array().unwrap().iter();
    let attempts: u64 = attempts
        .map(|row| row["task"]["attempt"].as_u64().unwrap())
        .sum();
    assert_eq!(attempts, 4);
}

#[test]
fn a_profile_chooses_the_team_and_its_flags_and_a_resumed_run_keeps_them() {
    let team = team();
    let begun = |profile: &str| {
        team.json(&[
            "run",
            "Make a file",
            "--host",
            "claude",
            "--team-profile",
            profile,
        ])
    };
    team.mood("r1-t1", "good\nbroken");
    team.mood("r1-reviewer", "refuse");
    let failed = begun("minimal");
    // One task without a plan or a debate, and one round: the first refusal sends it back, the second
    // lets it fail.
    assert_eq!(failed["plan"].as_array().unwrap().len(), 1, "{failed}");
    assert_eq!(failed["debate"], Value::Null);
    let note = failed["note"].as_str().unwrap();
    assert!(note.contains("(limit: review-rounds = 1)"), "{note}");
    assert_eq!(started(&team), ["r1-reviewer", "r1-t1"]);
    set(&team, "profiles", "profile = \"strict\"\n");
    let again = team.json(&["run", "--resume", "r1"]);
    assert_eq!(again["policy"], failed["policy"]);
    assert_eq!(again["policy"]["profile"], "minimal");
    let unknown = team.run(&["run", "x", "--host", "claude", "--team-profile", "lax"]);
    assert_eq!(unknown.code, Some(3), "{unknown:?}");
}

#[test]
fn what_cannot_be_undone_waits_for_a_person_and_the_rest_goes_on() {
    let team = team();
    team.mood("r1-planner", "final");
    for task in ["r1-t1", "r1-t2"] {
        team.mood(task, "good");
    }
    set(
        &team,
        "flags",
        "[set]\ndebate-plans = false\ndebate-changes = \"never\"\n",
    );
    let waits = team.json(&["run", "Make two files", "--host", "claude"]);
    assert_eq!(waits["stage"], "stopped", "{waits}");
    let note = waits["note"].as_str().unwrap();
    let asks = "t1 waits for a person (the planner marked it as irreversible)";
    assert!(note.contains(asks), "{note}");
    let merged = |at: usize| waits["report"][at]["merged"].is_string();
    assert_eq!((merged(0), merged(1)), (false, true), "{waits}");
    assert!(!tree(&team).contains("made-r1-t1.txt"));

    let free = self::team();
    free.mood("r1-planner", "final");
    for task in ["r1-t1", "r1-t2"] {
        free.mood(task, "good");
    }
    set(
        &free,
        "flags",
        "[set]\ndebate-plans = false\ndebate-changes = \"never\"\nask-irreversible = false\n",
    );
    let done = free.json(&["run", "Make two files", "--host", "claude"]);
    assert_eq!(done["stage"], "done", "{done}");
}

#[test]
fn as_many_tasks_run_at_once_as_the_flag_says() {
    let team = team();
    team.mood("r1-planner", "weighed");
    for task in ["r1-t1", "r1-t2", "r1-t3"] {
        team.mood(task, "good");
    }
    set(
        &team,
        "flags",
        "[set]\ndebate-plans = false\nparallel = 1\n",
    );
    let ran = team.run(&["run", "Make three files", "--host", "claude", "--json"]);
    assert_eq!(ran.json()["stage"], "done", "{ran:?}");
    let steps = ran
        .stderr
        .lines()
        .filter(|line| line.contains(" is working as ") || line.contains(": merged ("));
    let kinds: Vec<bool> = steps.map(|line| line.contains(": merged ")).collect();
    // Each is merged before the next begins.
    assert_eq!(
        kinds,
        [false, true, false, true, false, true],
        "{}",
        ran.stderr
    );
}

#[test]
fn objections_change_a_plan_that_is_not_debated() {
    let team = team();
    team.mood("r1-planner", "plan\none");
    team.mood("r1-t1", "good");
    set(&team, "flags", "[set]\ndebate-plans = false\n");
    set(&team, "teams", "[teams.small.members]\ncritic = 1\n");
    let ran = team.run(&["run", "Make files", "--host", "claude", "--json"]);
    let done = ran.json();
    assert_eq!(done["stage"], "done", "{done}");
    assert_eq!(done["plan"].as_array().unwrap().len(), 1);
    assert!(
        ran.stderr.contains("critic objects: It has no test. (0:"),
        "{}",
        ran.stderr
    );
    let told = std::fs::read_to_string(team.home().join("r1-planner.prompt")).unwrap();
    assert!(told.contains("> It has no test."), "{told}");
    assert_eq!(team.pids("r1-critic").len(), 1);
    assert_eq!(team.pids("r1-devil").len(), 0);
}

/// The task of a run that went back with this note.
fn task_with_note<'a>(done: &'a Value, note: &str) -> &'a Value {
    let mut tasks = done["report"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| &it["task"]);
    let has_note = |task: &&Value| task["note"].as_str().is_some_and(|it| it.contains(note));
    tasks.find(has_note).unwrap_or_else(|| panic!("{done:#}"))
}

#[test]
fn a_conflict_sends_a_change_back_and_counts_as_no_round() {
    let mut team = team();
    flag(&mut team, "REVIEW_ROUNDS", "0");
    let args = ["run", "Make three files", "--host", "claude", "--agreed"];
    let done = team.json(&args);
    assert_eq!(done["stage"], "done", "{done:#}");
    // Two wrote `shared.txt` at once, and the first is merged.
    let second = task_with_note(&done, "it cannot be merged: conflict in shared.txt");
    assert!(second["attempt"].as_u64().unwrap() > 1, "{second:#}");
    for task in done["tasks"].as_array().unwrap() {
        assert_eq!(task["returned"], 0, "{task}");
    }
}

#[test]
fn a_conflict_that_its_author_leaves_in_a_file_is_solved_on_what_the_others_made() {
    let team = team();
    for task in ["r1-t1", "r1-t3"] {
        team.mood(task, "careless");
    }
    let args = ["run", "Make three files", "--host", "claude", "--agreed"];
    let done = team.json(&args);
    assert_eq!(done["stage"], "done", "{done:#}");
    let note = "unresolved conflict markers in shared.txt. The file is now as on agon/r1";
    task_with_note(&done, note);
    let project = team.place.project();
    let shared = git(&project, &["show", "agon/r1:shared.txt"]);
    let mut lines: Vec<&str> = shared.lines().collect();
    lines.sort_unstable();
    assert_eq!(lines, ["r1-t1", "r1-t2", "r1-t3"]);
    // The version with the marks is in the history.
    let marks = git(
        &project,
        &["log", "-S<<<<<<<", "--format=%an", "-m", "agon/r1"],
    );
    assert!(marks.contains("r1-t"), "{marks}");
}

#[test]
fn a_change_is_merged_or_goes_back_by_the_verdict_of_its_debate() {
    for (answer, stage) in [
        ("Yes, merge it as it stands", "done"),
        ("No, the file has the wrong name", "stopped"),
    ] {
        let tools = FakeTools::with(&["codex", "gemini", "opencode"]).script(&script(answer));
        let mut team = team();
        team.mood("r1-t1", "good\nboth");
        set(&team, "profiles", "profile = \"minimal\"\n");
        flag(&mut team, "DEBATE_CHANGES", "always");
        flag(&mut team, "REVIEW_ROUNDS", "0");
        add_debaters(&mut team, &tools);
        let ran = team.json(&["run", "Make a file", "--host", "claude"]);
        assert_eq!(ran["stage"], stage, "{ran}");
        let used = team.json(&["usage", "--run", "r1"]);
        let name = used["debates"][0]["name"].as_str().unwrap_or_default();
        assert!(name.starts_with("change-r1-t1-"), "{used:#}");
        if stage == "stopped" {
            let note = ran["report"][0]["task"]["note"].as_str().unwrap();
            let said = format!("debate {name}: verdict: no, authority full");
            assert!(note.contains(&said), "{note}");
            assert_eq!(ran["report"][0]["task"]["state"], "failed");
        }
        assert_eq!(
            tree(&team).contains("made-r1-t1.txt"),
            stage == "done",
            "{ran}"
        );
    }
}

#[test]
fn a_change_without_a_verdict_that_counts_waits_for_a_person() {
    let mut team = team();
    set(&team, "profiles", "profile = \"minimal\"\n");
    flag(&mut team, "DEBATE_CHANGES", "always");
    // Nothing can debate here.
    team.place
        .env
        .insert("AGON_PROPOSER".to_owned(), "codex".to_owned());
    let ran = team.json(&["run", "Make a file", "--host", "claude"]);
    assert_eq!(ran["stage"], "stopped", "{ran}");
    let note = ran["note"].as_str().unwrap();
    assert!(
        note.contains("t1 waits for a person (the debate change-r1-t1-"),
        "{note}"
    );
    assert!(!tree(&team).contains("made-r1-t1.txt"));
}

#[test]
fn a_tool_that_only_the_project_gives_to_a_role_needs_the_users_consent() {
    let tools = FakeTools::with(&["codex", "gemini", "opencode"]);
    let mut team = team();
    add_debaters(&mut team, &tools);
    // A seat that the user's environment names would be consent.
    for name in [
        "AGON_VENDORS",
        "AGON_PROPOSER",
        "AGON_CHALLENGER",
        "AGON_JUDGE",
    ] {
        team.place.env.remove(name);
    }
    let project = team.place.project();
    let hosts = "schema = \"agon.teams/1\"\n[teams.small.hosts]\nscout = \"codex\"\n";
    agon_testkit::add(&project, ".agon/teams.toml", hosts);
    let trusted = format!("trust = [{:?}]\n", project.canonicalize().unwrap());
    agon_testkit::add(&team.home(), ".config/agon/config.toml", &trusted);
    let begin = [
        "run",
        "Make three files",
        "--host",
        "claude",
        "--agreed",
        "--json",
    ];
    let refused = team.run(&begin);
    assert_eq!(refused.ended(), (Some(2), "consent_needed".to_owned()));
    let message = refused.json()["error"]["message"].to_string();
    assert!(message.contains("codex (openai)"), "{message}");
    assert!(tools.asks().is_empty());
    // The user's own file names it.
    set(&team, "teams", "[teams.small.hosts]\nscout = \"codex\"\n");
    assert_ne!(team.run(&begin).ended().1, "consent_needed");
}
