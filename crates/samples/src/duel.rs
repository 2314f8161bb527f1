//! Duels for tests, built from scripted replies or moves.

use std::collections::BTreeMap;

use agon_record::event::{Asked, Event, Given, Reply, Usage};
use agon_record::finding::Finding;
use agon_record::id::{AskKey, TurnId};
use agon_record::moves::Moves;
use agon_record::point;
use agon_record::spec::Spec;
use agon_record::state::State;
use serde_json::{Value, json};

const TWO_ROUNDS: &str = include_str!("../../testkit/scripts/job-store.json");
const THREE_ROUNDS: &str = include_str!("../../testkit/scripts/job-store-three-rounds.json");

/// The names of tools, models and vendors in the fixture; none may appear in a prompt.
pub const NAMES: [&str; 9] = [
    "claude",
    "codex",
    "gemini",
    "anthropic",
    "openai",
    "google",
    "opus-9",
    "gpt-9",
    "pro-9",
];

/// Returns the spec of a duel of `rounds` rounds between named tools.
pub fn spec(rounds: u16) -> Spec {
    let seating = |tool: &str, vendor: &str, model: &str| {
        json!({ "tool": tool, "vendor": vendor, "model": model, "effort": "medium",
                "transport": "cli", "version": null })
    };
    serde_json::from_value(json!({
        "ulid": "01JD0000000000000000000000",
        "slug": "job-store",
        "format": "duel",
        "topic": "SQLite or plain files for the job store?",
        "seats": {
            "proposer": seating("claude", "anthropic", "opus-9"),
            "challenger": seating("codex", "openai", "gpt-9"),
            "judge": seating("gemini", "google", "pro-9"),
        },
        "substitutes": [],
        "rounds": rounds,
        "blind": true,
        "ask_on_agreement": false,
        "context": { "kind": "none" },
        "caps": { "calls": 12, "tokens": 250_000, "time_ms": 1_800_000, "cost_micros": null, "reasks": 4 },
        "ask_timeout_ms": 240_000,
        "severities": {},
        "same_tool": false,
        "salt": "5a".repeat(32),
        "agon": "0.1.0",
        "ruleset": "duel/1",
    }))
    .unwrap()
}

/// Returns the replies of the scripted debate of `rounds` rounds, by turn.
pub fn replies(rounds: u16) -> BTreeMap<TurnId, String> {
    let script = match rounds {
        2 => TWO_ROUNDS,
        3 => THREE_ROUNDS,
        other => panic!("no script of {other} rounds"),
    };
    let script: Value = serde_json::from_str(script).unwrap();
    let turns = script["turns"].as_object().unwrap();
    let reply = |(turn, replies): (&String, &Value)| {
        (
            turn.parse().unwrap(),
            replies[0].as_str().unwrap().to_owned(),
        )
    };
    turns.iter().map(reply).collect()
}

/// Returns the scripted debate of `rounds` rounds before `until`.
pub fn job_store(rounds: u16, until: TurnId) -> State {
    told(rounds, &replies(rounds), until)
}

/// Returns a debate of `rounds` rounds with these replies, before `until`.
pub fn told(rounds: u16, replies: &BTreeMap<TurnId, String>, until: TurnId) -> State {
    let mut state = State::open(spec(rounds));
    for (&turn, reply) in replies {
        if turn < until {
            ask(&mut state, key(turn, 0), reply);
            admit(&mut state, turn, moves(turn, reply), Vec::new());
        }
    }
    state
}

/// Returns the key of call `again` of `turn`.
pub fn key(turn: TurnId, again: u8) -> AskKey {
    AskKey { turn, again }
}

/// Parses the moves in the last block of `reply`.
pub fn moves(turn: TurnId, reply: &str) -> Moves {
    let (_, block) = reply.rsplit_once("```json").unwrap();
    let (block, _) = block.split_once("```").unwrap();
    let mut value: Value = serde_json::from_str(block).unwrap();
    let kind = agon_rules::format::format_by_name(spec(2).format()).moves_kind(turn);
    value["kind"] = json!(kind.name());
    serde_json::from_value(value).unwrap()
}

/// Records the call for `key` and its `reply`.
pub fn ask(state: &mut State, key: AskKey, reply: &str) {
    let asked = Event::Asked(Asked {
        key,
        tool: "claude".parse().unwrap(),
        model: None,
        effort: agon_record::spec::Effort::Medium,
        timeout_ms: 240_000,
        reserved: 0,
        parts: Vec::new(),
        prompt_version: 5,
        session: None,
        sent_parts: None,
        user_inputs: 0,
        past_onset: None,
        seat_findings: Vec::new(),
    });
    let given = Event::Given(Given {
        key,
        reply: Reply::Text(reply.to_owned()),
        usage: Usage::default(),
        took_ms: 1,
        clock_ms: 1,
        at_ms: None,
        stop_reason: None,
        model: None,
        redacted: 0,
    });
    state.apply(&asked).unwrap();
    state.apply(&given).unwrap();
}

/// Admits `moves` to the debate, with these findings.
pub fn admit(state: &mut State, turn: TurnId, moves: Moves, findings: Vec<Finding>) {
    let ids = point::point_ids(turn, &moves);
    let admitted = Event::Admitted {
        key: key(turn, 0),
        moves: Box::new(moves),
        ids,
        findings,
    };
    state.apply(&admitted).unwrap();
}
