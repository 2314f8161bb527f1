//! The JSON Schemas of moves, in general and narrowed to one turn.

mod compact;
mod contract;
mod strict;

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

pub use compact::compact_schema;
pub use contract::contract_schema;
pub use strict::strict_schema;

use agon_record::moves::{
    Blind, Case, Challenge, Contention, Defense, FollowUp, MovesKind, Opening, Ruling, Scores,
    Theses,
};

/// The form of the ids that moves refer to: three digits and at most two letters.
pub const NODE_PATTERN: &str = "^(pro|cha|prop|opp)_[0-9]{3}[a-z]{0,2}$";

// Far above what a turn needs, such as six scores in an opening exchange, so a turn's own rules
// apply first. Tested by `a_reply_cannot_grow_without_bound` in `parse/tests.rs`.
/// Maximum number of items in a list of a reply.
pub const MAX_ITEMS: u64 = 50;

// Far above the longest text in two real debates (1,088 characters). Tested by
// `a_reply_cannot_grow_without_bound` in `parse/tests.rs`.
/// Maximum length of a text in a reply, in characters.
pub const MAX_TEXT: u64 = 8_000;

/// Returns the schema for replies with moves of `kind`, without a name.
pub fn reply_schema(kind: MovesKind) -> Value {
    match kind {
        MovesKind::Blind => simplified_schema::<Blind>(),
        MovesKind::Opening => simplified_schema::<Opening>(),
        MovesKind::Challenge => simplified_schema::<Challenge>(),
        MovesKind::Defense => simplified_schema::<Defense>(),
        MovesKind::FollowUp => simplified_schema::<FollowUp>(),
        MovesKind::Verdict => {
            let mut schema = simplified_schema::<Ruling>();
            require_key(&mut schema, "quality");
            schema
        }
        MovesKind::Theses => simplified_schema::<Theses>(),
        MovesKind::Case => simplified_schema::<Case>(),
        MovesKind::Rebuttal => simplified_schema::<Contention>(),
        MovesKind::Scores => simplified_schema::<Scores>(),
    }
}

/// Returns the schema for a person's moves of `kind`; a person need not grade the debate.
pub(crate) fn person_reply_schema(kind: MovesKind) -> Value {
    match kind {
        MovesKind::Verdict => simplified_schema::<Ruling>(),
        other => reply_schema(other),
    }
}

fn require_key(schema: &mut Value, key: &str) {
    if let Some(object) = schema.as_object_mut() {
        let required = object.entry("required").or_insert_with(|| json!([]));
        if let Some(required) = required.as_array_mut()
            && !required.iter().any(|name| name == key)
        {
            required.push(json!(key));
        }
    }
}

/// Returns the published schema of the moves of `kind`, with its name and version.
pub fn published_moves_schema(kind: MovesKind) -> Value {
    let mut schema = reply_schema(kind);
    let id = format!("agon.moves.{}/1", kind.name());
    if let Some(object) = schema.as_object_mut() {
        object.insert("$id".to_owned(), json!(id));
        object.insert("title".to_owned(), json!(id));
    }
    schema
}

/// Returns the derived schema of `T`.
pub fn derived_schema<T: JsonSchema>() -> Value {
    let generator = SchemaSettings::draft2020_12().into_generator();
    generator.into_root_schema_for::<T>().to_value()
}

/// Returns a schema with enumerations as plain lists of words, without null, and with a limit on
/// every list and text.
fn simplified_schema<T: JsonSchema>() -> Value {
    let mut schema = derived_schema::<T>();
    if let Some(id) = schema
        .pointer_mut("/$defs/NodeId")
        .and_then(Value::as_object_mut)
    {
        id.insert("pattern".to_owned(), json!(NODE_PATTERN));
        id.insert(
            "description".to_owned(),
            json!("The id of a point, such as pro_001a."),
        );
    }
    simplify_recursively(&mut schema);
    schema
}

fn simplify_recursively(schema: &mut Value) {
    match schema {
        Value::Object(object) => {
            object.values_mut().for_each(simplify_recursively);
            make_non_nullable(object);
            constants_to_enum(object);
            add_size_bound(object);
        }
        Value::Array(items) => items.iter_mut().for_each(simplify_recursively),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Removes null from an optional field's schema, since an absent field is left out.
fn make_non_nullable(object: &mut Map<String, Value>) {
    if let Some(Value::Array(types)) = object.get_mut("type") {
        types.retain(|name| name != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            object.insert("type".to_owned(), only);
        }
    }
    if let Some(Value::Array(options)) = object.get("anyOf") {
        let real: Vec<_> = options
            .iter()
            .filter(|option| option["type"] != "null")
            .collect();
        if let ([Value::Object(only)], true) = (real.as_slice(), options.len() == 2) {
            let only = only.clone();
            object.remove("anyOf");
            object.extend(only);
        }
    }
}

/// Replaces described constants with one list of words.
fn constants_to_enum(object: &mut Map<String, Value>) {
    let Some(Value::Array(options)) = object.get("oneOf") else {
        return;
    };
    let words: Vec<&str> = options
        .iter()
        .filter_map(|option| option["const"].as_str())
        .collect();
    if words.len() != options.len() {
        return;
    }
    let about = |option: &Value| {
        let word = option["const"].as_str()?;
        let about = option["description"].as_str()?.trim_end_matches('.');
        Some(format!("{word}: {about}."))
    };
    let meanings: Vec<String> = options.iter().filter_map(about).collect();
    let words = json!(words);
    let text = object.get("description").and_then(Value::as_str);
    let text = text.map(str::to_owned).into_iter().chain(meanings);
    let text = text.collect::<Vec<_>>().join(" ");
    object.remove("oneOf");
    object.insert("description".to_owned(), json!(text));
    object.insert("type".to_owned(), json!("string"));
    object.insert("enum".to_owned(), words);
}

fn add_size_bound(object: &mut Map<String, Value>) {
    let kind = object.get("type").and_then(Value::as_str);
    if kind == Some("array") && !object.contains_key("maxItems") {
        object.insert("maxItems".to_owned(), json!(MAX_ITEMS));
    } else if kind == Some("string")
        && !object.contains_key("enum")
        && !object.contains_key("pattern")
    {
        object.insert("maxLength".to_owned(), json!(MAX_TEXT));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_a_list_and_nothing_may_be_null() {
        for kind in MovesKind::ALL {
            let text = reply_schema(kind).to_string();
            assert!(!text.contains("\"null\""), "{}", kind.name());
            assert!(
                !text.contains("oneOf") && !text.contains("anyOf"),
                "{}",
                kind.name()
            );
        }
        let challenge = reply_schema(MovesKind::Challenge);
        let severity = &challenge["$defs"]["ObjectionSeverity"];
        assert_eq!(severity["enum"], json!(["minor", "major", "blocker"]));
        let id = &challenge["$defs"]["NodeId"];
        assert_eq!(id["pattern"], NODE_PATTERN);
        assert!(id["maxLength"].is_null());
    }
}
