//! Every document that the program prints has a published schema, and follows it.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;
use std::sync::{Arc, Mutex};

use jsonschema::Validator;
use serde_json::{Value, json};

use self::documents::DOCUMENTS;

#[path = "../../../src/documents.rs"]
mod documents;

static VALIDATORS: Mutex<BTreeMap<String, Arc<Validator>>> = Mutex::new(BTreeMap::new());

/// Holds what `command` printed to its schema, where it was to print a document and did.
pub(crate) fn check_printed_document(command: &Command, stdout: &str) {
    if command.get_args().any(|arg| arg == "--json")
        && let Ok(document @ Value::Object(_)) = serde_json::from_str(stdout)
    {
        assert_follows_its_schema(&document);
    }
}

/// Holds a document that was printed to the schema that it names.
///
/// Schemas themselves name none, and the answers of `agon ops` are as its callers have fixed them.
fn assert_follows_its_schema(document: &Value) {
    if document.get("$schema").is_some() || document.get("success").is_some() {
        return;
    }
    let id = document["schema"]
        .as_str()
        .unwrap_or_else(|| panic!("a document without a schema: {document}"));
    let wrong: Vec<_> = validator(id)
        .iter_errors(document)
        .map(|error| {
            let what = error.to_string();
            format!(
                "{}: {}",
                error.instance_path(),
                what.chars().take(400).collect::<String>()
            )
        })
        .collect();
    assert!(wrong.is_empty(), "{id}: {}", wrong.join("\n"));
}

/// What holds documents to the schema `id`, with every field of theirs in it.
fn validator(id: &str) -> Arc<Validator> {
    let mut validators = VALIDATORS.lock().unwrap();
    let made = validators.entry(id.to_owned()).or_insert_with(|| {
        let mut documents = DOCUMENTS.into_iter().flatten();
        let found = documents.find(|document| document.id == id || document.name == id);
        let mut schema = found
            .unwrap_or_else(|| panic!("{id} is not published"))
            .schema();
        let parts = definitions_of_parts(&schema);
        close_objects(&mut schema, &parts, false);
        Arc::new(jsonschema::draft202012::new(&schema).unwrap())
    });
    Arc::clone(made)
}

/// Lets no object have a field that its schema does not name; published schemas allow more, so
/// that a later version may have some.
///
/// The parts of an object that names fields itself are closed by that object: branches, and what
/// it refers to.
fn close_objects(schema: &mut Value, parts: &BTreeSet<String>, is_part: bool) {
    let object = match schema {
        Value::Object(object) => object,
        Value::Array(all) => {
            return all
                .iter_mut()
                .for_each(|one| close_objects(one, parts, is_part));
        }
        _ => return,
    };
    let names_fields = object.contains_key("properties");
    for (key, value) in object.iter_mut() {
        match key.as_str() {
            "properties" => close_each(value, parts, &|_| false),
            "$defs" => close_each(value, parts, &|name| parts.contains(name)),
            "oneOf" | "anyOf" | "allOf" => close_objects(value, parts, names_fields || is_part),
            _ => close_objects(value, parts, false),
        }
    }
    let is_closed = object.contains_key("additionalProperties");
    if names_fields && !is_part && !is_closed {
        object.insert("unevaluatedProperties".to_owned(), json!(false));
    }
}

fn close_each(named: &mut Value, parts: &BTreeSet<String>, is_part: &dyn Fn(&str) -> bool) {
    for (name, schema) in named.as_object_mut().into_iter().flatten() {
        close_objects(schema, parts, is_part(name));
    }
}

/// The definitions to which an object refers that names fields of its own besides.
fn definitions_of_parts(schema: &Value) -> BTreeSet<String> {
    let below = match schema {
        Value::Object(object) => object.values().collect(),
        Value::Array(all) => all.iter().collect(),
        _ => Vec::new(),
    };
    let mut found: BTreeSet<_> = below.into_iter().flat_map(definitions_of_parts).collect();
    if schema.get("properties").is_some()
        && let Some(name) = schema["$ref"]
            .as_str()
            .and_then(|path| path.strip_prefix("#/$defs/"))
    {
        found.insert(name.to_owned());
    }
    found
}

#[test]
fn a_document_with_a_field_that_is_not_published_is_refused() {
    let removed = |more: Value| {
        let mut document = json!({"schema": "agon.removed/1", "removed": []});
        document
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().cloned().unwrap());
        std::panic::catch_unwind(|| assert_follows_its_schema(&document)).is_ok()
    };
    assert!(removed(json!({})));
    assert!(!removed(json!({"more": 1})));
    assert!(!removed(json!({"removed": 1})));
    assert!(!removed(json!({"schema": "agon.limerick/1"})));
}
