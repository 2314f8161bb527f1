//! One table drives them all: what it names is what schemas, shapes, forms and moves have.

use std::collections::BTreeSet;

use agon_record::grammar::{
    Field, FieldKind, Filled, MovePart, Value, root_and_nested_parts, root_part,
};
use agon_record::moves::{Moves, MovesKind};
use agon_record::state::State;
use agon_rules::{format, schema};
use agon_samples::{duel, formal};
use serde_json::{Value as Json, json};

use super::golden::turns;
use crate::shape::moves_shape;

fn keys(part: &MovePart) -> Vec<&'static str> {
    part.fields.iter().map(|field| field.key).collect()
}

/// Where `schema` describes `part`.
fn described<'a>(schema: &'a Json, part: &MovePart, whole: &MovePart) -> &'a Json {
    match part.name == whole.name {
        true => schema,
        false => &schema["$defs"][part.name],
    }
}

#[test]
fn a_schema_has_the_fields_and_the_words_of_the_tables() {
    for kind in MovesKind::ALL {
        let schema = schema::published_moves_schema(kind);
        for one in root_and_nested_parts(kind) {
            let described = described(&schema, one, root_part(kind));
            let properties = described["properties"].as_object().unwrap();
            let named: BTreeSet<_> = properties.keys().map(String::as_str).collect();
            assert_eq!(named, keys(one).into_iter().collect(), "{}", one.name);
            for field in one.fields {
                compare(&schema, &properties[field.key], field);
            }
        }
    }
}

/// Fails unless `described` is what `field` is.
fn compare(schema: &Json, described: &Json, field: &Field) {
    let target = |described: &Json| {
        let name = described["$ref"].as_str()?.rsplit('/').next()?.to_owned();
        Some(name)
    };
    let of = |described: &Json| match target(described) {
        Some(name) => schema["$defs"][name.as_str()].clone(),
        None => described.clone(),
    };
    let found = of(described);
    let at = field.key;
    match field.kind {
        FieldKind::Text => assert_eq!(found["type"], "string", "{at}"),
        FieldKind::Texts => assert_eq!(found["items"]["type"], "string", "{at}"),
        FieldKind::Choice(choices) => {
            let words: Vec<_> = choices.iter().map(|choice| choice.word).collect();
            assert_eq!(found["enum"], json!(words), "{at}");
        }
        FieldKind::Id => assert_eq!(target(described).as_deref(), Some("NodeId"), "{at}"),
        FieldKind::Ids => assert_eq!(target(&found["items"]).as_deref(), Some("NodeId"), "{at}"),
        FieldKind::Score => assert_eq!(found["type"], "number", "{at}"),
        FieldKind::Lines => assert_eq!(found["items"]["type"], "integer", "{at}"),
        FieldKind::Grounds(_) => {
            assert_eq!(target(&found["items"]).as_deref(), Some("Ground"), "{at}")
        }
        FieldKind::One(part) => assert_eq!(target(described).as_deref(), Some(part.name), "{at}"),
        FieldKind::List(part) => {
            assert_eq!(target(&found["items"]).as_deref(), Some(part.name), "{at}");
        }
    }
}

#[test]
fn a_shape_names_the_fields_of_its_table_and_no_others() {
    for kind in MovesKind::ALL
        .into_iter()
        .filter(|kind| *kind != MovesKind::Case)
    {
        let shape = moves_shape(kind)
            .replace("ARGUMENT", "0")
            .replace("GROUND", "0");
        let shape: Json = serde_json::from_str(&shape).unwrap();
        let named: Vec<_> = shape.as_object().unwrap().keys().cloned().collect();
        assert_eq!(named, keys(root_part(kind)), "{}", kind.name());
    }
}

/// What was said in `part`, as a reply says it.
fn said(part: &Filled<'_>) -> Json {
    let fields = part.fields_with_values().filter_map(|(field, value)| {
        let value = match value {
            Value::Absent => return None,
            Value::Text(text) => json!(text),
            Value::Texts(texts) => json!(texts),
            Value::Word(choice) => json!(choice.word),
            Value::Id(id) => json!(id),
            Value::Ids(ids) => json!(ids),
            Value::Score(score) => json!(score),
            Value::Lines(lines) => json!(lines),
            Value::Grounds(grounds) => grounds.iter().map(|one| said(&one.into())).collect(),
            Value::One(part) => said(part),
            Value::List(parts) => parts.iter().map(said).collect(),
        };
        Some((field.key.to_owned(), value))
    });
    Json::Object(fields.collect())
}

fn all_said(state: &State) -> Vec<Moves> {
    let spoken = state.turns.keys();
    let admitted = spoken.filter_map(|turn| state.admitted(*turn));
    admitted.map(|admitted| admitted.moves.clone()).collect()
}

#[test]
fn moves_filled_into_the_tables_are_the_moves_as_they_are_written() {
    let mut all = all_said(&duel::job_store(3, "verdict.swap".parse().unwrap()));
    all.extend(all_said(&formal::before("r2.judge")));
    let kinds: BTreeSet<_> = all.iter().map(Moves::kind).collect();
    assert_eq!(kinds.len(), MovesKind::ALL.len());
    for moves in &all {
        let written = Json::Object(crate::human::moves_without_kind_names(moves));
        assert_eq!(said(&Filled::from(moves)), written);
    }
}

/// Every key of an object that `schema` describes.
fn keys_in(schema: &Json, keys: &mut BTreeSet<String>) {
    if let Some(properties) = schema["properties"].as_object() {
        keys.extend(properties.keys().cloned());
    }
    if let Json::Object(object) = schema {
        object.values().for_each(|inner| keys_in(inner, keys));
    } else if let Json::Array(items) = schema {
        items.iter().for_each(|inner| keys_in(inner, keys));
    }
}

#[test]
fn a_compact_schema_has_no_key_that_the_tables_have_not() {
    for (state, turn) in turns() {
        let kind = format::requested_moves_kind(&state, turn);
        let known: BTreeSet<_> = root_and_nested_parts(kind)
            .into_iter()
            .flat_map(keys)
            .collect();
        let mut found = BTreeSet::new();
        keys_in(&schema::compact_schema(&state, turn), &mut found);
        assert!(!found.is_empty());
        let others = found.iter().filter(|key| !known.contains(key.as_str()));
        assert_eq!(others.collect::<Vec<_>>(), [""; 0], "{turn}");
    }
}
