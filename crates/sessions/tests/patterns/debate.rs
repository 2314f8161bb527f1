//! What holds in the session of a seat of a debate.

use agon_sessions::{
    CITATION, EntryKind, Failure, Location, Pattern, ToolCall, ToolKind, ToolResult,
};
use serde_json::json;

use crate::session::{SessionBuilder, TESTS_FAIL, session};

#[test]
fn a_run_that_failed_and_is_spoken_of_as_if_it_had_worked_is_found() {
    let mut sick = session("");
    sick.run_fails("cargo test", TESTS_FAIL)
        .prompt("")
        .say("The tests pass, so the change is safe.");
    assert_eq!(sick.patterns_of_seat(), [Pattern::Poisoning]);
}

/// A citation that is looked up in a turn of the debate and found wrong.
fn cite(session: &mut SessionBuilder, turn: &str) {
    let at = session.entries.len();
    session.prompt("");
    session.push(EntryKind::Call(ToolCall {
        id: format!("cite-{at}"),
        name: CITATION.to_owned(),
        kind: ToolKind::Read,
        arguments: json!({"path": "src/a.rs", "quote": "fn b()"}),
    }));
    session.push(EntryKind::Result(ToolResult {
        call: format!("cite-{at}"),
        text: "it is not there".into(),
        whole: None,
        failure: Some(Failure {
            recorded: true,
            exit: None,
        }),
    }));
    for entry in &mut session.entries[at..] {
        entry.location = Location::Row {
            table: "journal".to_owned(),
            id: format!("{turn}#0"),
        };
    }
}

#[test]
fn a_citation_that_was_found_wrong_and_is_made_again_in_a_later_turn_is_found() {
    let mut sick = SessionBuilder::default();
    cite(&mut sick, "r1.pro");
    cite(&mut sick, "r2.pro");
    assert_eq!(sick.patterns_of_seat(), [Pattern::Poisoning]);
    let mut again = SessionBuilder::default();
    cite(&mut again, "r1.pro");
    cite(&mut again, "r1.pro");
    assert_eq!(again.patterns_of_seat(), []);
}

#[test]
fn what_a_seat_does_is_held_against_no_prohibition() {
    let mut seat = session("Never push.");
    seat.run("git push", "");
    assert_eq!(seat.patterns(), [Pattern::LostInTheMiddle]);
    assert_eq!(seat.patterns_of_seat(), []);
}
