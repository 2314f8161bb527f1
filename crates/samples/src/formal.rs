//! A small formal debate for tests: two exchanges, and one side of a third.

use std::collections::BTreeMap;

use agon_record::event::Event;
use agon_record::finding::{Finding, Severity};
use agon_record::id::TurnId;
use agon_record::moves::Moves;
use agon_record::state::State;
use agon_rules::panel;
use serde_json::{Value, json};

use crate::duel::key;
use crate::duel::{admit, ask};

/// The turns of the debate, in order.
pub const TURNS: [&str; 7] = [
    "theses.judge",
    "r0.prop",
    "r0.opp",
    "r0.judge",
    "r1.prop",
    "r1.opp",
    "r1.judge",
];

/// Parses the name of a turn.
pub fn turn(text: &str) -> TurnId {
    text.parse().unwrap()
}

/// Returns the debate before its first turn.
pub fn open() -> State {
    let spec = file()["spec"].take();
    State::open(serde_json::from_value(spec).unwrap())
}

/// Returns the moves of each turn.
pub fn said() -> BTreeMap<TurnId, Value> {
    let turns = file()["turns"].take();
    let turns = turns.as_object().unwrap().clone();
    let turns = turns.into_iter();
    turns
        .map(|(turn, moves)| (turn.parse().unwrap(), moves))
        .collect()
}

/// Returns the debate before `until`, with the parallel turns of its exchange.
pub fn before(until: &str) -> State {
    told(&said(), until)
}

/// Like [`before`], with these moves.
pub fn told(said: &BTreeMap<TurnId, Value>, until: &str) -> State {
    let mut state = open();
    let until = turn(until);
    for (&turn, value) in said.iter().filter(|(turn, _)| **turn < until) {
        let block = format!("Prose.\n```json\n{value}\n```\n");
        ask(&mut state, key(turn, 0), &block);
        speak(&mut state, turn, value.clone());
    }
    state
}

/// Admits `value` as the moves of `turn`; a judge's scores take effect at once.
pub fn speak(state: &mut State, turn: TurnId, value: Value) {
    let findings = match turn.to_string().as_str() {
        "r1.prop" => vec![too_long(turn)],
        _ => Vec::new(),
    };
    admit(state, turn, moves(state, turn, value), findings);
    if let (true, agon_record::id::Stage::Round(exchange)) = (turn.seat.is_judge(), turn.stage) {
        let judgment = panel::judgment_by_all_judges(state, exchange);
        state.apply(&Event::Scored(Box::new(judgment))).unwrap();
    }
}

/// Converts `value` to the moves of `turn`.
pub fn moves(state: &State, turn: TurnId, mut value: Value) -> Moves {
    let kind = agon_rules::format::requested_moves_kind(state, turn);
    if value.is_array() {
        value = json!({ "arguments": value });
    }
    value["kind"] = json!("formal");
    value["said"] = json!(kind.name());
    serde_json::from_value(value).unwrap()
}

fn too_long(turn: TurnId) -> Finding {
    Finding {
        code: "reply-words".to_owned(),
        severity: Severity::Error,
        turn,
        at: "attacks[0].content".to_owned(),
        path: None,
        span: None,
        message: "81 words, but at most 75 are allowed".to_owned(),
        hint: "use at most 75 words".to_owned(),
    }
}

fn file() -> Value {
    serde_json::from_str(include_str!("formal.json")).unwrap()
}
