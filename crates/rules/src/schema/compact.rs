//! The schema for a model that bears little: the fewest moves that keep the rules, no longer
//! than they need be.
//!
//! It uses nothing but types, words to choose from, counts, bounds and lists of fixed places,
//! which is what constrained decoding knows. Whatever fits it fits the schema of its kind too.

use agon_record::grammar::NOTHING_FOUND;
use agon_record::id::{NodeId, Seat, TurnId};
use agon_record::moves::{Category, Choose, MovesKind};
use agon_record::spec::{Context, Seating};
use agon_record::state::State;
use serde_json::{Value, json};

use super::contract::TurnIds;
use crate::floor::Floor;
use crate::format;

/// Five to seven words.
const TITLE: &str = "^[A-Z][a-z]{1,11}( [a-z]{1,11}){4,6}$";

/// One to five words.
const ANSWER: &str = "^[A-Z][a-z]{1,11}( [a-z]{1,11}){0,4}$";

/// Points that can be named as a source: the newest.
const POINTS: usize = 4;

// As many as an opening exchange has; with four `SHARES` they make 64 ways, each spelt out in the
// schema. Held by `many_pending_arguments_make_few_ways_to_score_them`.
/// Pairs of arguments that share scores.
const PAIRS: usize = 3;

// A clear lead and a slight one, each way. A fifth would make 125 ways of three pairs in place of
// 64.
/// Scores that a pair of arguments may share out between its sides, in thousandths.
const SHARES: [i32; 4] = [-500, -200, 200, 500];

/// The schema of the moves of `turn`, as short as the rules allow.
pub fn compact(state: &State, turn: TurnId) -> Value {
    let table = || TurnIds::at(state, turn);
    let floor = || Floor::at(state, turn);
    let small = state.seats.get(&turn.seat).is_some_and(Seating::is_small);
    let of = |ids: &[NodeId]| match small {
        true => Sources::of(state, ids),
        false => Sources(None),
    };
    match format::of(state.spec.format()).moves_kind(turn) {
        MovesKind::Blind => object(&[
            ("answer", words(ANSWER)),
            ("position", sentence(25)),
            ("because", list(text(20), 1, 2)),
        ]),
        MovesKind::Opening => {
            let argument = argument(&of(&[]));
            object(&[
                ("stance", sentence(20)),
                ("arguments", list(argument, 1, 2)),
            ])
        }
        MovesKind::Challenge => challenge(&table(), &of(&table().all), small),
        MovesKind::Defense => defense(&table(), &of(&table().all)),
        MovesKind::FollowUp => follow_up(&table(), &of(&table().all)),
        MovesKind::Verdict => verdict(&table()),
        MovesKind::Theses => object(&[("proposition", sentence(25)), ("opposition", sentence(25))]),
        MovesKind::Case => object(&[("arguments", list(argument(&of(&[])), 3, 3))]),
        MovesKind::Rebuttal => rebuttal(&floor(), &of(&floor().theirs())),
        MovesKind::Scores => scores(&floor().pending()),
    }
}

/// Where a ground can come from; none: from anywhere. A small model invents whatever source it is
/// free to name.
struct Sources(Option<Vec<String>>);

impl Sources {
    /// What anybody has, and the newest of these points.
    fn of(state: &State, ids: &[NodeId]) -> Self {
        let mut sources = vec!["general knowledge".to_owned(), "the question".to_owned()];
        if state.spec.context != Context::None {
            sources.push("the material".to_owned());
        }
        let newest = ids.len().saturating_sub(POINTS);
        sources.extend(ids[newest..].iter().map(NodeId::to_string));
        Self(Some(sources))
    }
}

fn challenge(table: &TurnIds, sources: &Sources, small: bool) -> Value {
    let categories = categories();
    // The objection is of one category, and it is said where the others were looked for.
    let of = |at: usize| {
        let severities: &[&str] = if small {
            &["major"]
        } else {
            &["major", "blocker"]
        };
        let objection = object(&[
            ("target", one_of(&table.theirs)),
            ("kind", json!({ "enum": ["claim", "grounds", "warrant"] })),
            ("category", json!({ "const": categories[at] })),
            ("severity", json!({ "enum": severities })),
            ("content", sentence(40)),
            ("grounds", list(ground(sources), 1, 1)),
        ]);
        let others = categories.iter().enumerate();
        let none = others
            .filter(|(other, _)| *other != at)
            .map(|(_, category)| {
                object(&[
                    ("category", json!({ "const": category })),
                    ("looked_at", list(text(8), 1, 1)),
                ])
            });
        object(&[
            ("objections", list(objection, 1, 1)),
            ("alternatives", list(argument(sources), 1, 1)),
            (NOTHING_FOUND.key, places(none.collect())),
        ])
    };
    match small {
        // It chooses by chance, and a grave word for that is worse than none.
        true => of(0),
        false => json!({ "anyOf": [of(0), of(1), of(2)] }),
    }
}

fn defense(table: &TurnIds, sources: &Sources) -> Value {
    let response = |objection: &NodeId| {
        object(&[
            ("objection", json!({ "const": objection })),
            ("content", sentence(40)),
            ("reply", json!({ "enum": ["concede", "rebut"] })),
            ("grounds", list(ground(sources), 1, 1)),
        ])
    };
    object(&[
        ("position_now", sentence(20)),
        (
            "responses",
            places(table.due.iter().map(response).collect()),
        ),
    ])
}

fn follow_up(table: &TurnIds, sources: &Sources) -> Value {
    let assessment = |response: &NodeId| {
        object(&[
            ("response", json!({ "const": response })),
            ("content", sentence(30)),
            (
                "ruling",
                json!({ "enum": ["resolved", "sustained", "dodged", "unsupported"] }),
            ),
            ("grounds", list(ground(sources), 1, 1)),
        ])
    };
    let none = object(&[
        ("category", json!({ "enum": categories() })),
        ("looked_at", list(text(8), 1, 1)),
    ]);
    object(&[
        (
            "assessments",
            places(table.responses.iter().map(assessment).collect()),
        ),
        (NOTHING_FOUND.key, list(none, 1, 1)),
    ])
}

fn verdict(table: &TurnIds) -> Value {
    let grade = || json!({ "enum": ["high", "medium", "low"] });
    let open = object(&[("question", text(20)), ("to_settle", text(20))]);
    // What is decided follows from why.
    object(&[
        ("why", sentence(40)),
        ("decisive", list(one_of(&table.all), 1, 1)),
        ("winner", json!({ "enum": ["proposer", "challenger"] })),
        ("answer", text(20)),
        ("do_next", text(20)),
        ("unless", text(20)),
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

fn rebuttal(floor: &Floor<'_>, sources: &Sources) -> Value {
    let mut fields = argument_fields(sources);
    let theirs = floor.theirs();
    if !theirs.is_empty() {
        let attack = object(&[
            ("target_id", one_of(&theirs)),
            (
                "attack_type",
                json!({ "enum": ["claim_attack", "grounds_attack", "warrant_attack"] }),
            ),
            ("content", sentence(40)),
        ]);
        fields.push(("attacks", list(attack, 1, 1)));
    }
    object(&fields)
}

/// Scores that sum to zero: each argument shares with one of the other side, as long as the ways
/// to do so are few; one that is left over gets nothing.
fn scores(pending: &[NodeId]) -> Value {
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
        object(&[
            ("argument_id", json!({ "const": id })),
            ("score", json!({ "const": f64::from(share) / 1_000.0 })),
            ("reasoning", text(25)),
        ])
    };
    let way = |way: &Vec<_>| object(&[("scores", places(way.iter().map(scoring).collect()))]);
    json!({ "anyOf": ways.iter().map(way).collect::<Vec<_>>() })
}

/// What an objection can be about.
fn categories() -> [&'static str; 3] {
    Category::COVERED.map(Category::word)
}

fn argument(sources: &Sources) -> Value {
    object(&argument_fields(sources))
}

fn argument_fields(sources: &Sources) -> Vec<(&'static str, Value)> {
    // A title sums up what stands before it.
    vec![
        ("claim", sentence(18)),
        ("grounds", list(ground(sources), 1, 1)),
        ("warrant", sentence(24)),
        ("title", words(TITLE)),
    ]
}

fn ground(sources: &Sources) -> Value {
    let source = match &sources.0 {
        Some(sources) => json!({ "enum": sources }),
        None => text(8),
    };
    object(&[
        ("source", source),
        ("content", sentence(30)),
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

/// A text that says something whole.
fn sentence(words: usize) -> Value {
    let mut text = text(words);
    text["minLength"] = json!(25);
    text
}

fn list(item: Value, least: usize, most: usize) -> Value {
    json!({ "type": "array", "items": item, "minItems": least, "maxItems": most })
}

/// A list with one item for each of `items`, in their order.
fn places(items: Vec<Value>) -> Value {
    let count = items.len();
    if count == 0 {
        return json!({ "type": "array", "maxItems": 0 });
    }
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
