//! The shapes that prompts show are those that replies are read with.

use std::collections::BTreeSet;

use agon_record::moves::MovesKind;
use agon_record::moves::{Argument, Citation, Ground, Moves};
use serde_json::{Value, json};

use super::*;
use crate::template::SHAPE_CITATION;

/// What `as above` stands for.
const CATEGORIES: &str =
    "correctness|security|developer_experience|performance|cost|practicality|fairness|other";

/// The shape of `kind` as JSON, with every name written out.
fn written_out(kind: MovesKind) -> String {
    moves_shape(kind)
        .replace("ARGUMENT", shape::argument_shape())
        .replace("GROUND", shape::ground_shape())
        .replace("\"ID\"", "\"pro_001a\"")
        .replace("as above", CATEGORIES)
}

/// Every `a|b|c` in `text`, as its quoted string.
fn choices(text: &str) -> BTreeSet<String> {
    let words = text.split('"').filter(|word| word.contains('|'));
    words.map(str::to_owned).collect()
}

/// `text` with each choice made: the first word, the second and so on.
fn chosen(text: &str) -> Vec<String> {
    let most = choices(text).iter().map(|c| c.split('|').count()).max();
    let pick = |nth: usize| {
        choices(text).iter().fold(text.to_owned(), |text, choice| {
            let words: Vec<_> = choice.split('|').collect();
            text.replace(choice, words[nth % words.len()])
        })
    };
    (0..most.unwrap_or(1)).map(pick).collect()
}

#[test]
fn every_shape_is_read_as_moves_whatever_is_chosen() {
    for kind in MovesKind::ALL {
        for text in chosen(&written_out(kind)) {
            let mut value: Value = serde_json::from_str(&text).unwrap();
            if kind == MovesKind::Case {
                value = json!({ "arguments": value });
            }
            value["kind"] = kind.name().into();
            if kind >= MovesKind::Theses {
                value["kind"] = "formal".into();
                value["said"] = kind.name().into();
            }
            let moves: Moves = serde_json::from_value(value).unwrap();
            assert_eq!(moves.kind(), kind);
        }
    }
}

#[test]
fn arguments_grounds_and_citations_are_read_as_such() {
    let argument = shape::argument_shape().replace("GROUND", shape::ground_shape());
    serde_json::from_str::<Argument>(&argument).unwrap();
    serde_json::from_str::<Ground>(shape::ground_shape()).unwrap();
    let mut keys = BTreeSet::new();
    for line in SHAPE_CITATION.lines() {
        serde_json::from_str::<Citation>(line).unwrap();
        let value: Value = serde_json::from_str(line).unwrap();
        keys.extend(value.as_object().unwrap().keys().cloned());
    }
    let schema = serde_json::to_value(schemars::schema_for!(Citation)).unwrap();
    assert_eq!(keys, names(&schema["properties"]));
}

#[test]
fn every_shape_shows_every_field_and_every_choice_of_its_schema() {
    for kind in MovesKind::ALL {
        let schema = agon_rules::schema::published_moves_schema(kind);
        let shape: Value = serde_json::from_str(&written_out(kind)).unwrap();
        if kind == MovesKind::Case {
            // A list of its own, of arguments that attack and defend nothing.
            let opening = agon_rules::schema::published_moves_schema(MovesKind::Opening);
            assert_eq!(shape.as_array().unwrap().len(), 3);
            for argument in shape.as_array().unwrap() {
                compare(&opening, &opening["$defs"]["Argument"], argument, "case[]");
            }
            continue;
        }
        compare(&schema, &schema, &shape, kind.name());
    }
}

/// Fails unless `shown` has the fields and the choices of `schema`.
fn compare(root: &Value, schema: &Value, shown: &Value, at: &str) {
    if let Some(name) = schema["$ref"].as_str() {
        let name = name.rsplit('/').next().unwrap();
        if name != "Citation" {
            compare(root, &root["$defs"][name], shown, at);
        }
    } else if schema["properties"].is_object() {
        assert_eq!(names(&schema["properties"]), names(shown), "{at}");
        for (key, value) in shown.as_object().unwrap() {
            compare(
                root,
                &schema["properties"][key],
                value,
                &format!("{at}.{key}"),
            );
        }
    } else if schema["type"] == "array" {
        let items = shown.as_array().unwrap();
        assert!(!items.is_empty(), "{at}");
        for item in items {
            compare(root, &schema["items"], item, &format!("{at}[]"));
        }
    } else if let Some(words) = schema["enum"].as_array() {
        let words: BTreeSet<_> = words.iter().map(|word| word.as_str().unwrap()).collect();
        let shown: BTreeSet<_> = shown.as_str().unwrap().split('|').collect();
        assert_eq!(shown, words, "{at}");
    }
}

fn names(object: &Value) -> BTreeSet<String> {
    object.as_object().unwrap().keys().cloned().collect()
}
