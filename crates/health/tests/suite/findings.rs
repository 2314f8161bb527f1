//! What went wrong in a session, the next step and the hand-over.

use std::path::Path;

use agon_health::{SessionChoice, SessionRequest, inspect, prepare_handover};
use serde_json::{Value, json};

use crate::place::Place;
use crate::record::{ClaudeRecord, RULE, SICK, begun, sick};

const WELL: &str = "8c9e7a14-03d2-4b61-8f55-71b0c2a4de02";

/// The same, where it was made to work.
fn well(project: &Path) -> ClaudeRecord {
    let mut record = begun(project, WELL);
    record.say("One test fails, `parser::empty_lines`. I fix it.");
    let input = json!({"file_path": record.project.join("src/parser.rs"),
        "old_string": "{ todo!() }", "new_string": "{ () }"});
    record.call("Edit", &input, "The file has been updated.", false);
    record.test("test result: ok. 1 passed; 0 failed", false);
    record.say("All tests pass now, so the change is safe.");
    record
}

fn named(id: &str) -> SessionRequest {
    SessionRequest {
        choice: SessionChoice::Named(id.to_owned()),
        host: None,
    }
}

/// The only session of the document.
fn shown(place: &Place, request: SessionRequest) -> Value {
    let document = inspect(&place.caller, &request).unwrap();
    serde_json::to_value(&document.sessions[0]).unwrap()
}

fn handover(place: &Place, request: SessionRequest) -> String {
    let document = prepare_handover(&place.caller, &request).unwrap();
    document.sessions[0].handover.clone().unwrap()
}

#[test]
fn a_session_that_ends_on_a_false_claim_is_red_with_its_place_and_its_words() {
    let place = Place::new();
    place.record(&sick(place.project()));
    let session = shown(&place, named(SICK));
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
    // The failed result is line 9, the first claim line 10; the session ends on the second.
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
fn a_false_claim_that_the_user_answered_makes_a_session_amber() {
    let place = Place::new();
    let mut record = sick(place.project());
    record.prompt("Are you sure?");
    place.record(&record);
    let session = shown(&place, named(SICK));
    assert_eq!(session["state"], "amber", "{session}");
    assert_eq!(session["findings"]["shown"][0]["severity"], "amber");
}

#[test]
fn a_session_in_which_the_failure_was_mended_is_green_and_needs_no_step() {
    let place = Place::new();
    place.record(&well(place.project()));
    let session = shown(&place, named(WELL));
    assert_eq!(session["state"], "green", "{session}");
    assert_eq!(session["findings"]["count"], 0);
    assert!(session["findings"]["entries"].as_u64().unwrap() > 10);
    assert_eq!(session["next_step"], Value::Null);
}

#[test]
fn what_went_wrong_before_a_compaction_is_told_and_makes_nothing_red() {
    let place = Place::new();
    let mut record = sick(place.project());
    let boundary = json!({"subtype": "compact_boundary", "content": "Conversation compacted",
        "compactMetadata": {"trigger": "manual", "preTokens": 9000}});
    record.push("system", &boundary);
    let summary = json!({"isCompactSummary": true, "isVisibleInTranscriptOnly": true,
        "message": {"role": "user", "content": "The parser is being changed."}});
    record.push("user", &summary);
    record.prompt("Go on.");
    record.say("I look at the parser again.");
    place.record(&record);
    let session = shown(&place, SessionRequest::default());
    assert_eq!(session["state"], "green", "{session}");
    let found = &session["findings"];
    assert_eq!(
        (found["count"].clone(), found["current"].clone()),
        (json!(1), json!(0))
    );
    assert_eq!(found["shown"][0]["is_current"], false);
    assert_eq!(session["next_step"], Value::Null);
}

#[test]
fn a_handover_quotes_the_rules_the_plan_and_the_files() {
    let place = Place::new();
    place.record(&sick(place.project()));
    let handover = handover(&place, named(SICK));
    assert!(handover.starts_with("# Hand-over\n"), "{handover}");
    for words in [
        format!("> {RULE} [turn 1]"),
        "> We decided to keep the old parser as a fallback. [turn 2]".to_owned(),
        "> Write the release notes".to_owned(),
        "> src/parser.rs [changed]".to_owned(),
    ] {
        let has = handover.lines().any(|it| it == words);
        assert!(has, "{words}: {handover}");
    }
}

#[test]
fn no_secret_is_in_findings_or_hand_over() {
    let place = Place::new();
    let secret = format!("ghp_{}", "A1b2C3d4E5".repeat(4).get(..36).unwrap());
    let mut record = begun(place.project(), SICK);
    let pass = format!("All tests pass now, the token is {secret}, so the change is safe.");
    record.say(&pass);
    record.prompt(&format!("Always use the token {secret} for the tests."));
    place.record(&record);
    let session = shown(&place, SessionRequest::default());
    assert_eq!(session["findings"]["count"], 1);
    assert!(!session.to_string().contains(&secret), "{session}");
    let handover = handover(&place, SessionRequest::default());
    assert!(!handover.contains(&secret), "{handover}");
    let rule = "the token [redacted:github-token] for the tests.";
    assert!(handover.contains(rule), "{handover}");
}

#[test]
fn a_list_looks_for_no_findings() {
    let place = Place::new();
    place.record(&sick(place.project()));
    let all = SessionRequest {
        choice: SessionChoice::All,
        host: None,
    };
    let session = shown(&place, all);
    assert_eq!(session["state"], "green");
    assert_eq!(session["findings"], Value::Null);
}
