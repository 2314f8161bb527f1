//! Gates, as members and a lead type them: what passes, what does not, and what a gate runs.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::time::{Duration, Instant};

use agon_testkit::{add, git};
use serde_json::{Value, json};

use super::{Repository, commit};
use crate::support::lives;

const TASK: [&str; 2] = ["--task", "t1"];

impl Repository {
    /// A team with a task that asks for these gates, claimed by ada.
    fn with_gated_task(gates: &[&str]) -> Self {
        let team = Self::with_team();
        // A task asks for gates that are there; each test says what its own runs.
        for gate in gates {
            team.add_gate(&[gate, "--", "false"]);
        }
        let flags = gates.iter().flat_map(|gate| ["--gate", gate]);
        let args: Vec<&str> = ["task", "add", "Greet by name"]
            .into_iter()
            .chain(flags)
            .collect();
        team.json("lea", &args);
        team.json("ada", &["task", "claim", "t1"]);
        team.json("ada", &["task", "start", "t1", "--epoch", "1"]);
        team
    }

    fn add_gate(&self, args: &[&str]) -> Value {
        self.json("lea", &[&["gate", "add"], args].concat())
    }

    /// What came of a gate: whether it passed, and how it ended.
    fn run_gate(&self, who: &str, gate: &str) -> (bool, String) {
        let (_, document) = self.gate_run(who, gate);
        let outcome = document["outcome"].as_str().unwrap().to_owned();
        (document["passed"].as_bool().unwrap(), outcome)
    }

    fn gate_run(&self, who: &str, gate: &str) -> (Option<i32>, Value) {
        let ran = self.run(
            who,
            &[&["gate", "run", gate], &TASK[..], &["--json"]].concat(),
        );
        let document = ran.json();
        let code = if document["passed"] == true { 0 } else { 8 };
        assert_eq!(ran.code, Some(code), "{document:#}");
        (ran.code, document)
    }

    fn standing(&self, who: &str, gate: &str) -> String {
        let shown = self.json(who, &[&["gate", "show", gate], &TASK[..]].concat());
        shown["gates"][0]["standing"]["standing"]
            .as_str()
            .unwrap()
            .to_owned()
    }

    fn submit(&self) {
        self.json("ada", &["task", "submit", "t1", "--epoch", "1"]);
    }
}

#[test]
fn a_gate_that_passed_counts_for_its_tree_and_is_stale_after_any_change() {
    let team = Repository::with_gated_task(&["greets"]);
    team.add_gate(&["greets", "--", "grep", "-q", "Ada", "greet.sh"]);
    let tree = team.tree("ada");
    assert_eq!(team.standing("ada", "greets"), "not_run");
    assert_eq!(team.run_gate("ada", "greets"), (false, "exit 1".to_owned()));
    assert_eq!(team.standing("ada", "greets"), "failed");
    add(&tree, "greet.sh", "echo Hello, Ada\n");
    assert_eq!(team.standing("ada", "greets"), "stale");
    assert_eq!(team.run_gate("ada", "greets"), (true, "exit 0".to_owned()));
    assert_eq!(team.standing("ada", "greets"), "passed");
    // A new file, a changed mode and a staged file each make another tree.
    add(&tree, "new.txt", "n\n");
    assert_eq!(team.standing("ada", "greets"), "stale");
    fs::remove_file(tree.join("new.txt")).unwrap();
    assert_eq!(team.standing("ada", "greets"), "passed");
    fs::set_permissions(tree.join("greet.sh"), fs::Permissions::from_mode(0o755)).unwrap();
    assert_eq!(team.standing("ada", "greets"), "stale");
    // Done only once it passed on the tree that was submitted.
    commit(&tree, "echo Hello, Ada\n");
    team.submit();
    let done = ["task", "done", "t1", "--epoch", "1"];
    let (code, message, _) = team.refused("lea", &done);
    assert_eq!(code, "no_evidence");
    assert!(
        message.contains("gate greets, which must run again"),
        "{message}"
    );
    assert!(team.run_gate("ada", "greets").0);
    team.json("lea", &done);
}

#[test]
fn a_tree_that_changes_while_a_gate_runs_gets_no_pass() {
    let team = Repository::with_gated_task(&["writes"]);
    team.add_gate(&["writes", "--", "sh", "-c", "echo more >> greet.sh"]);
    let (passed, outcome) = team.run_gate("ada", "writes");
    assert!(
        !passed && outcome.starts_with("the tree changed to "),
        "{outcome}"
    );
    assert_eq!(team.standing("ada", "writes"), "stale");
    // What is ignored may be written.
    let tree = team.tree("ada");
    git(&tree, &["checkout", "-q", "greet.sh"]);
    add(&tree, ".gitignore", "out\n");
    team.add_gate(&["builds", "--", "sh", "-c", "echo x > out"]);
    assert!(team.run_gate("ada", "builds").0);
}

#[test]
fn what_a_gate_runs_comes_from_no_change_message_or_task_of_a_member() {
    let team = Repository::with_gated_task(&["tests"]);
    team.add_gate(&["tests", "--", "sh", "-c", "exit 1"]);
    let easy = "schema = \"agon.gates/1\"\n[gate.tests]\nkind = \"command\"\nargv = [\"true\"]\n";
    let tree = team.tree("ada");
    for path in [
        "gates.toml",
        "agon/gates.toml",
        ".agon/gates.toml",
        ".agon/team.toml",
    ] {
        add(&tree, path, easy);
    }
    assert!(!team.run_gate("ada", "tests").0);
    git(&tree, &["add", "."]);
    git(&tree, &["commit", "-q", "-m", "easy gates"]);
    assert!(!team.run_gate("ada", "tests").0);
    let (code, message, hint) = team.refused("ada", &["gate", "add", "tests", "--", "true"]);
    assert_eq!(
        (code.as_str(), message.as_str()),
        ("refused", "ada may not define gates")
    );
    assert_eq!(hint, "ask the lead or a person");
    team.refused("ada", &["gate", "rm", "tests"]);
    // A task names a gate; a text that looks like one is a name that there is none of.
    let named = ["task", "add", "true", "--spec", easy, "--gate", "true"];
    let (_, message, _) = team.refused("lea", &named);
    assert_eq!(message, "there is no gate true");
    team.json("lea", &["task", "add", "true", "--spec", easy]);
    let (code, ..) = team.refused("ada", &["gate", "run", "true", "--task", "t2"]);
    assert_eq!(code, "no_gate");
}

#[test]
fn a_gate_that_is_another_now_has_no_pass_of_before() {
    let team = Repository::with_gated_task(&["tests"]);
    team.add_gate(&["tests", "--", "true"]);
    assert!(team.run_gate("ada", "tests").0);
    team.add_gate(&["tests", "--", "false"]);
    assert_eq!(team.standing("ada", "tests"), "failed");
    commit(&team.tree("ada"), "echo x\n");
    team.submit();
    let (_, message, _) = team.refused("lea", &["task", "done", "t1", "--epoch", "1"]);
    assert!(message.contains("gate tests"), "{message}");
}

#[test]
fn a_command_ends_in_its_time_with_all_that_it_started_and_its_output_is_kept_without_secrets() {
    let team = Repository::with_gated_task(&["slow"]);
    let mark = team.tree("ada").with_file_name("mark");
    let line = format!(
        "echo ghp_16C7e42F292c6912E7710c838347Ae178B4a $HOME; sleep 600 & echo $! > '{}'; sleep 60",
        mark.display()
    );
    team.add_gate(&["slow", "--for", "1s", "--", "sh", "-c", &line]);
    let begun = Instant::now();
    let (_, document) = team.gate_run("ada", "slow");
    assert_eq!(document["outcome"], "timed out after 1 s");
    assert!(begun.elapsed() < Duration::from_secs(30));
    let log = document["log"].as_str().unwrap();
    let log = team.tree("lea").join(".git/agon").join(log);
    let text = fs::read_to_string(&log).unwrap();
    assert!(
        text.contains("[redacted:github-token]") && !text.contains("ghp_"),
        "{text}"
    );
    assert_eq!(
        fs::metadata(&log).unwrap().permissions().mode() & 0o777,
        0o600
    );
    let child = fs::read_to_string(&mark).unwrap();
    let child = Path::new("/proc").join(child.trim());
    assert!(!lives(&child), "what the gate started still runs");
}

#[test]
fn a_command_is_told_no_keys_and_no_repository_of_others() {
    let mut team = Repository::with_gated_task(&["env"]);
    for name in [
        "OPENAI_API_KEY",
        "GIT_DIR",
        "AGON_ROUNDS",
        "SOME_TOKEN",
        "HARMLESS",
    ] {
        team.place.env.insert(name.into(), "3".into());
    }
    let show = ["--", "sh", "-c", "env; exit 3"];
    team.add_gate(&[&["env", "--env", "HARMLESS"][..], &show].concat());
    let (_, document) = team.gate_run("ada", "env");
    let tail = document["output_tail"].as_str().unwrap();
    assert!(tail.contains("HARMLESS=3"), "{tail}");
    for name in ["OPENAI_API_KEY", "GIT_DIR", "AGON_ROUNDS", "SOME_TOKEN"] {
        assert!(!tail.contains(&format!("{name}=")), "{tail}");
    }
    // What it did not get is said, where it failed.
    let last = tail.lines().last().unwrap();
    assert!(
        last.contains("withheld") && last.contains("SOME_TOKEN"),
        "{tail}"
    );
    team.add_gate(&[&["bare"][..], &show].concat());
    let (_, document) = team.gate_run("ada", "bare");
    let tail = document["output_tail"].as_str().unwrap();
    assert!(!tail.contains("HARMLESS=3"), "{tail}");
    team.add_gate(&["three", "--exit", "3", "--", "sh", "-c", "exit 3"]);
    assert_eq!(team.run_gate("ada", "three"), (true, "exit 3".to_owned()));
}

#[test]
fn every_place_that_a_text_cites_must_stand_in_the_tree() {
    let team = Repository::with_gated_task(&["cited"]);
    team.add_gate(&["cited", "--evidence", "notes.md"]);
    let tree = team.tree("ada");
    assert_eq!(
        team.run_gate("ada", "cited").1,
        "notes.md is missing, not text, or larger than 1 MB"
    );
    let cites = |text: &str| {
        add(&tree, "notes.md", text);
        team.run_gate("ada", "cited")
    };
    assert_eq!(
        cites("Nothing.\n"),
        (false, "it cites nothing in the tree".to_owned())
    );
    assert_eq!(
        cites("It prints at `greet.sh:1`: \"echo Hello\".\n"),
        (true, "1 of 1 citations found".to_owned())
    );
    assert_eq!(
        cites("See `greet.sh:1`.\n\nSee `greet.sh:40` and `src/none.rs:3`.\n"),
        (false, "2 of 3 citations not found in the tree".to_owned())
    );
    assert_eq!(
        cites("It prints at `greet.sh:1`: `echo Goodbye`.\n"),
        (false, "1 of 1 citations not found in the tree".to_owned())
    );
}

#[test]
fn a_review_gate_passes_by_the_word_of_one_who_did_not_work_on_it() {
    let team = Repository::with_gated_task(&["pair"]);
    team.add_gate(&["pair", "--review"]);
    commit(&team.tree("ada"), "echo x\n");
    team.submit();
    let said = "no member who did not work on it approved this tree";
    assert_eq!(team.run_gate("ada", "pair"), (false, said.to_owned()));
}

impl Repository {
    /// A session of Claude Code in a member's work tree whose context holds so many tokens.
    fn hold_session(&self, who: &str, id: &str, fill: u64) {
        let tree = fs::canonicalize(self.tree(who)).unwrap();
        let tree = tree.to_str().unwrap();
        let slug: String = tree
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
            .collect();
        let folder = self.place.home().join(".claude/projects").join(slug);
        fs::create_dir_all(&folder).unwrap();
        let time = "2026-11-23T04:07:25Z";
        let lines = [
            json!({"type": "user", "uuid": "u", "sessionId": id, "cwd": tree, "timestamp": time,
                "version": "2.1.197", "message": {"content": "Begin."}}),
            json!({"type": "assistant", "uuid": "a", "sessionId": id, "timestamp": time,
                "message": {"id": "m", "model": "claude-opus-4-5",
                    "content": [{"type": "text", "text": "So."}],
                    "usage": {"input_tokens": fill, "output_tokens": 0}}}),
        ];
        let lines = lines.map(|it| format!("{it}\n"));
        fs::write(folder.join(format!("{id}.jsonl")), lines.concat()).unwrap();
    }
}

#[test]
fn a_context_gate_passes_until_the_session_in_the_members_work_tree_is_red() {
    let team = Repository::with_gated_task(&["fresh"]);
    let defined = team.add_gate(&["fresh", "--context"]);
    assert_eq!(
        defined["gates"][0]["definition"]["fails_at"], "red",
        "{defined}"
    );
    let none = "no AI tool has a record of a session in this work tree".to_owned();
    assert_eq!(team.run_gate("ada", "fresh"), (false, none));
    team.hold_session("ada", "s", 50_000);
    // That of another member says nothing of hers.
    team.hold_session("bob", "t", 190_000);
    let (passed, said) = team.run_gate("ada", "fresh");
    assert_eq!(
        (passed, said.as_str()),
        (true, "the context in claude is green")
    );
    team.hold_session("ada", "s", 120_000);
    let (passed, said) = team.run_gate("ada", "fresh");
    assert!(passed && said.contains("is amber: 120000 tokens"), "{said}");
    team.hold_session("ada", "s", 185_000);
    let (passed, said) = team.run_gate("ada", "fresh");
    assert!(!passed && said.contains("is red: 185000 tokens"), "{said}");
    team.add_gate(&["fresh", "--context", "--amber"]);
    team.hold_session("ada", "s", 120_000);
    assert!(!team.run_gate("ada", "fresh").0);
    team.hold_session("ada", "s", 50_000);
    assert!(team.run_gate("ada", "fresh").0);
}

#[test]
fn a_gate_that_is_not_there_or_none_is_refused_in_words() {
    let team = Repository::with_gated_task(&["fresh"]);
    team.refused("lea", &["gate", "add", "x", "--review", "--amber"]);
    let (code, ..) = team.refused("ada", &[&["gate", "run", "none"], &TASK[..]].concat());
    assert_eq!(code, "no_gate");
    team.refused("lea", &["gate", "add", "x"]);
    team.refused("lea", &["gate", "add", "x", "--review", "--", "true"]);
    team.refused("lea", &["gate", "add", "x", "--evidence", "../x"]);
}

#[test]
fn a_file_of_gates_that_is_not_understood_runs_none() {
    let team = Repository::with_gated_task(&["tests"]);
    team.add_gate(&["tests", "--", "true"]);
    let file = team.tree("lea").join(".git/agon/gates.toml");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text + "\nunknown = 1\n").unwrap();
    let ran = team.run("ada", &["gate", "run", "tests", "--task", "t1", "--json"]);
    assert_eq!(ran.code, Some(3), "{ran:#?}");
    assert_eq!(ran.json()["error"]["code"], "invalid_gates");
}
