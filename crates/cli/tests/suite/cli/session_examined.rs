//! `agon context --examine`: a tool is asked, and what it proposes is verified.

use agon_testkit::{FakeTools, Script};
use serde_json::{Value, json};

use crate::cli::harness::Agon;
use crate::cli::record::{RULE, SICK, sick};

fn with_answer(findings: &Value) -> Agon {
    let agon = Agon::with(FakeTools::with(&["claude", "codex"]));
    let answer = format!("Here it is:\n{}", json!({"findings": findings}));
    agon.tools().set_script(&Script::new(answer));
    sick(&agon.project()).write(&agon.claude_sessions());
    agon
}

fn claim(quote: &str) -> Value {
    json!({"pattern": "poisoning", "subject": "cargo test", "why": "The test never passed.",
        "cure": "Run it again.", "evidence": [
            {"line": 5, "role": "failed", "quote": "1 failed"},
            {"line": 6, "role": "claim", "quote": quote}]})
}

#[test]
fn a_session_is_examined_once_and_what_is_verified_is_shown() {
    let agon = with_answer(&json!([
        claim("All tests pass now"),
        claim("All is well now")
    ]));
    let first = agon.run(&["context", SICK, "--examine", "claude", "--json"]);
    assert!(
        first
            .stderr
            .contains("asking claude (haiku) about 1 part of the session: about"),
        "{}",
        first.stderr
    );
    let document = first.json();
    let schema = agon.run(&["schema", "context", "--json"]).json();
    assert!(jsonschema::is_valid(&schema, &document), "{document}");
    let examined = &document["sessions"][0]["examined"];
    assert_eq!(
        [
            &examined["tool"],
            &examined["model"],
            &examined["count"],
            &examined["asked"]
        ],
        [&json!("claude"), &json!("haiku"), &json!(1), &json!(1)]
    );
    assert_eq!(examined["dropped"][0]["reason"], "no_such_quote");
    let asks = agon.tools().asks();
    let prompt = agon.tools().prompt(asks[0].prompt.unwrap());
    assert!(
        prompt.contains(RULE) && prompt.contains("<<<data"),
        "{prompt}"
    );
    let second = agon.run(&["context", SICK, "--examine", "claude"]);
    assert_eq!(agon.tools().asks().len(), 1, "it was asked again");
    let screen = second.stdout;
    assert!(
        screen.contains("Examined   by claude (haiku): 1 finding verified, 1 dropped; 0 tokens"),
        "{screen}"
    );
    assert!(
        screen.contains("poisoning: The test never passed."),
        "{screen}"
    );
}

#[test]
fn without_a_name_a_tool_that_is_logged_in_is_asked_for_its_fast_model() {
    let agon = with_answer(&json!([]));
    let document = agon.run(&["context", SICK, "--examine", "--json"]).json();
    let examined = &document["sessions"][0]["examined"];
    assert_eq!(
        (&examined["tool"], &examined["model"]),
        (&json!("claude"), &json!("haiku"))
    );
    let refused = agon.run(&["context", "--self-test"]);
    assert_eq!(refused.code, Some(2), "{}", refused.stderr);
}

#[test]
fn an_answer_without_findings_is_an_error_and_is_not_kept() {
    let agon = with_answer(&json!([]));
    agon.tools().set_script(&Script::new("All is well."));
    let failed = agon.run(&["context", SICK, "--examine", "claude", "--json"]);
    assert_eq!(
        failed.json()["error"]["code"],
        "unreadable",
        "{}",
        failed.stdout
    );
    agon.tools().set_script(&Script::new("{\"findings\": []}"));
    let again = agon.run(&["context", SICK, "--examine", "claude", "--json"]);
    assert_eq!(again.json()["sessions"][0]["examined"]["asked"], 1);
}

#[test]
fn the_self_test_prints_recall_and_precision_with_intervals() {
    let planted = json!({"pattern": "poisoning", "subject": "pytest", "why": "w", "evidence": [
        {"line": 4, "role": "failed", "quote": "1 failed"},
        {"line": 6, "role": "claim", "quote": "suite passes"}]});
    let agon = with_answer(&json!([planted]));
    let args = ["context", "--examine", "codex", "--self-test"];
    let screen = agon.run(&args).stdout;
    for words in [
        "codex (gpt-6-luna) on 12 sessions with something planted and 12 that are well",
        "Recall     8% (95% interval",
        "Precision  100% (95% interval",
        "Alarms     in 0 of 12 sessions that are well",
        "in 24 calls",
    ] {
        assert!(screen.contains(words), "{words}: {screen}");
    }
    let document = agon.run(&[&args[..], &["--json"]].concat()).json();
    let schema = agon.run(&["schema", "examiner_test", "--json"]).json();
    assert!(jsonschema::is_valid(&schema, &document), "{document}");
}
