//! A closed duel that goes on.

use agon_testkit::Script;
use serde_json::json;

use crate::real::table::Table;
use crate::support::Running;

const SEATS: [&str; 3] = ["claude", "codex", "gemini"];

/// The duel of two rounds, closed, with replies for a third.
fn closed() -> Option<Table> {
    let table = Table::laid(&SEATS)?;
    let ran = table.debate(SEATS, &[]);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    table.models.set_script(Script::job_store_three_rounds());
    Some(table)
}

/// The turns that were asked for since the first `before`.
fn since(table: &Table, before: usize) -> Vec<String> {
    let mut turns = table.turns().split_off(before);
    let last = turns.len().saturating_sub(2);
    turns[last..].sort();
    turns
}

const ONWARD: [&str; 4] = ["r3.pro", "r3.cha", "verdict.judge", "verdict.swap"];

#[test]
fn killed_in_the_middle_it_goes_on_and_pays_for_nothing_twice() {
    if cfg!(not(feature = "failpoints")) {
        return;
    }
    let Some(table) = closed() else {
        return;
    };
    let before = table.turns().len();
    let mut killed = table
        .place
        .command(&["continue", "s", "--note", "later", "--json"]);
    // Continued and the note, the call, the reply: killed with the reply recorded.
    killed.env("AGON_FAILPOINT", "journal-append-after:3");
    let ran = Running::start(killed).end();
    assert_eq!(ran.code, None, "{ran:#?}");
    assert_eq!(table.turns().split_off(before), ["r3.pro"]);
    let resumed = table.place.run(&["resume", "s", "--json"]);
    assert_eq!(resumed.code, Some(0), "{resumed:#?}");
    assert_eq!(since(&table, before), ONWARD);
    assert_eq!(table.place.verdict().unwrap()["rounds_completed"], 3);
    assert_eq!(table.place.left(), Vec::<String>::new());
}

/// Long tests, which only `cargo xtask test --full` runs.
mod full {
    use super::*;

    #[test]
    fn a_third_round_with_a_note_and_a_fresh_verdict() {
        let Some(table) = closed() else {
            return;
        };
        let before = table.turns().len();
        let note = "we get a second writer in August";
        let went = table
            .place
            .run(&["continue", "s", "1", "--note", note, "--json"]);
        assert_eq!(went.code, Some(0), "{went:#?}");
        assert_eq!(since(&table, before), ONWARD);
        for request in table.models.requests().iter().skip(before) {
            let turn = request.turn.as_deref().unwrap_or_default();
            assert!(request.prompt.contains(note), "{turn}");
        }
        let verdict = table.place.verdict().unwrap();
        assert_eq!(verdict["rounds_completed"], 3);
        assert_eq!(verdict["authority"], "full");
        assert_eq!(
            verdict["notes"],
            json!([{ "id": "note 1", "text": note, "heard_by_judge": true }])
        );
        assert_eq!(verdict["former"][0]["rounds"], 2);
        assert_eq!(table.place.left(), Vec::<String>::new());
    }
}
