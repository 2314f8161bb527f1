//! The schema for a model that bears little: the fewest moves that keep the rules, no longer
//! than they need be.
//!
//! It uses nothing but types, words to choose from, counts, bounds and lists of fixed places,
//! which is what constrained decoding knows. Whatever fits it fits the schema of its kind too.

use serde_json::{Value, json};

use super::contract::Table;
use crate::format;
use crate::id::{NodeId, Seat, TurnId};
use crate::moves::MovesKind;
use crate::prompt::floor::Floor;
use crate::state::State;

/// Five to seven words.
const TITLE: &str = "^[A-Z][a-z]{1,11}( [a-z]{1,11}){4,6}$";

/// One to five words.
const ANSWER: &str = "^[A-Z][a-z]{1,11}( [a-z]{1,11}){0,4}$";

/// Scores that a pair of arguments may share out between its sides, in thousandths.
const SHARES: [i32; 4] = [-500, -200, 200, 500];

/// The schema of the moves of `turn`, as short as the rules allow.
pub fn compact(state: &State, turn: TurnId) -> Value {
    let table = || Table::at(state, turn);
    let floor = || Floor::at(state, turn);
    match format::of(state.spec.format).moves_kind(turn) {
        MovesKind::Blind => object(&[
            ("answer", words(ANSWER)),
            ("position", text(25)),
            ("because", list(text(20), 1, 2)),
        ]),
        MovesKind::Opening => {
            object(&[("stance", text(20)), ("arguments", list(argument(), 1, 2))])
        }
        MovesKind::Challenge => challenge(&table()),
        MovesKind::Defense => defense(&table()),
        MovesKind::FollowUp => follow_up(&table()),
        MovesKind::Verdict => verdict(&table()),
        MovesKind::Theses => object(&[("proposition", text(25)), ("opposition", text(25))]),
        MovesKind::Case => object(&[("arguments", list(argument(), 3, 3))]),
        MovesKind::Rebuttal => rebuttal(&floor()),
        MovesKind::Scores => scores(&floor()),
    }
}

fn challenge(table: &Table) -> Value {
    let categories = ["correctness", "security", "developer_experience"];
    // One of them has an objection, and it is said where the others were looked for.
    let of = |at: usize| {
        let objection = object(&[
            ("target", one_of(&table.theirs)),
            ("kind", json!({ "enum": ["claim", "grounds", "warrant"] })),
            ("category", json!({ "const": categories[at] })),
            ("severity", json!({ "enum": ["major", "blocker"] })),
            ("content", text(40)),
            ("grounds", list(ground(), 1, 1)),
        ]);
        let others = categories
            .iter()
            .enumerate()
            .filter(|(other, _)| *other != at);
        let none = others.map(|(_, category)| {
            object(&[
                ("category", json!({ "const": category })),
                ("looked_at", list(text(8), 1, 1)),
            ])
        });
        object(&[
            ("objections", list(objection, 1, 1)),
            ("none_found", places(none.collect())),
            ("alternatives", list(argument(), 1, 1)),
        ])
    };
    json!({ "anyOf": [of(0), of(1), of(2)] })
}

fn defense(table: &Table) -> Value {
    let response = |objection: &NodeId| {
        object(&[
            ("objection", json!({ "const": objection })),
            ("reply", json!({ "enum": ["concede", "rebut"] })),
            ("content", text(40)),
            ("grounds", list(ground(), 1, 1)),
        ])
    };
    object(&[
        ("position_now", text(20)),
        (
            "responses",
            places(table.due.iter().map(response).collect()),
        ),
    ])
}

fn follow_up(table: &Table) -> Value {
    let assessment = |response: &NodeId| {
        object(&[
            ("response", json!({ "const": response })),
            (
                "ruling",
                json!({ "enum": ["resolved", "sustained", "dodged", "unsupported"] }),
            ),
            ("content", text(30)),
            ("grounds", list(ground(), 1, 1)),
        ])
    };
    let none = object(&[
        (
            "category",
            json!({ "enum": ["correctness", "security", "developer_experience"] }),
        ),
        ("looked_at", list(text(8), 1, 1)),
    ]);
    object(&[
        (
            "assessments",
            places(table.responses.iter().map(assessment).collect()),
        ),
        ("none_found", list(none, 1, 1)),
    ])
}

fn verdict(table: &Table) -> Value {
    let grade = || json!({ "enum": ["high", "medium", "low"] });
    let open = object(&[("question", text(20)), ("to_settle", text(20))]);
    object(&[
        ("winner", json!({ "enum": ["proposer", "challenger"] })),
        ("answer", text(20)),
        ("why", text(40)),
        ("do_next", text(20)),
        ("unless", text(20)),
        ("decisive", list(one_of(&table.all), 1, 1)),
        ("open", list(open, 0, 1)),
        (
            "quality",
            object(&[
                ("genuine_disagreement", grade()),
                ("evidence", grade()),
                ("challenge_depth", grade()),
            ]),
        ),
    ])
}

fn rebuttal(floor: &Floor<'_>) -> Value {
    let mut fields = argument_fields();
    let theirs = floor.theirs();
    if !theirs.is_empty() {
        let attack = object(&[
            ("target_id", one_of(&theirs)),
            (
                "attack_type",
                json!({ "enum": ["claim_attack", "grounds_attack", "warrant_attack"] }),
            ),
            ("content", text(40)),
        ]);
        fields.push(("attacks", list(attack, 1, 1)));
    }
    object(&fields)
}

/// Scores that sum to zero: each argument shares with one of the other side; one that is left
/// over gets nothing.
fn scores(floor: &Floor<'_>) -> Value {
    let pending = floor.pending();
    let of = |seat| pending.iter().copied().filter(move |id| id.seat == seat);
    let pairs: Vec<_> = of(Seat::Proposition).zip(of(Seat::Opposition)).collect();
    let alone: Vec<_> = pending
        .iter()
        .copied()
        .filter(|id| !pairs.iter().any(|(one, other)| one == id || other == id))
        .collect();
    let mut ways: Vec<Vec<(NodeId, i32)>> = vec![alone.iter().map(|id| (*id, 0)).collect()];
    for (one, other) in pairs {
        let shared = |way: &Vec<_>| {
            let way = way.clone();
            SHARES.map(|share| [way.clone(), vec![(one, share), (other, -share)]].concat())
        };
        ways = ways.iter().flat_map(shared).collect();
    }
    let scoring = |&(id, share): &(NodeId, i32)| {
        object(&[
            ("argument_id", json!({ "const": id })),
            ("score", json!({ "const": f64::from(share) / 1_000.0 })),
            ("reasoning", text(25)),
        ])
    };
    let way = |way: &Vec<_>| object(&[("scores", places(way.iter().map(scoring).collect()))]);
    json!({ "anyOf": ways.iter().map(way).collect::<Vec<_>>() })
}

fn argument() -> Value {
    object(&argument_fields())
}

fn argument_fields() -> Vec<(&'static str, Value)> {
    vec![
        ("title", words(TITLE)),
        ("claim", text(18)),
        ("grounds", list(ground(), 1, 1)),
        ("warrant", text(30)),
    ]
}

fn ground() -> Value {
    object(&[
        ("source", text(8)),
        ("content", text(30)),
        ("relevance", text(20)),
    ])
}

/// A text of as many words as its pattern has.
fn words(pattern: &str) -> Value {
    json!({ "type": "string", "pattern": pattern })
}

/// A text of about so many words: fewer than its rule allows, for words of the usual length.
fn text(words: usize) -> Value {
    json!({ "type": "string", "minLength": 3, "maxLength": words * 5 })
}

fn list(item: Value, least: usize, most: usize) -> Value {
    json!({ "type": "array", "items": item, "minItems": least, "maxItems": most })
}

/// A list with one item for each of `items`, in their order.
fn places(items: Vec<Value>) -> Value {
    let count = items.len();
    json!({ "type": "array", "prefixItems": items, "minItems": count, "maxItems": count })
}

fn one_of(ids: &[NodeId]) -> Value {
    json!({ "enum": ids })
}

/// An object with exactly these fields, all of which are there.
fn object(fields: &[(&'static str, Value)]) -> Value {
    let names: Vec<_> = fields.iter().map(|(name, _)| *name).collect();
    let properties: serde_json::Map<_, _> = fields
        .iter()
        .map(|(name, schema)| ((*name).to_owned(), schema.clone()))
        .collect();
    json!({
        "type": "object",
        "properties": properties,
        "required": names,
        "additionalProperties": false,
    })
}

#[cfg(test)]
mod tests;
