//! A short duel as seven batches of events.

use std::sync::OnceLock;

use agon_record::event::{Asked, Event, Given, Outcome, Reply, Usage};
use agon_record::id::{AskKey, TurnId};
use agon_record::moves::Moves;
use agon_record::point;
use agon_record::spec::{Effort, Spec};
use agon_record::state::State;
use serde_json::json;

/// Maximum size of a reply in a journal; the third batch has a longer one, in bytes.
pub const INLINE_BYTES: usize = 256 * 1024;

/// The time of the opening, in milliseconds since 1970.
pub const AT: u64 = 1_795_291_200_000;

/// Returns the spec of the duel.
pub fn spec() -> Spec {
    let seating = |tool: &str, vendor: &str| {
        json!({ "tool": tool, "vendor": vendor, "model": null, "effort": "medium",
                "transport": "cli", "version": "1.2.3" })
    };
    serde_json::from_value(json!({
        "ulid": "01JD0000000000000000000000",
        "slug": "",
        "format": "duel",
        "topic": "SQLite or plain files for the job store?",
        "seats": {
            "proposer": seating("claude", "anthropic"),
            "challenger": seating("codex", "openai"),
            "judge": seating("gemini", "google"),
        },
        "substitutes": [],
        "rounds": 2,
        "blind": false,
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

/// Returns the key of the first call for `turn`.
pub fn key(turn: &str) -> AskKey {
    let turn: TurnId = turn.parse().unwrap();
    AskKey { turn, again: 0 }
}

/// Returns the event that `tool` is asked for `turn`.
pub fn asked(turn: &str, tool: &str) -> Event {
    Event::Asked(Asked {
        key: key(turn),
        tool: tool.parse().unwrap(),
        model: None,
        effort: Effort::Medium,
        timeout_ms: 240_000,
        reserved: 9_000,
        parts: Vec::new(),
        prompt_version: 5,
        session: None,
        sent_parts: None,
        user_inputs: 0,
        past_onset: None,
        seat_findings: Vec::new(),
    })
}

/// Returns the event that `turn` gets the reply `text`.
pub fn given(turn: &str, text: &str) -> Event {
    Event::Given(Given {
        key: key(turn),
        reply: Reply::Text(text.to_owned()),
        usage: Usage {
            input: 1_000,
            cached: 10,
            output: 300,
            cost_micros: Some(1_500),
            estimated: false,
        },
        took_ms: 8_500,
        clock_ms: 9_000,
        at_ms: None,
        stop_reason: Some("end_turn".to_owned()),
        model: None,
        redacted: 0,
    })
}

/// Returns the event that admits `moves` as `turn`.
pub fn admitted(turn: &str, moves: serde_json::Value) -> Event {
    let key = key(turn);
    let moves: Moves = serde_json::from_value(moves).unwrap();
    let ids = point::point_ids(key.turn, &moves);
    Event::Admitted {
        key,
        moves: Box::new(moves),
        ids,
        findings: Vec::new(),
    }
}

/// Returns the proposer's opening.
pub fn opening() -> Event {
    let ground = json!({ "source": "src/store.rs:88-104", "content": "claim() then lease()\nin two steps",
        "relevance": "two writers can both claim",
        "citation": { "file": "src/store.rs", "lines": [88, 104], "anchor": "fn claim" } });
    admitted(
        "r1.pro",
        json!({ "kind": "opening", "stance": "Use SQLite for the job store", "arguments": [
            { "title": "Claim and lease are two steps", "claim": "Nothing locks them",
              "grounds": [ground], "warrant": "A transaction does", "qualifier": "with two writers" },
            { "title": "Start-up walks every job", "claim": "It is slow", "grounds": [],
              "warrant": "An index is not", "backing": "## Not a section\n```" },
        ] }),
    )
}

/// Returns the challenger's objections.
pub fn challenge() -> Event {
    let ground = json!({ "source": "src/claim.rs", "content": "rename(2)", "relevance": "atomic" });
    admitted(
        "r1.cha",
        json!({ "kind": "challenge",
            "objections": [{ "target": "pro_001a", "kind": "claim", "category": "correctness",
                "severity": "blocker", "content": "rename(2) makes a claim atomic", "grounds": [ground] }],
            "agreements": [{ "target": "pro_001b", "grounds": [ground], "remaining_risk": "many jobs" }],
            "alternatives": [{ "title": "Keep files add flock", "claim": "Files do", "grounds": [],
                "warrant": "They are there" }] }),
    )
}

/// Returns the proposer's answers.
pub fn defense() -> Event {
    admitted(
        "r2.pro",
        json!({ "kind": "defense", "position_now": "Use SQLite", "responses": [
            { "objection": "cha_001a", "reply": "tradeoff", "content": "atomic per file",
              "still_favours_because": "the lease is not" }], "arguments": [] }),
    )
}

/// Returns the challenger's rulings.
pub fn follow_up() -> Event {
    admitted(
        "r2.cha",
        json!({ "kind": "follow_up", "assessments": [
            { "response": "pro_002a", "ruling": "resolved", "content": "it is not" }] }),
    )
}

/// Returns seven batches after the opening; the third has a reply that is stored as a blob.
pub fn batches() -> &'static [Vec<Event>] {
    static BATCHES: OnceLock<Vec<Vec<Event>>> = OnceLock::new();
    BATCHES.get_or_init(new_batches)
}

fn new_batches() -> Vec<Vec<Event>> {
    let long = "A long reply. ".repeat(INLINE_BYTES / 14 + 1);
    vec![
        vec![asked("r1.pro", "claude")],
        vec![given("r1.pro", "Use SQLite."), opening()],
        vec![asked("r1.cha", "codex"), given("r1.cha", &long)],
        vec![challenge()],
        vec![
            asked("r2.pro", "claude"),
            given("r2.pro", "Still SQLite."),
            defense(),
        ],
        vec![
            asked("r2.cha", "codex"),
            given("r2.cha", "Fine."),
            follow_up(),
        ],
        vec![Event::Closed {
            outcome: Outcome::Uncontested,
        }],
    ]
}

/// Returns the state after the opening and the first `count` batches.
pub fn state_after(spec: &Spec, count: usize) -> State {
    let mut state = State::open(spec.clone());
    for event in batches().iter().take(count).flatten() {
        state.apply(event).unwrap();
    }
    state
}
