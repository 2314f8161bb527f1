//! The schema for a model with a small context: the fewest and shortest moves that keep the rules.
//!
//! It uses only types, enumerations, counts, limits and fixed-length lists, which constrained
//! decoding supports. Everything that fits it also fits the schema of its kind.

use agon_record::grammar::NOTHING_FOUND;
use agon_record::id::{NodeId, Seat, TurnId};
use agon_record::moves::{Category, Choose, MovesKind};
use agon_record::state::State;
use serde_json::{Value, json};

use super::contract::TurnIds;
use crate::floor::HeardArguments;
use crate::format;

/// Five to seven words.
const TITLE: &str = "^[A-Z][a-z]{1,11}( [a-z]{1,11}){4,6}$";

/// One to five words.
const ANSWER: &str = "^[A-Z][a-z]{1,11}( [a-z]{1,11}){0,4}$";

// As many as in an opening exchange. With four `SHARES` they have 64 combinations, each written out
// in the schema. Tested by `many_pending_arguments_make_few_ways_to_score_them`.
/// Maximum number of argument pairs that share scores.
const PAIRS: usize = 3;

// A clear and a slight lead for each side. A fifth value would make 125 combinations of three pairs
// instead of 64.
/// The possible scores within a pair of arguments, in thousandths.
const SHARES: [i32; 4] = [-500, -200, 200, 500];

/// Returns the shortest schema of the moves of `turn` that the rules allow.
pub fn compact_schema(state: &State, turn: TurnId) -> Value {
    let table = || TurnIds::for_turn(state, turn);
    let floor = || HeardArguments::for_turn(state, turn);
    match format::requested_moves_kind(state, turn) {
        MovesKind::Blind => object_schema(&[
            ("answer", pattern_schema(ANSWER)),
            ("position", sentence_schema(25)),
            ("because", list_schema(text_schema(20), 1, 2)),
        ]),
        MovesKind::Opening => {
            let argument = argument_schema();
            object_schema(&[
                ("stance", sentence_schema(20)),
                ("arguments", list_schema(argument, 1, 2)),
            ])
        }
        MovesKind::Challenge => challenge_schema(&table()),
        MovesKind::Defense => defense_schema(&table()),
        MovesKind::FollowUp => follow_up_schema(&table()),
        MovesKind::Verdict => verdict_schema(&table()),
        MovesKind::Theses => object_schema(&[
            ("proposition", sentence_schema(25)),
            ("opposition", sentence_schema(25)),
        ]),
        MovesKind::Case => object_schema(&[("arguments", list_schema(argument_schema(), 3, 3))]),
        MovesKind::Rebuttal => rebuttal_schema(&floor()),
        MovesKind::Scores => scores_schema(&floor().unscored_arguments()),
    }
}

fn challenge_schema(table: &TurnIds) -> Value {
    let categories = category_words();
    // The objection has one of three categories, so `none_found` must cover the other two.
    let of = |at: usize| {
        let objection = object_schema(&[
            ("target", id_choice_schema(&table.theirs)),
            ("kind", json!({ "enum": ["claim", "grounds", "warrant"] })),
            ("category", json!({ "const": categories[at] })),
            ("severity", json!({ "enum": ["major", "blocker"] })),
            ("content", sentence_schema(40)),
            ("grounds", list_schema(ground_schema(), 1, 1)),
        ]);
        let others = categories.iter().enumerate();
        let none = others
            .filter(|(other, _)| *other != at)
            .map(|(_, category)| {
                object_schema(&[
                    ("category", json!({ "const": category })),
                    ("looked_at", list_schema(text_schema(8), 1, 1)),
                ])
            });
        object_schema(&[
            ("objections", list_schema(objection, 1, 1)),
            ("alternatives", list_schema(argument_schema(), 1, 1)),
            (NOTHING_FOUND.key, tuple_schema(none.collect())),
        ])
    };
    json!({ "anyOf": [of(0), of(1), of(2)] })
}

fn defense_schema(table: &TurnIds) -> Value {
    let response = |objection: &NodeId| {
        object_schema(&[
            ("objection", json!({ "const": objection })),
            ("content", sentence_schema(40)),
            ("reply", json!({ "enum": ["concede", "rebut"] })),
            ("grounds", list_schema(ground_schema(), 1, 1)),
        ])
    };
    object_schema(&[
        ("position_now", sentence_schema(20)),
        (
            "responses",
            tuple_schema(table.due.iter().map(response).collect()),
        ),
    ])
}

fn follow_up_schema(table: &TurnIds) -> Value {
    let assessment = |response: &NodeId| {
        object_schema(&[
            ("response", json!({ "const": response })),
            ("content", sentence_schema(30)),
            (
                "ruling",
                json!({ "enum": ["resolved", "sustained", "dodged", "unsupported"] }),
            ),
            ("grounds", list_schema(ground_schema(), 1, 1)),
        ])
    };
    let none = object_schema(&[
        ("category", json!({ "enum": category_words() })),
        ("looked_at", list_schema(text_schema(8), 1, 1)),
    ]);
    object_schema(&[
        (
            "assessments",
            tuple_schema(table.responses.iter().map(assessment).collect()),
        ),
        (NOTHING_FOUND.key, list_schema(none, 1, 1)),
    ])
}

fn verdict_schema(table: &TurnIds) -> Value {
    let grade = || json!({ "enum": ["high", "medium", "low"] });
    let open = object_schema(&[
        ("question", text_schema(20)),
        ("to_settle", text_schema(20)),
    ]);
    // A model writes fields in this order: the reason first, so that the decision follows from it.
    object_schema(&[
        ("why", sentence_schema(40)),
        ("decisive", list_schema(id_choice_schema(&table.all), 1, 1)),
        ("winner", json!({ "enum": ["proposer", "challenger"] })),
        ("answer", text_schema(20)),
        ("do_next", text_schema(20)),
        ("unless", text_schema(20)),
        ("open", list_schema(open, 0, 1)),
        (
            "quality",
            object_schema(&[
                ("genuine_disagreement", grade()),
                ("evidence", grade()),
                ("challenge_depth", grade()),
            ]),
        ),
    ])
}

fn rebuttal_schema(floor: &HeardArguments<'_>) -> Value {
    let mut fields = argument_field_schemas();
    let theirs = floor.opponent_arguments();
    if !theirs.is_empty() {
        let attack = object_schema(&[
            ("target_id", id_choice_schema(&theirs)),
            (
                "attack_type",
                json!({ "enum": ["claim_attack", "grounds_attack", "warrant_attack"] }),
            ),
            ("content", sentence_schema(40)),
        ]);
        fields.push(("attacks", list_schema(attack, 1, 1)));
    }
    object_schema(&fields)
}

/// Returns the schema of scores that sum to zero: each argument is paired with one of the other
/// side, up to the limit on pairs; the rest get zero.
fn scores_schema(pending: &[NodeId]) -> Value {
    let of = |seat| pending.iter().copied().filter(move |id| id.seat == seat);
    let pairs: Vec<_> = of(Seat::Proposition)
        .zip(of(Seat::Opposition))
        .take(PAIRS)
        .collect();
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
        object_schema(&[
            ("argument_id", json!({ "const": id })),
            ("score", json!({ "const": f64::from(share) / 1_000.0 })),
            ("reasoning", text_schema(25)),
        ])
    };
    let way = |way: &Vec<_>| {
        object_schema(&[("scores", tuple_schema(way.iter().map(scoring).collect()))])
    };
    json!({ "anyOf": ways.iter().map(way).collect::<Vec<_>>() })
}

/// Returns the categories of objections.
fn category_words() -> [&'static str; 3] {
    Category::COVERED.map(Category::word)
}

fn argument_schema() -> Value {
    object_schema(&argument_field_schemas())
}

fn argument_field_schemas() -> Vec<(&'static str, Value)> {
    // The title comes last, since a model writes fields in this order and it sums up the others.
    vec![
        ("claim", sentence_schema(18)),
        ("grounds", list_schema(ground_schema(), 1, 1)),
        ("warrant", sentence_schema(24)),
        ("title", pattern_schema(TITLE)),
    ]
}

fn ground_schema() -> Value {
    object_schema(&[
        ("source", text_schema(8)),
        ("content", sentence_schema(30)),
        ("relevance", text_schema(20)),
    ])
}

/// Returns the schema of a text with the word count of its pattern.
fn pattern_schema(pattern: &str) -> Value {
    json!({ "type": "string", "pattern": pattern })
}

/// Returns the schema of a text of about `words` words of average length, below the rule's limit.
fn text_schema(words: usize) -> Value {
    json!({ "type": "string", "minLength": 3, "maxLength": words * 5 })
}

/// Returns the schema of a complete sentence.
fn sentence_schema(words: usize) -> Value {
    let mut text = text_schema(words);
    text["minLength"] = json!(25);
    text
}

fn list_schema(item: Value, least: usize, most: usize) -> Value {
    json!({ "type": "array", "items": item, "minItems": least, "maxItems": most })
}

/// Returns the schema of a list with exactly these items in order.
fn tuple_schema(items: Vec<Value>) -> Value {
    let count = items.len();
    if count == 0 {
        return json!({ "type": "array", "maxItems": 0 });
    }
    json!({ "type": "array", "prefixItems": items, "minItems": count, "maxItems": count })
}

fn id_choice_schema(ids: &[NodeId]) -> Value {
    json!({ "enum": ids })
}

/// Returns the schema of an object with exactly these fields, all required.
fn object_schema(fields: &[(&'static str, Value)]) -> Value {
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
