//! A small debate of three rounds that breaks no rule.

use agon_record::event::Event;
use agon_record::id::{AskKey, TurnId};
use agon_record::moves::Moves;
use agon_record::point;
use agon_record::spec::Spec;
use agon_record::state::State;
use serde_json::{Value, json};

use crate::format;

/// The turns of the debate, in order.
pub(crate) const TURNS: [&str; 9] = [
    "r0.pro",
    "r0.cha",
    "r1.pro",
    "r1.cha",
    "r2.pro",
    "r2.cha",
    "r3.pro",
    "r3.cha",
    "verdict.judge",
];

pub(crate) fn id(turn: &str) -> TurnId {
    turn.parse().unwrap()
}

pub(crate) fn spec() -> Spec {
    let seat = |tool: &str| {
        json!({ "tool": tool, "vendor": "", "model": null, "effort": "medium",
                "transport": "cli", "version": null })
    };
    serde_json::from_value(json!({
        "ulid": "01JD0000000000000000000000", "slug": "cache", "format": "duel",
        "topic": "Cache in memory or on disk?",
        "seats": { "proposer": seat("one"), "challenger": seat("two"), "judge": seat("three") },
        "substitutes": [], "rounds": 3, "blind": true, "ask_on_agreement": false,
        "context": { "kind": "none" },
        "caps": { "calls": 20, "tokens": 9000, "time_ms": 9000, "cost_micros": null, "reasks": 4 },
        "ask_timeout_ms": 9000, "severities": {}, "same_tool": false, "salt": "00".repeat(32),
        "agon": "0.1.0", "ruleset": "duel/1",
    }))
    .unwrap()
}

/// A ground that nobody else gives.
pub(crate) fn ground(name: &str) -> Value {
    json!({ "source": "notes", "content": format!("measured {name}"), "relevance": "It decides.",
            "citation": { "document": format!("notes on {name}"), "anchor": "measured" } })
}

/// A ground that cites nothing.
pub(crate) fn reasoning(name: &str) -> Value {
    json!({ "source": "reasoning", "content": format!("thought of {name}"), "relevance": "It decides." })
}

fn argument(name: &str) -> Value {
    json!({
        "title": format!("A title of five {name}"),
        "claim": format!("The claim {name}"),
        "grounds": [ground(name)],
        "warrant": format!("The warrant {name}"),
    })
}

fn objection(target: &str, kind: &str, category: &str, severity: &str) -> Value {
    let content = format!("{target} fails in its {kind}");
    json!({ "target": target, "kind": kind, "category": category, "severity": severity,
            "content": content, "grounds": [ground(&content)] })
}

fn response(objection: &str, reply: &str) -> Value {
    let content = format!("{objection} is met by {reply}");
    let mut response = json!({ "objection": objection, "reply": reply, "content": content,
                               "grounds": [ground(&content)] });
    if reply == "tradeoff" {
        response["still_favours_because"] = json!("The gain is larger.");
    }
    response
}

fn assessment(response: &str, ruling: &str) -> Value {
    let content = format!("{response} is {ruling}");
    json!({ "response": response, "ruling": ruling, "content": content,
            "grounds": [ground(&content)] })
}

/// The moves of `turn`, without the tag of their kind.
pub(crate) fn base(turn: &str) -> Value {
    match turn {
        "r0.pro" => {
            json!({ "answer": "In memory", "position": "Memory it is.", "because": ["Fast"] })
        }
        "r0.cha" => json!({ "answer": "On disk", "position": "Disk it is.", "because": ["Safe"] }),
        "r1.pro" => {
            json!({ "stance": "Cache in memory.", "arguments": [argument("a"), argument("b")] })
        }
        // cha_001a, b, c objections; cha_001d agreement; cha_001e alternative
        "r1.cha" => json!({
            "objections": [
                objection("pro_001a", "claim", "correctness", "blocker"),
                objection("pro_001a", "grounds", "performance", "major"),
                objection("pro_001b", "warrant", "developer_experience", "minor"),
            ],
            "none_found": [{ "category": "security", "looked_at": ["src/cache.rs"] }],
            "agreements": [{ "target": "pro_001b", "grounds": [ground("agreed")],
                             "remaining_risk": "The load may grow." }],
            "alternatives": [argument("c")],
        }),
        // pro_002a, b, c responses; pro_002d argument
        "r2.pro" => json!({
            "position_now": "Cache in memory, with a bound.",
            "responses": [response("cha_001a", "rebut"), response("cha_001b", "concede"),
                          response("cha_001c", "tradeoff")],
            "arguments": [argument("d")],
        }),
        // cha_002a, b, c assessments; cha_002d objection
        "r2.cha" => json!({
            "assessments": [assessment("pro_002a", "resolved"), assessment("pro_002b", "sustained"),
                            assessment("pro_002c", "dodged")],
            "objections": [objection("pro_002d", "warrant", "cost", "major")],
            "none_found": [], "agreements": [], "alternatives": [],
        }),
        // pro_003a response
        "r3.pro" => json!({
            "position_now": "Cache in memory, with a bound and a metric.",
            "responses": [response("cha_002d", "rebut")],
            "arguments": [],
        }),
        "r3.cha" => json!({
            "assessments": [assessment("pro_003a", "resolved")],
            "objections": [], "none_found": [], "agreements": [], "alternatives": [],
        }),
        "verdict.judge" => json!({
            "winner": "proposer", "answer": "Cache in memory", "why": "The bound holds.",
            "do_next": "Add the bound to src/cache.rs.", "unless": "Memory is short.",
            "decisive": ["pro_002a"],
            "open": [{ "question": "How large?", "to_settle": "Measure it." }],
            "assumed_by_both": ["One process."],
            "agreements": [{ "point": "Load grows.", "evidence": ["cha_001d"] }],
            "disagreements": [{ "point": "Cost", "proposer": "low", "challenger": "high" }],
            "quality": { "genuine_disagreement": "high", "evidence": "low", "challenge_depth": "medium" },
        }),
        other => panic!("no turn {other}"),
    }
}

/// `value` as the moves of `turn`.
pub(crate) fn moves(turn: &str, mut value: Value) -> Moves {
    let kind = format::format_by_name(spec().format()).moves_kind(id(turn));
    value["kind"] = json!(kind.name());
    serde_json::from_value(value).unwrap()
}

/// The debate before `turn`.
pub(crate) fn before(turn: &str) -> State {
    let mut state = State::open(spec());
    for earlier in TURNS {
        if id(earlier) < id(turn) {
            admit(&mut state, earlier, base(earlier));
        }
    }
    state
}

/// Takes `value` into the debate as `turn`.
pub(crate) fn admit(state: &mut State, turn: &str, value: Value) {
    let moves = moves(turn, value);
    let event = Event::Admitted {
        key: AskKey {
            turn: id(turn),
            again: 0,
        },
        ids: point::point_ids(id(turn), &moves),
        moves: Box::new(moves),
        findings: Vec::new(),
    };
    state.apply(&event).unwrap();
}
