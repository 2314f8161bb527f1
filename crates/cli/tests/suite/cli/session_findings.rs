//! `agon context`: what went wrong in a session, the next step and the hand-over.

use std::fs;
use std::path::PathBuf;

use agon_testkit::Script;
use serde_json::{Value, json};

use crate::cli::folder::{debate, spec};
use crate::cli::harness::Agon;

const SICK: &str = "5f0c1d52-6a1e-4a7e-9d0b-2c7f6f3f9a01";
const WELL: &str = "8c9e7a14-03d2-4b61-8f55-71b0c2a4de02";
const RULE: &str = "Never add a dependency without asking me.";

/// A record in the form in which Claude Code writes it, a line at a time.
struct ClaudeRecord {
    id: &'static str,
    project: PathBuf,
    lines: Vec<Value>,
    calls: usize,
}

impl ClaudeRecord {
    fn new(agon: &Agon, id: &'static str) -> Self {
        Self {
            id,
            project: fs::canonicalize(agon.project()).unwrap(),
            lines: Vec::new(),
            calls: 0,
        }
    }

    fn push(&mut self, kind: &str, rest: &Value) {
        let at = self.lines.len();
        let parent = at.checked_sub(1).map(|it| format!("{}-{it}", self.id));
        let mut line = json!({"parentUuid": parent, "isSidechain": false, "type": kind,
            "uuid": format!("{}-{at}", self.id), "timestamp": format!("2026-11-23T04:{at:02}:25.623Z"),
            "userType": "external", "entrypoint": "cli", "cwd": self.project,
            "sessionId": self.id, "version": "2.1.197", "gitBranch": "main"});
        let (line_map, rest) = (line.as_object_mut().unwrap(), rest.as_object().unwrap());
        line_map.extend(rest.clone());
        self.lines.push(line);
    }

    fn prompt(&mut self, text: &str) {
        let message = json!({"message": {"role": "user", "content": text}});
        self.push("user", &message);
    }

    fn answer(&mut self, content: &Value) {
        self.calls += 1;
        let fill = 1000 * self.calls;
        let message = json!({"message": {"id": format!("msg_{}", self.calls), "type": "message",
            "role": "assistant", "model": "claude-opus-4-5", "content": [content],
            "usage": {"input_tokens": 700, "cache_read_input_tokens": fill - 700, "output_tokens": 50}}});
        self.push("assistant", &message);
    }

    fn say(&mut self, text: &str) {
        self.answer(&json!({"type": "text", "text": text}));
    }

    fn call(&mut self, name: &str, input: &Value, output: &str, is_error: bool) {
        let id = format!("toolu_{}", self.lines.len());
        self.answer(&json!({"type": "tool_use", "id": id, "name": name, "input": input}));
        let result = json!({"tool_use_id": id, "type": "tool_result", "content": output,
            "is_error": is_error});
        self.push(
            "user",
            &json!({"message": {"role": "user", "content": [result]}}),
        );
    }

    fn test(&mut self, output: &str, is_error: bool) {
        let input = json!({"command": "cargo test -p parser", "description": "Run the tests"});
        self.call("Bash", &input, output, is_error);
    }

    fn write(&self, agon: &Agon) {
        let folder = agon.claude_sessions();
        let lines: Vec<String> = self.lines.iter().map(|it| format!("{it}\n")).collect();
        fs::write(folder.join(format!("{}.jsonl", self.id)), lines.concat()).unwrap();
    }
}

/// A session in which a test fails.
fn begun(agon: &Agon, id: &'static str) -> ClaudeRecord {
    let path = agon.project().join("src/parser.rs");
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, "fn parse() {}\n").unwrap();
    let mut record = ClaudeRecord::new(agon, id);
    let path = record.project.join("src/parser.rs");
    record.prompt(&format!(
        "Make the parser in src/parser.rs accept empty lines. {RULE}"
    ));
    let todos = json!({"todos": [{"content": "Write the release notes", "status": "pending",
        "activeForm": "Writing"}]});
    record.call("TodoWrite", &todos, "Todos have been modified.", false);
    let input = json!({"file_path": path});
    record.call("Read", &input, "1\tfn parse() {}\n", false);
    let input = json!({"file_path": path, "old_string": "{}", "new_string": "{ todo!() }"});
    record.call("Edit", &input, "The file has been updated.", false);
    let output = "Exit code 101\ntest parser::empty_lines ... FAILED\n\ntest result: FAILED. 0 passed; 1 failed";
    record.test(output, true);
    record
}

/// What is said to work did not.
fn sick(agon: &Agon) -> ClaudeRecord {
    let mut record = begun(agon, SICK);
    record.say("All tests pass now, so the change is safe.");
    record.prompt("Good. We decided to keep the old parser as a fallback.");
    record.say("Since the tests passed, I commit it.");
    record
}

/// The same, where it was made to work.
fn well(agon: &Agon) -> ClaudeRecord {
    let mut record = begun(agon, WELL);
    record.say("One test fails, `parser::empty_lines`. I fix it.");
    let input = json!({"file_path": record.project.join("src/parser.rs"),
        "old_string": "{ todo!() }", "new_string": "{ () }"});
    record.call("Edit", &input, "The file has been updated.", false);
    record.test("test result: ok. 1 passed; 0 failed", false);
    record.say("All tests pass now, so the change is safe.");
    record
}

fn shown(agon: &Agon, args: &[&str]) -> Value {
    let document = agon.run(args).json();
    let schema = agon.run(&["schema", "context", "--json"]).json();
    assert!(jsonschema::is_valid(&schema, &document), "{document}");
    document["sessions"][0].clone()
}

#[test]
fn a_failure_that_is_built_upon_makes_a_session_red_with_its_place_and_its_words() {
    let agon = Agon::new();
    sick(&agon).write(&agon);
    let session = shown(&agon, &["context", SICK, "--json"]);
    assert_eq!(session["state"], "red", "{session}");
    assert_eq!(session["reasons"][0]["pattern"], "poisoning");
    let found = &session["findings"];
    assert_eq!(
        (found["count"].clone(), found["current"].clone()),
        (json!(1), json!(1))
    );
    let finding = &found["shown"][0];
    let of = |key: &str| finding[key].clone();
    assert_eq!(
        [of("pattern"), of("severity"), of("is_current"), of("turn")],
        [json!("poisoning"), json!("red"), json!(true), json!(1)]
    );
    // The failed result is line 9, what was made of it line 10.
    assert_eq!(of("place"), "line 10");
    assert!(
        finding["words"]
            .as_str()
            .unwrap()
            .contains("All tests pass now")
    );
    let cause = finding["cause"]["words"].as_str().unwrap();
    assert!(cause.contains("cargo test -p parser"), "{cause}");
    let step = &session["next_step"];
    assert_eq!(
        (step["step"].clone(), step["patterns"].clone()),
        (json!("isolate"), json!(["poisoning"]))
    );
    assert_eq!(step["tasks"], json!(["Write the release notes"]));
    // What was asked first and last, a rule, and a decision that is a rule too: each once.
    assert_eq!(step["lines"].as_array().unwrap().len(), 4);
    assert_eq!(session["handover"], Value::Null);
}

#[test]
fn a_session_in_which_the_failure_was_mended_is_green_and_needs_no_step() {
    let agon = Agon::new();
    well(&agon).write(&agon);
    let session = shown(&agon, &["context", WELL, "--json"]);
    assert_eq!(session["state"], "green", "{session}");
    assert_eq!(session["findings"]["count"], 0);
    assert!(session["findings"]["entries"].as_u64().unwrap() > 10);
    assert_eq!(session["next_step"], Value::Null);
    let screen = agon.run(&["context", WELL]).stdout;
    assert!(
        !screen.contains("Found") && !screen.contains("Next"),
        "{screen}"
    );
}

#[test]
fn a_finding_takes_two_lines_and_the_command_of_the_next_step_prints_the_hand_over() {
    let agon = Agon::new();
    sick(&agon).write(&agon);
    let screen = agon.run(&["context", SICK, "--width", "80"]).stdout;
    let lines: Vec<&str> = screen.lines().collect();
    let at = lines.iter().position(|it| it.starts_with("Found")).unwrap();
    assert_eq!(lines[at], "Found      1 finding");
    let head = "  red      poisoning, turn 1 (line 10), confidence";
    assert!(lines[at + 1].starts_with(head), "{screen}");
    assert!(
        lines[at + 2]
            .contains("“failed: Bash ca…test -p parser” → “All tests pass…change is safe.”"),
        "{screen}"
    );
    assert_eq!(lines[at + 3], "Next       isolate, against poisoning");
    let of_findings = &lines[at..at + 7];
    assert!(
        of_findings.iter().all(|it| it.chars().count() <= 80),
        "{screen}"
    );
    let command = format!("agon context {SICK} --handover");
    let typed = lines.iter().find(|it| it.contains("--handover")).unwrap();
    assert_eq!(typed.trim(), command);
    let words: Vec<&str> = command.split(' ').skip(1).collect();
    let handover = agon.run(&words).stdout;
    assert!(handover.starts_with("# Hand-over\n"), "{handover}");
    for words in [
        format!("> {RULE} [turn 1]"),
        "> We decided to keep the old parser as a fallback. [turn 2]".to_owned(),
        "> Write the release notes".to_owned(),
        "> src/parser.rs [changed]".to_owned(),
    ] {
        assert!(
            handover.lines().any(|it| it == words),
            "{words}: {handover}"
        );
    }
    let session = shown(&agon, &["context", SICK, "--handover", "--json"]);
    assert_eq!(session["handover"], handover.as_str());
}

#[test]
fn no_secret_and_nothing_that_moves_a_cursor_is_in_findings_or_hand_over() {
    let agon = Agon::new();
    let secret = format!("ghp_{}", "A1b2C3d4E5".repeat(4).get(..36).unwrap());
    let mut record = begun(&agon, SICK);
    record.say(&format!(
        "All tests pass now with {secret}, \u{1b}[2J\u{202e}so the change is safe."
    ));
    record.prompt(&format!(
        "Always use \u{1b}[31mthe token {secret}\u{7} for the tests."
    ));
    record.write(&agon);
    for args in [
        &["context"][..],
        &["context", "--json"],
        &["context", "--handover"],
        &["context", "--handover", "--json"],
    ] {
        let printed = agon.run(args).stdout;
        assert!(!printed.contains(&secret), "{printed}");
        let moves = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
        assert!(!printed.contains(moves), "{printed:?}");
    }
    let screen = agon.run(&["context"]).stdout;
    assert!(
        screen.contains("“All tests pass…change is safe.”"),
        "{screen}"
    );
    let handover = agon.run(&["context", "--handover"]).stdout;
    let rule = "the token [redacted:github-token] for the tests.";
    assert!(handover.contains(rule), "{handover}");
}

#[test]
fn what_went_wrong_before_a_compaction_is_told_and_makes_nothing_red() {
    let agon = Agon::new();
    let mut record = sick(&agon);
    let boundary = json!({"subtype": "compact_boundary", "content": "Conversation compacted",
        "compactMetadata": {"trigger": "manual", "preTokens": 9000}});
    record.push("system", &boundary);
    let summary = json!({"isCompactSummary": true, "isVisibleInTranscriptOnly": true,
        "message": {"role": "user", "content": "The parser is being changed."}});
    record.push("user", &summary);
    record.prompt("Go on.");
    record.say("I look at the parser again.");
    record.write(&agon);
    let session = shown(&agon, &["context", "--json"]);
    assert_eq!(session["state"], "green", "{session}");
    let found = &session["findings"];
    assert_eq!(
        (found["count"].clone(), found["current"].clone()),
        (json!(1), json!(0))
    );
    assert_eq!(found["shown"][0]["is_current"], false);
    assert_eq!(session["next_step"], Value::Null);
    let screen = agon.run(&["context"]).stdout;
    assert!(
        screen.contains("1 of them before the last compaction"),
        "{screen}"
    );
    assert!(screen.contains("compacted since"), "{screen}");
}

#[test]
fn a_list_looks_for_no_findings_and_has_no_hand_over() {
    let agon = Agon::new();
    sick(&agon).write(&agon);
    let session = shown(&agon, &["context", "--all", "--json"]);
    assert_eq!(session["state"], "green");
    assert_eq!(session["findings"], Value::Null);
    let refused = agon.run(&["context", "--all", "--handover"]);
    assert!(
        refused.stderr.contains("cannot be used with"),
        "{}",
        refused.stderr
    );
}

#[test]
fn a_handover_has_what_was_decided_in_debates_since_the_session_began() {
    let agon = Agon::new();
    let debates = agon.project().join("debates");
    debate(
        &debates,
        spec("job-store"),
        &Script::job_store(),
        usize::MAX,
    );
    let mut record = sick(&agon);
    let heading = "## Decided in debates and reviews";
    for (began, is_told) in [
        ("2000-01-01T00:00:00Z", true),
        ("2999-01-01T00:00:00Z", false),
    ] {
        record.lines[0]["timestamp"] = json!(began);
        record.write(&agon);
        let handover = agon.run(&["context", SICK, "--handover"]).stdout;
        assert_eq!(handover.contains(heading), is_told, "{handover}");
        let line = "> Use SQLite for the job store [debate job-store, full]";
        assert_eq!(handover.contains(line), is_told, "{handover}");
    }
}
