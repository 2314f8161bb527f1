//! What is cited is there, or is found not to be.

use agon_record::event::Event;
use agon_record::finding::Severity;
use agon_record::ground::{GroundStamp, Pinned};
use agon_record::id::AskKey;
use agon_record::state::State;
use serde_json::{Value, json};

use super::fixture::{base, before, id, moves, reasoning};
use super::formal;
use crate::rule::{check_reply_moves, find_rule};

/// A stamp on a ground, as it stands in a record.
fn stamp(point: usize, stamp: Value) -> GroundStamp {
    let mut value = json!({
        "point": point, "ground": 0,
        "citation": { "file": "src/a.rs", "lines": [3, 4], "anchor": "let a" },
    });
    let fields = stamp.as_object().unwrap().clone();
    value.as_object_mut().unwrap().extend(fields);
    serde_json::from_value(value).unwrap()
}

fn there() -> Value {
    json!({ "place": { "file": "src/a.rs", "lines": [3, 4] }, "from": 3, "text": ["let b;"],
            "blob": "00".repeat(32) })
}

fn found(point: usize) -> GroundStamp {
    stamp(point, json!({ "stamp": "found", "there": there() }))
}

fn pin(state: &mut State) {
    state.spec.source = Some(Pinned {
        about: "repo at 3f1c9ae".to_owned(),
        commit: None,
        manifest: "00".repeat(32),
        root: None,
        pages: false,
    });
}

/// What `turn` breaks when these are its stamps: code, place and message.
fn broken(
    mut state: State,
    turn: &str,
    stamps: Vec<GroundStamp>,
    formal: bool,
) -> Vec<[String; 3]> {
    pin(&mut state);
    let key = AskKey {
        turn: id(turn),
        again: 0,
    };
    state
        .apply(&Event::Stamped {
            key,
            stamps,
            commits: None,
            runs: 0,
        })
        .unwrap();
    let moves = match formal {
        true => formal::read(turn, &formal::base(turn)).moves,
        false => moves(turn, base(turn)),
    };
    let found = check_reply_moves(&state, key, &moves);
    for finding in &found {
        let rule = find_rule(&finding.code).unwrap();
        assert_eq!(finding.severity, rule.severity, "{finding:?}");
    }
    found
        .into_iter()
        .map(|finding| [finding.code, finding.at, finding.message])
        .collect()
}

#[test]
fn an_argument_whose_places_are_found_breaks_nothing() {
    let moved = stamp(
        1,
        json!({ "stamp": "moved", "there": there(), "cited": [9, 9] }),
    );
    assert_eq!(
        broken(before("r1.pro"), "r1.pro", vec![found(0), moved], false),
        [[""; 3]; 0]
    );
}

#[test]
fn a_place_that_is_missing_and_words_that_are_not_there_are_found() {
    let missing = stamp(
        0,
        json!({ "stamp": "missing", "what": "lines", "last_line": 2 }),
    );
    let elsewhere = json!([{ "file": "src/b.rs", "lines": [7, 7] }]);
    let wrong = stamp(
        3,
        json!({ "stamp": "wrong", "there": there(), "elsewhere": elsewhere }),
    );
    let found = vec![missing, found(1), wrong, found(4)];
    assert_eq!(
        broken(before("r1.cha"), "r1.cha", found, false),
        [
            [
                "evidence-missing",
                "objections[0].grounds[0]",
                "src/a.rs:3-4: missing: no such lines; the last one is 2"
            ],
            [
                "evidence-wrong",
                "agreements[0].grounds[0]",
                "the quoted words are not in src/a.rs:3-4"
            ],
        ]
    );
}

#[test]
fn an_argument_that_rests_on_no_place_is_found_where_there_is_a_source() {
    let unchecked = stamp(0, json!({ "stamp": "unchecked", "reason": "reasoning" }));
    let found = vec![unchecked, found(1)];
    let said = broken(before("r1.pro"), "r1.pro", found, false);
    assert_eq!(
        said,
        [[
            "evidence-unsupported",
            "arguments[0].grounds",
            "no ground of this argument was found in the source"
        ]]
    );
}

#[test]
fn a_place_of_which_nothing_is_quoted_does_not_support_an_argument() {
    let bare = stamp(0, json!({ "stamp": "place", "there": there() }));
    let said = broken(before("r1.pro"), "r1.pro", vec![bare, found(1)], false);
    assert_eq!(
        said,
        [[
            "evidence-unsupported",
            "arguments[0].grounds",
            "this argument cites places but quotes nothing from them"
        ]]
    );
}

#[test]
fn who_leaves_the_project_or_the_case_of_the_words_is_told_what_to_write() {
    let outside = stamp(0, json!({ "stamp": "missing", "what": "outside" }));
    let case = json!({ "stamp": "wrong", "there": there(), "case_differs": true });
    let stamps = vec![outside, stamp(3, case)];
    let mut state = before("r1.cha");
    pin(&mut state);
    let key = AskKey {
        turn: id("r1.cha"),
        again: 0,
    };
    let stamped = Event::Stamped {
        key,
        stamps,
        commits: None,
        runs: 0,
    };
    state.apply(&stamped).unwrap();
    let moves = moves("r1.cha", base("r1.cha"));
    let told = check_reply_moves(&state, key, &moves).into_iter();
    let told = told.filter(|finding| finding.code != "evidence-unsupported");
    let told: Vec<_> = told
        .map(|finding| [finding.message, finding.hint])
        .collect();
    assert_eq!(
        told,
        [
            [
                "src/a.rs:3-4: missing: the path leads out of the project",
                "give the path from the project's root, or remove the citation and say what the ground rests on",
            ],
            [
                "the quoted words are not in src/a.rs:3-4",
                "src/a.rs:3-4 has them with different capitals: copy them exactly",
            ],
        ]
    );
}

#[test]
fn a_formal_argument_is_held_to_its_places_too() {
    let wrong = stamp(0, json!({ "stamp": "wrong", "there": there() }));
    let said = broken(formal::before("r1.prop"), "r1.prop", vec![wrong], true);
    let codes: Vec<_> = said
        .iter()
        .map(|[code, at, _]| [code.as_str(), at])
        .collect();
    assert_eq!(codes, [["evidence-wrong", "grounds[0]"]]);
}

/// The severity of what `turn` breaks by its support, as reply `again` and with these grounds of
/// its first point.
fn support_severity(
    turn: &str,
    again: u8,
    pinned: bool,
    change: impl FnOnce(&mut Value),
) -> Vec<(String, Severity)> {
    let mut state = before(turn);
    if pinned {
        pin(&mut state);
    }
    let key = AskKey {
        turn: id(turn),
        again,
    };
    let mut value = base(turn);
    change(&mut value);
    let found = check_reply_moves(&state, key, &moves(turn, value)).into_iter();
    let found = found.filter(|finding| finding.code == "evidence-unsupported");
    found
        .map(|finding| (finding.at, finding.severity))
        .collect()
}

#[test]
fn what_rests_on_reasoning_alone_is_sent_back_once_where_there_is_a_source() {
    let reasoned = |m: &mut Value| m["responses"][0]["grounds"] = json!([reasoning("it")]);
    let at = "responses[0].grounds".to_owned();
    // What cites a document that nobody could look up is no more than odd.
    let others = ["responses[2].grounds", "arguments[0].grounds"];
    let others = others.map(|at| (at.to_owned(), Severity::Warning));
    let told = |severity| [&[(at.clone(), severity)], &others[..]].concat();
    assert_eq!(
        support_severity("r2.pro", 0, true, reasoned),
        told(Severity::Error)
    );
    assert_eq!(
        support_severity("r2.pro", 1, true, reasoned),
        told(Severity::Warning)
    );
    assert_eq!(
        support_severity("r2.pro", 0, false, reasoned),
        [(at, Severity::Warning)]
    );
}

#[test]
fn each_kind_of_point_that_claims_something_is_held_to_evidence_and_no_other() {
    let bare = |list: &'static str, nth: usize| {
        move |m: &mut Value| m[list][nth]["grounds"] = json!([reasoning("it")])
    };
    for (turn, list, nth, asked) in [
        ("r1.pro", "arguments", 0, true),
        ("r1.cha", "objections", 0, true),
        ("r1.cha", "objections", 2, false),
        ("r1.cha", "agreements", 0, true),
        ("r1.cha", "alternatives", 0, true),
        ("r2.pro", "responses", 0, true),
        ("r2.pro", "responses", 1, false),
        ("r2.pro", "responses", 2, true),
        ("r2.cha", "assessments", 0, false),
    ] {
        let found = support_severity(turn, 0, false, bare(list, nth));
        let at = format!("{list}[{nth}].grounds");
        let expected: &[_] = &[(at.clone(), Severity::Warning)];
        assert_eq!(found, if asked { expected } else { &[] }, "{turn} {at}");
    }
}

#[test]
fn a_severity_that_the_user_chose_holds_where_there_is_no_source_too() {
    let mut state = before("r1.pro");
    let own = ("evidence-unsupported".to_owned(), Severity::Error);
    state.spec.severities.extend([own]);
    let mut opening = base("r1.pro");
    opening["arguments"][0]["grounds"] = json!([reasoning("it")]);
    let found = crate::rule::check_moves(&state, id("r1.pro"), &moves("r1.pro", opening));
    let found: Vec<_> = found.iter().map(|one| one.severity).collect();
    assert_eq!(found, [Severity::Error]);
}
