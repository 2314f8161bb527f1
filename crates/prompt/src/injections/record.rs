//! Complete records of both formats, with every kind of entry in them.

use agon_record::event::Event;
use agon_record::id::{AskKey, Stage, TurnId};
use agon_record::moves::Moves;
use agon_record::point;
use agon_record::state::State;
use agon_rules::panel;
use agon_samples::duel;
use agon_samples::formal;
use serde_json::{Value, json};

/// The turn of each format that was sent back and asked again.
pub(super) const SENT_BACK: [&str; 2] = ["r1.cha", "r1.opp"];

/// Returns the events of a three-round duel as JSON, with every field that a record may have.
pub(super) fn duel() -> Vec<Value> {
    let spec = serde_json::to_value(duel::spec(3)).unwrap();
    let said = duel::replies(3).into_iter().map(|(turn, reply)| {
        let moves = duel::moves(turn, &reply);
        (turn, serde_json::to_value(moves).unwrap())
    });
    events(spec, said.collect())
}

/// Returns the events of a formal debate of two exchanges. With `theses`, the user gave the theses.
pub(super) fn formal_debate(theses: bool) -> Vec<Value> {
    let mut spec = serde_json::to_value(formal::open().spec).unwrap();
    if theses {
        spec["theses"] = json!({ "proposition": "Ban them.", "opposition": "Keep them." });
    }
    let said = formal::said().into_iter().map(|(turn, value)| {
        let moves = formal::moves(&formal::open(), turn, value);
        (turn, serde_json::to_value(moves).unwrap())
    });
    let said = said.filter(|(turn, _)| !theses || turn.to_string() != "theses.judge");
    events(spec, said.collect())
}

fn events(mut spec: Value, said: Vec<(TurnId, Value)>) -> Vec<Value> {
    fill_spec(&mut spec);
    let mut events = vec![event("opened", spec)];
    for (nth, text) in [(1, "Mind the budget."), (2, "It runs on one machine.")] {
        let note = json!({ "id": format!("note {nth}"), "item": ulid::Ulid::nil(), "text": text });
        events.push(event("noted", note));
    }
    for (nth, exit, ended) in [
        (1, json!(1), json!(null)),
        (2, json!(null), json!("signal 9")),
    ] {
        let ran = json!({ "id": format!("run {nth}"), "item": ulid::Ulid::nil(),
            "command": "cargo test", "exit": exit, "ended": ended, "output": "2 failed",
            "bytes": 8, "left_out": 2, "took_ms": 5 });
        events.push(event("ran", ran));
    }
    for (turn, moves) in said {
        events.extend(turn_events(turn, moves));
        let of_formal = state(&events).kind.as_formal().is_some();
        if let (true, true, Stage::Round(exchange)) = (of_formal, turn.seat.is_judge(), turn.stage)
        {
            let judgment = panel::judgment_by_all_judges(&state(&events), exchange);
            let judgment = serde_json::to_value(Event::Scored(Box::new(judgment)));
            events.push(judgment.unwrap());
        }
    }
    events
}

/// Returns the events of a turn: asked, given, stamped, admitted. Turns in [`SENT_BACK`] have a
/// rejected reply first.
fn turn_events(turn: TurnId, mut moves: Value) -> Vec<Value> {
    cite(&mut moves);
    let block = serde_json::to_string(&moves).unwrap();
    let moves: Moves = serde_json::from_value(moves).unwrap();
    let mut events = Vec::new();
    let again = SENT_BACK.contains(&turn.to_string().as_str());
    for again in 0..=u8::from(again) {
        let key = AskKey { turn, again };
        let asked = json!({ "key": key, "tool": "claude", "model": "opus-9", "effort": "medium",
            "timeout_ms": 1, "reserved": 0, "prompt_version": 1, "session": "pro#1",
            "parts": [{ "kind": "motion", "hash": "00", "bytes": 1 }] });
        let given = json!({ "key": key, "reply": { "text": format!("Prose.\n```json\n{block}\n```") },
            "usage": agon_record::event::Usage::default(), "took_ms": 1, "clock_ms": 1,
            "stop_reason": "end_turn", "redacted": 0 });
        let touched = json!({ "key": key, "changed": ["src/a.rs"] });
        events.extend([
            event("asked", asked),
            event("touched", touched),
            event("given", given),
            event("stamped", json!({ "key": key, "stamps": stamps(&moves) })),
        ]);
    }
    let first = AskKey { turn, again: 0 };
    if again {
        let sent_back = json!({ "key": first, "findings": findings(turn) });
        let at = events.iter().position(|event| event["key"] != json!(first));
        events.insert(at.unwrap(), event("sent_back", sent_back));
    }
    let key = AskKey {
        turn,
        again: again.into(),
    };
    let ids = point::point_ids(turn, &moves);
    let admitted = json!({ "key": key, "moves": moves, "ids": ids, "findings": findings(turn) });
    events.push(event("admitted", admitted));
    events
}

fn event(name: &str, mut fields: Value) -> Value {
    fields["event"] = json!(name);
    fields
}

/// Fills every optional field of a spec.
fn fill_spec(spec: &mut Value) {
    let precedent = json!({ "debate": "other", "id": "01JD", "day": "2026-11-21", "topic": "Files?",
        "answer": "Files.", "why": "They are plain.", "unless": "Many write.", "authority": "full",
        "source": "it has not changed" });
    spec["precedents"] = json!([precedent]);
    spec["source"] = json!({ "about": "repo at 3f1c9ae", "commit": "3f1c9ae", "manifest": "00" });
    spec["scope"] = json!("One machine.");
    spec["definitions"] = json!([{ "term": "job", "meaning": "a file" }]);
    spec["context"] = json!({ "kind": "file", "path": "src/a.rs", "text": "fn main() {}\n" });
    spec["swap"] = json!(true);
    let seats = spec["seats"].as_object_mut().unwrap();
    for seating in seats.values_mut() {
        seating["version"] = json!("1.2.3");
    }
    spec["substitutes"] = json!([seats["judge"].clone()]);
}

/// Returns the contexts that [`fill_spec`] does not use.
pub(super) fn contexts() -> Vec<Value> {
    vec![
        json!({ "kind": "diff", "commit": "3f1c9ae", "text": "+fn main() {}\n" }),
        json!({ "kind": "repo", "commit": "3f1c9ae", "changed": 2, "files": 9,
            "secrets": [".env"], "debates": ["advice/x"], "left_out": ["2 submodules"] }),
    ]
}

/// Gives every ground a citation with all fields, and every argument all its parts.
fn cite(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(cite),
        Value::Object(fields) => {
            if fields.contains_key("relevance") {
                let citation = json!({ "file": "src/a.rs", "lines": [1, 2], "commit": "3f1c9ae",
                    "url": "https://example.invalid", "document": "RFC 9110", "anchor": "fn main",
                    "command": "run 1", "output": "2 failed", "reasoning": "it follows" });
                fields.insert("citation".to_owned(), citation);
            }
            if fields.contains_key("warrant") {
                fields.insert("backing".to_owned(), json!("It is known."));
                fields.insert("qualifier".to_owned(), json!("here"));
            }
            if fields.contains_key("reply") {
                fields.insert("still_favours_because".to_owned(), json!("It is less."));
            }
            fields.values_mut().for_each(cite);
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Returns a stamp for each ground of `moves`, with the kinds of stamps in turn.
fn stamps(moves: &Moves) -> Vec<Value> {
    let place = json!({ "file": "src/b.rs", "commit": "3f1c9ae0", "lines": [1, 2] });
    let shown = json!({ "place": place, "from": 1, "text": ["fn main() {}"], "cut": true,
        "blob": "00" });
    let kinds = [
        json!({ "stamp": "found", "there": shown, "note": "case_differs" }),
        json!({ "stamp": "moved", "there": shown, "cited": [4, 5] }),
        json!({ "stamp": "wrong", "there": shown, "nearest": shown, "elsewhere": [place] }),
        json!({ "stamp": "missing", "what": "file", "last_line": 3, "instead": [place] }),
        json!({ "stamp": "unreachable", "cause": "the clone is shallow" }),
        json!({ "stamp": "unchecked", "reason": "ambiguous", "candidates": ["a/x.rs"] }),
    ];
    let grounds = agon_record::ground::grounds_of_moves(moves);
    let stamped = grounds
        .iter()
        .zip(kinds.iter().cycle())
        .map(|(cited, kind)| {
            let mut stamped = kind.clone();
            stamped["point"] = json!(cited.point);
            stamped["ground"] = json!(cited.ground);
            stamped["citation"] = json!(cited.said.citation);
            stamped
        });
    stamped.collect()
}

/// Returns a finding about a point and a finding about the whole turn.
fn findings(turn: TurnId) -> Value {
    let finding = |code: &str, at: &str| {
        json!({ "code": code, "severity": "error", "turn": turn, "move": at, "path": "a.md",
            "span": [1, 1, 1], "message": "RFC 9110: missing: no such document",
            "hint": "cite a place that exists" })
    };
    json!([
        finding("evidence-missing", "arguments[0].grounds[0]"),
        finding("evidence-wrong", "objections[0].grounds[0]"),
        finding("reply-schema", ""),
    ])
}

/// Returns the state after `events`.
pub(super) fn state(events: &[Value]) -> State {
    let read = |event: &Value| serde_json::from_value(event.clone()).unwrap();
    let events: Vec<Event> = events.iter().map(read).collect();
    State::replay(&events).unwrap()
}
