//! `agon context`: findings, the next step and the hand-over on the screen.

use agon_testkit::Script;
use serde_json::{Value, json};

use crate::cli::folder::{debate, spec};
use crate::cli::harness::Agon;
use crate::cli::record::{RULE, SICK, begun, sick};

fn shown(agon: &Agon, args: &[&str]) -> Value {
    let document = agon.run(args).json();
    let schema = agon.run(&["schema", "context", "--json"]).json();
    assert!(jsonschema::is_valid(&schema, &document), "{document}");
    document["sessions"][0].clone()
}

#[test]
fn a_finding_takes_two_lines_and_the_command_of_the_next_step_prints_the_hand_over() {
    let agon = Agon::new();
    sick(&agon.project()).write(&agon.claude_sessions());
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
    let mut record = begun(&agon.project(), SICK);
    record.say(&format!(
        "All tests pass now, the token is {secret}, \u{1b}[2J\u{202e}so the change is safe."
    ));
    record.prompt(&format!(
        "Always use \u{1b}[31mthe token {secret}\u{7} for the tests."
    ));
    record.write(&agon.claude_sessions());
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
fn what_was_compacted_away_is_listed_and_what_is_well_says_nothing() {
    let agon = Agon::new();
    let mut record = sick(&agon.project());
    let boundary = json!({"subtype": "compact_boundary", "content": "Conversation compacted",
        "compactMetadata": {"trigger": "manual", "preTokens": 9000}});
    record.push("system", &boundary);
    record.prompt("Go on.");
    record.say("I look at the parser again.");
    record.write(&agon.claude_sessions());
    let screen = agon.run(&["context"]).stdout;
    for words in [
        "1 of them before the last compaction",
        "no longer in the context",
    ] {
        assert!(screen.contains(words), "{words}: {screen}");
    }
    assert!(!screen.contains("Next"), "{screen}");
    let refused = agon.run(&["context", "--all", "--handover"]);
    let why = "cannot be used with";
    assert!(refused.stderr.contains(why), "{}", refused.stderr);
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
    let mut record = sick(&agon.project());
    let heading = "## Decisions of debates and reviews";
    for (began, is_told) in [
        ("2000-01-01T00:00:00Z", true),
        ("2999-01-01T00:00:00Z", false),
    ] {
        record.lines[0]["timestamp"] = json!(began);
        record.write(&agon.claude_sessions());
        let handover = agon.run(&["context", SICK, "--handover"]).stdout;
        assert_eq!(handover.contains(heading), is_told, "{handover}");
        let line = "> Use SQLite for the job store [debate job-store, full]";
        assert_eq!(handover.contains(line), is_told, "{handover}");
    }
}
