//! Minimal schemas for models.

use rmcp::model::JsonObject;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Value, json};

/// Returns the schema of a tool's arguments, without parts that a model does not need.
pub(crate) fn input_schema<T: JsonSchema>() -> JsonObject {
    let settings =
        SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    schema.remove("$schema");
    schema.remove("title");
    schema.remove("description");
    let mut object = schema.ensure_object().clone();
    let properties = object.get_mut("properties").and_then(Value::as_object_mut);
    for (name, property) in properties.into_iter().flatten() {
        shorten(property);
        // Drops their descriptions, because the description of the tool explains their values.
        if matches!(name.as_str(), "op" | "section")
            && let Some(property) = property.as_object_mut()
        {
            property.remove("description");
        }
    }
    object
}

/// Removes details that a model does not need, such as integer widths and nullable optional values.
fn shorten(property: &mut Value) {
    let Some(object) = property.as_object_mut() else {
        return;
    };
    for key in ["format", "default", "title"] {
        object.remove(key);
    }
    if object.get("minimum") == Some(&json!(0)) {
        object.remove("minimum");
    }
    if let Some(Value::Array(kinds)) = object.get_mut("type") {
        kinds.retain(|kind| kind != "null");
        if let [only] = kinds.as_slice() {
            object["type"] = only.clone();
        }
    }
    if let Some(Value::Array(words)) = object.get_mut("enum") {
        words.retain(|word| !word.is_null());
    }
    if let Some(Value::Array(kinds)) = object.remove("anyOf") {
        let kinds: Vec<_> = kinds
            .into_iter()
            .filter(|kind| kind["type"] != "null")
            .collect();
        match <[Value; 1]>::try_from(kinds) {
            Ok([Value::Object(only)]) => {
                for (key, value) in only {
                    object.entry(key).or_insert(value);
                }
                shorten(property);
            }
            Ok([other]) => object
                .insert("anyOf".to_owned(), json!([other]))
                .map_or((), drop),
            Err(kinds) => object
                .insert("anyOf".to_owned(), Value::Array(kinds))
                .map_or((), drop),
        }
    }
}
