//! A goal that a run works towards, with a tool that does as its mood says; killed and resumed.

use std::time::Duration;

use agon_testkit::{FakeTools, Script, git};
use serde_json::Value;

use super::run_settings::set;
use super::started::Team;
use crate::support::Running;

pub(super) fn team() -> Team {
    let team = Team::new();
    team.mood("r1-planner", "plan");
    team.mood("r1-critic", "object");
    team.mood("r1-devil", "object");
    team.mood("r1-reviewer", "approve");
    for task in ["r1-t1", "r1-t2", "r1-t3"] {
        team.mood(task, "shared");
    }
    team
}

fn begin(team: &Team) -> Value {
    team.json(&["run", "Make three files", "--host", "claude"])
}

fn go_on(team: &Team) -> Value {
    team.json(&["run", "--resume", "r1", "--agreed"])
}

/// The files on the branch of the run, with what is in them.
pub(super) fn tree(team: &Team) -> String {
    git(&team.place.project(), &["ls-tree", "-r", "agon/r1"])
}

#[test]
fn a_goal_is_planned_and_after_it_was_agreed_worked_on_reviewed_and_merged() {
    let team = team();
    let project = team.place.project();
    let planned = begin(&team);
    assert_eq!(planned["stage"], "stopped", "{planned}");
    assert_eq!(planned["plan"][1]["needs"], serde_json::json!([1]));
    assert!(planned["report"].as_array().unwrap().is_empty());
    assert!(
        planned["note"]
            .as_str()
            .unwrap()
            .contains("--resume r1 --agreed")
    );
    let again = team.json(&["run", "--resume", "r1"]);
    assert_eq!(again["stage"], "stopped", "nothing was agreed to");
    let done = go_on(&team);
    assert_eq!(done["stage"], "done", "{done}");
    for row in done["report"].as_array().unwrap() {
        assert_eq!(row["task"]["state"], "done", "{row}");
        let workers = row["task"]["workers"].as_array().unwrap();
        assert_eq!(workers.len(), 1, "{row}");
        assert!(row["merged"].is_string());
    }
    let files = git(&project, &["show", "agon/r1:shared.txt"]);
    assert_eq!(
        files, "r1-t1\nr1-t2\nr1-t3\n",
        "two of them wrote one file at once"
    );
    assert!(tree(&team).contains("made-r1-t3.txt"));
    assert_eq!(git(&project, &["status", "--porcelain"]), "");
    assert_eq!(git(&project, &["log", "--format=%s"]), "begin\n");
    let landed = team.json(&["land", "r1"]);
    assert_eq!(landed["fast_forward"], true, "{landed}");
    assert_eq!(git(&project, &["diff", "HEAD", "agon/r1"]), "");
    let doctored = go_on(&team);
    assert_eq!(doctored["stage"], "done");
}

#[test]
fn a_change_that_is_refused_goes_back_to_its_author_and_a_run_that_cannot_go_on_says_so() {
    let team = team();
    team.mood("r1-reviewer", "refuse\napprove");
    begin(&team);
    let done = go_on(&team);
    assert_eq!(done["stage"], "done", "{done}");
    assert_eq!(
        team.pids("r1-t1").len() + team.pids("r1-t3").len(),
        3 + conflicts(&team)
    );
    let hopeless = Team::new();
    hopeless.mood("r1-planner", "nothing");
    let stopped = begin(&hopeless);
    assert_eq!(stopped["stage"], "stopped");
    assert!(
        stopped["note"]
            .as_str()
            .unwrap()
            .contains("the planner made no valid plan"),
        "{stopped}"
    );
}

/// How often an author was started again to solve a conflict.
fn conflicts(team: &Team) -> usize {
    let status = team.json(&["status"]);
    let tasks = status["tasks"].as_array().unwrap();
    let attempts: u64 = tasks
        .iter()
        .map(|it| it["task"]["attempt"].as_u64().unwrap())
        .sum();
    usize::try_from(attempts).unwrap() - tasks.len() - 1
}

/// How many files below a folder have these words.
fn files_with(folder: &std::path::Path, words: &str) -> usize {
    let entries = std::fs::read_dir(folder)
        .unwrap()
        .map(|it| it.unwrap().path());
    entries
        .map(|path| match path.is_dir() {
            true => files_with(&path, words),
            false => {
                let bytes = std::fs::read(&path).unwrap();
                usize::from(String::from_utf8_lossy(&bytes).contains(words))
            }
        })
        .sum()
}

/// How many instants a run is killed at.
pub(super) fn instants() -> u64 {
    match agon_testkit::is_full() {
        true => 30,
        false => 4,
    }
}

#[test]
fn a_run_that_is_killed_at_any_instant_goes_on_to_the_same_tree() {
    let whole = team();
    begin(&whole);
    go_on(&whole);
    let expected = tree(&whole);
    let killed = team();
    begin(&killed);
    for instant in 1..=instants() {
        let args = ["team", "run", "--resume", "r1", "--agreed", "--json"];
        let running = Running::start(killed.place.command(&args));
        std::thread::sleep(Duration::from_millis(700 + instant * 450 % 3_000));
        let is_there = std::path::Path::new(&format!("/proc/{}", running.pid)).exists();
        if is_there {
            running.kill();
        }
    }
    let done = go_on(&killed);
    assert_eq!(done["stage"], "done", "{done}");
    assert_eq!(tree(&killed), expected);
    assert_eq!(git(&killed.place.project(), &["status", "--porcelain"]), "");
}

/// A script in which the winner wants the plan carried out, or something else.
pub(super) fn script(answer: &str) -> Script {
    let file = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../testkit/scripts/job-store.json"
    );
    let text = std::fs::read_to_string(file).unwrap();
    Script::parse(&text.replace("Use SQLite for the job store", answer))
}

/// Gives a team the tools that debate for it.
pub(super) fn add_debaters(team: &mut Team, tools: &FakeTools) {
    let path = format!("{}:{}", team.place.env["PATH"], tools.dir().display());
    for (name, value) in [
        ("PATH", path.as_str()),
        ("GEMINI_API_KEY", "placeholder"),
        ("AGON_PROPOSER", "codex"),
        ("AGON_CHALLENGER", "gemini"),
        ("AGON_JUDGE", "opencode"),
    ] {
        team.place.env.insert(name.to_owned(), value.to_owned());
    }
}

#[test]
fn a_plan_is_carried_out_with_a_verdict_that_favours_it_and_with_no_other() {
    for (answer, stage) in [
        ("Yes, carry it out as it stands", "done"),
        ("No, send it back", "stopped"),
    ] {
        let tools = FakeTools::with(&["codex", "gemini", "opencode"]).script(&script(answer));
        let mut team = team();
        // The plan of a team with both is debated with what they say.
        let members = "[teams.small.members]\ncritic = 1\ndevil = 1\n";
        set(&team, "teams", members);
        add_debaters(&mut team, &tools);
        let ran = begin(&team);
        assert_eq!(ran["stage"], stage, "{ran}");
        let debate = ran["debate"].as_str().unwrap();
        let word = answer.split(',').next().unwrap().to_lowercase();
        assert!(
            debate.starts_with("plan-r1-")
                && debate.contains(&format!(": verdict: {word}, authority full")),
            "{debate}"
        );
        let debates = team.place.project().join(".git/agon/debates");
        let folders = std::fs::read_dir(debates).unwrap().flatten();
        let named = |it: &std::path::PathBuf| {
            let name = it.file_name().unwrap_or_default();
            name.to_string_lossy().starts_with("plan-r1-")
        };
        let folder = folders.map(|it| it.path()).find(named).unwrap();
        let kept = folder.join("verdict.json");
        assert!(kept.exists());
        let used = team.json(&["usage", "--run", "r1"]);
        let name = used["debates"][0]["name"].as_str().unwrap_or_default();
        assert!(name.starts_with("plan-r1-"), "{used:#}");
        assert!(used["debates"][0]["calls"].as_u64() > Some(7), "{used:#}");
        let given = files_with(kept.parent().unwrap(), "> It has no test.");
        assert!(given > 0, "the debate is given what was objected");
        for role in ["critic", "devil"] {
            assert_eq!(team.pids(&format!("r1-{role}")).len(), 1);
        }
        assert_eq!(git(&team.place.project(), &["status", "--porcelain"]), "");
    }
}

#[test]
fn a_gate_that_fails_on_a_change_or_on_the_merged_tree_sends_it_back_and_the_branch_stays() {
    let team = team();
    team.mood("r1-t1", "good");
    team.mood("r1-t2", "broken\nmended");
    team.mood("r1-t3", "good\nboth");
    // The second is of a kind that is no matter of a run.
    team.json(&["gate", "add", "whole", "--", "sh", "check.sh"]);
    team.json(&["gate", "add", "seen", "--review"]);
    let project = team.place.project();
    let check = "test ! -e broken.txt || exit 3\n\
        test ! -e made-r1-t1.txt || test ! -e made-r1-t3.txt || test -e both.txt\n";
    agon_testkit::add(&project, "check.sh", check);
    git(&project, &["add", "."]);
    git(&project, &["commit", "-q", "-m", "a check"]);
    let planned = begin(&team);
    assert_eq!(planned["gates"], serde_json::json!(["whole"]), "{planned}");
    let done = go_on(&team);
    assert_eq!(done["stage"], "done", "{done}");
    assert_eq!(team.pids("r1-t2").len(), 2, "repaired what its check found");
    assert_eq!(team.pids("r1-t3").len(), 2, "sent back by the merged tree");
    for task in ["t2", "t3"] {
        let shown = team.json(&["gate", "show", "whole", "--task", task]);
        let runs = shown["gates"][0]["runs"].as_array().unwrap();
        let passed: Vec<bool> = runs.iter().map(|run| run["passed"] == true).collect();
        assert!(
            passed.contains(&false) && passed.last() == Some(&true),
            "{shown:#}\n{}",
            team.log()
        );
    }
    let told = std::fs::read_to_string(team.place.home().join("r1-t2.prompt")).unwrap();
    assert!(
        told.contains("whole: sh check.sh") && told.contains("exit 3"),
        "{told}"
    );
    let told = std::fs::read_to_string(team.place.home().join("r1-t3.prompt")).unwrap();
    assert!(
        told.contains("merged with the other changes, gate whole: exit 1"),
        "{told}"
    );
    // No commit of the branch fails the gate.
    for commit in git(&project, &["rev-list", "--first-parent", "HEAD..agon/r1"]).lines() {
        let files = git(&project, &["ls-tree", "-r", "--name-only", commit]);
        assert!(!files.contains("broken.txt"), "{files}");
        let has_both = files.contains("made-r1-t1.txt") && files.contains("made-r1-t3.txt");
        assert!(!has_both || files.contains("both.txt"), "{files}");
    }
}

#[test]
fn a_member_that_hangs_is_ended_and_its_task_is_worked_on_again() {
    let team = team();
    team.mood("r1-t1", "hang\nshared");
    begin(&team);
    let done = go_on(&team);
    assert_eq!(done["stage"], "done", "{done}");
    let pids = team.pids("r1-t1");
    assert_eq!(pids.len(), 2);
    assert!(!std::path::Path::new(&format!("/proc/{}", pids[0])).exists());
    let told = std::fs::read_to_string(team.place.home().join("r1-t1.prompt")).unwrap();
    assert!(told.contains("the lease of r1-t1 was revoked"), "{told}");
}

#[test]
fn what_the_policy_denies_goes_back_and_what_it_asks_about_waits_for_a_person() {
    let team = team();
    for task in ["r1-t1", "r1-t2", "r1-t3"] {
        team.mood(task, "good");
    }
    team.mood("r1-t1", "broken\nmended");
    let project = team.place.project();
    let policy = "schema = \"agon.policy/1\"\ndefault = \"allow\"\n\
        [[rule]]\neffect = \"deny\"\ntools = [\"edit\"]\npaths = [\"broken.txt\"]\n\
        [[rule]]\neffect = \"ask\"\ntools = [\"edit\"]\npaths = [\"made-r1-t3.txt\"]\n";
    agon_testkit::add(&project, ".git/agon/policy.toml", policy);
    begin(&team);
    let asks = go_on(&team);
    assert_eq!(asks["stage"], "stopped", "{asks}");
    let note = asks["note"].as_str().unwrap();
    assert!(
        note.contains("t3 waits for a person (made-r1-t3.txt:"),
        "{note}"
    );
    let told = std::fs::read_to_string(team.place.home().join("r1-t1.prompt")).unwrap();
    assert!(told.contains("the policy denies it: broken.txt"), "{told}");
    let again = team.json(&["run", "--resume", "r1"]);
    assert_eq!(again["stage"], "stopped", "the lead is no person: {again}");
    assert!(!tree(&team).contains("made-r1-t3.txt"));
}
