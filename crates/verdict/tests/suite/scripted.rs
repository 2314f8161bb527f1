//! The hand-written debate goes through parser, rules and ids without a complaint.
#![expect(clippy::disallowed_methods, reason = "tests read the scripts")]

use std::path::Path;

use agon_record::event::Event;
use agon_record::id::{AskKey, TurnId};
use agon_record::point;
use agon_record::state::State;
use agon_rules::parse::parse;
use agon_rules::schema::contract_schema;
use agon_rules::{format, rule};
use serde_json::{Value, json};

fn open(rounds: u16) -> State {
    let seat = |tool: &str| {
        json!({ "tool": tool, "vendor": "", "model": null, "effort": "medium",
                "transport": "cli", "version": null })
    };
    let spec = json!({
        "ulid": "01JD0000000000000000000000", "slug": "job-store", "format": "duel",
        "topic": "SQLite or plain files for the job store?",
        "seats": { "proposer": seat("claude"), "challenger": seat("codex"), "judge": seat("gemini") },
        "substitutes": [], "rounds": rounds, "blind": true, "ask_on_agreement": false,
        "context": { "kind": "none" },
        "caps": { "calls": 20, "tokens": 250_000, "time_ms": 1_800_000, "cost_micros": null, "reasks": 4 },
        "ask_timeout_ms": 240_000, "severities": {}, "same_tool": false, "salt": "00".repeat(32),
        "agon": "0.1.0", "ruleset": "duel/1",
    });
    State::open(serde_json::from_value(spec).unwrap())
}

fn goes_through(name: &str, rounds: u16) {
    let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testkit/scripts");
    let script = std::fs::read_to_string(scripts.join(name)).unwrap();
    let script: Value = serde_json::from_str(&script).unwrap();
    let turns = script["turns"].as_object().unwrap();
    let mut turns: Vec<(TurnId, &str)> = turns
        .iter()
        .map(|(turn, replies)| (turn.parse().unwrap(), replies[0].as_str().unwrap()))
        .collect();
    turns.sort_unstable();
    assert_eq!(turns.len(), usize::from(rounds) * 2 + 3);
    let mut state = open(rounds);
    for (turn, reply) in turns {
        let kind = format::requested_moves_kind(&state, turn);
        let parsed = parse(reply, kind, turn).unwrap();
        assert_eq!(parsed.findings, [], "{turn}");
        assert_eq!(rule::check_moves(&state, turn, &parsed.moves), [], "{turn}");
        let mut plain = serde_json::to_value(&parsed.moves).unwrap();
        plain.as_object_mut().unwrap().remove("kind");
        let contract = contract_schema(&state, turn);
        let contract = jsonschema::draft202012::new(&contract).unwrap();
        let errors: Vec<_> = contract
            .iter_errors(&plain)
            .map(|e| e.to_string())
            .collect();
        assert_eq!(errors, [""; 0], "{turn}");
        let admitted = Event::Admitted {
            key: AskKey { turn, again: 0 },
            ids: point::point_ids(turn, &parsed.moves),
            moves: Box::new(parsed.moves),
            findings: Vec::new(),
        };
        state.apply(&admitted).unwrap();
    }
}

#[test]
fn two_rounds_break_no_rule() {
    goes_through("job-store.json", 2);
}

#[test]
fn three_rounds_break_no_rule() {
    goes_through("job-store-three-rounds.json", 3);
}
