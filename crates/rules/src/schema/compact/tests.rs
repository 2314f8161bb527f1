use agon_record::finding::Severity;
use agon_record::id::{AskKey, NodeId, Seat, TurnId};
use agon_record::state::State;
use agon_samples::formal;
use serde_json::{Map, Value, json};

use super::compact_schema;
use crate::rule::tests::fixture::{TURNS, before, id};
use crate::schema::contract_schema;
use crate::{parse, rule};

/// What fits `schema`: the shortest or the longest, and the `nth` of what can be chosen.
fn instance(schema: &Value, longest: bool, nth: usize) -> Value {
    let pick = |list: &Value| {
        let list = list.as_array().unwrap();
        list[nth % list.len()].clone()
    };
    if let Some(fixed) = schema.get("const") {
        return fixed.clone();
    }
    if schema["enum"].is_array() {
        return pick(&schema["enum"]);
    }
    if schema["anyOf"].is_array() {
        return instance(&pick(&schema["anyOf"]), longest, nth);
    }
    match schema["type"].as_str().unwrap() {
        "object" => {
            let fields = schema["properties"].as_object().unwrap().iter();
            let made = fields
                .enumerate()
                .map(|(at, (name, field))| (name.clone(), instance(field, longest, nth + 7 * at)));
            Value::Object(made.collect::<Map<_, _>>())
        }
        "array" if schema["prefixItems"].is_array() => {
            let places = schema["prefixItems"].as_array().unwrap().iter();
            places.map(|place| instance(place, longest, nth)).collect()
        }
        "array" if schema["items"].is_null() => {
            assert_eq!(schema["maxItems"], json!(0));
            json!([])
        }
        "array" => {
            let count = &schema[if longest { "maxItems" } else { "minItems" }];
            let items = 0..count.as_u64().unwrap();
            let item = |at: u64| instance(&schema["items"], longest, nth + at as usize);
            items.map(item).collect()
        }
        "string" if schema["pattern"].is_string() => {
            let made = ["Five words make a title", "Yes"].map(|text| json!(text));
            let pattern = json!({ "pattern": schema["pattern"] });
            let fits = |text: &Value| jsonschema::draft202012::is_valid(&pattern, text);
            made.into_iter().rfind(fits).unwrap()
        }
        "string" => {
            let most = schema["maxLength"].as_u64().unwrap() as usize;
            // The usual length of a word, and another text in each place.
            let words = format!("{nth:03} some words that say so ").repeat(20);
            let least = schema["minLength"].as_u64().unwrap() as usize;
            let end = if longest { most } else { least };
            let text = words[..end].trim_end();
            json!(format!("{text}{}", "x".repeat(end - text.len())))
        }
        other => panic!("what is a {other}?"),
    }
}

/// With a model that bears little in every seat.
fn keeps_the_rules(mut state: State, turn: TurnId) {
    for seating in state.seats.values_mut() {
        seating.budget = Some(4_096);
    }
    keeps_them(&state, turn);
}

fn keeps_them(state: &State, turn: TurnId) {
    let schema = compact_schema(state, turn);
    let validator = jsonschema::draft202012::new(&schema).unwrap();
    let contract = jsonschema::draft202012::new(&contract_schema(state, turn)).unwrap();
    for longest in [false, true] {
        for nth in 0..6 {
            let value = instance(&schema, longest, nth);
            assert!(validator.is_valid(&value), "{turn}: {value:#}");
            let errors: Vec<_> = contract
                .iter_errors(&value)
                .map(|e| e.to_string())
                .collect();
            assert_eq!(errors, [""; 0], "{turn}: {value:#}");
            let kind = crate::format::requested_moves_kind(state, turn);
            let parsed = parse::parse(&value.to_string(), kind, turn).unwrap();
            let mut findings = parsed.findings;
            findings.extend(rule::check_reply_moves(
                state,
                AskKey { turn, again: 0 },
                &parsed.moves,
            ));
            findings.retain(|finding| finding.severity > Severity::Warning);
            assert_eq!(findings, [], "{turn}: {value:#}");
        }
    }
}

#[test]
fn whatever_fits_keeps_the_rules_of_a_duel() {
    for turn in TURNS {
        keeps_the_rules(before(turn), id(turn));
    }
}

#[test]
fn a_list_of_no_places_is_empty() {
    assert_eq!(
        super::tuple_schema(Vec::new()),
        json!({ "type": "array", "maxItems": 0 })
    );
}

#[test]
fn many_pending_arguments_make_few_ways_to_score_them() {
    let ids = |seat| {
        (1..=9).map(move |round| NodeId {
            seat,
            round,
            place: None,
        })
    };
    let pending: Vec<_> = ids(Seat::Proposition)
        .chain(ids(Seat::Opposition))
        .collect();
    let schema = super::scores_schema(&pending);
    assert_eq!(schema["anyOf"].as_array().unwrap().len(), 64);
}

#[test]
fn whatever_fits_keeps_the_rules_of_a_formal_debate() {
    for turn in formal::TURNS {
        keeps_the_rules(formal::before(turn), formal::turn(turn));
    }
}
