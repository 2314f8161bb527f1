//! A schema in the forms that servers accept.

use genai::chat::{JsonSchemaDialect, sanitize_json_schema};
use serde_json::{Value, json};

/// Returns the schema almost unchanged, for servers that accept more schemas than OpenAI.
pub(super) fn response_format(schema: &Value) -> Value {
    wrap(&drop_redundant_items_false(schema.clone()))
}

/// Returns the schema in OpenAI's strict form, in which every field is required.
pub(super) fn strict_response_format(schema: &Value) -> Value {
    wrap(&sanitize_json_schema(
        schema,
        JsonSchemaDialect::OpenAiStrict,
    ))
}

fn wrap(schema: &Value) -> Value {
    json!({"type": "json_schema", "json_schema": {"name": "moves", "schema": schema, "strict": true}})
}

/// Removes `items: false` next to `prefixItems` and `maxItems`: it is redundant there, and
/// llama.cpp rejects it.
fn drop_redundant_items_false(schema: Value) -> Value {
    match schema {
        Value::Array(items) => items.into_iter().map(drop_redundant_items_false).collect(),
        Value::Object(keys) => {
            let ends = keys.contains_key("prefixItems") && keys.contains_key("maxItems");
            let kept = |(key, value): &(String, Value)| {
                !(ends && key == "items" && *value == Value::Bool(false))
            };
            let keys = keys.into_iter().filter(kept);
            keys.map(|(key, value)| (key, drop_redundant_items_false(value)))
                .collect()
        }
        other @ (Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_)) => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schema_says_its_end_once() {
        let schema = json!({"properties": {"a": {"prefixItems": [{"const": 1}], "items": false, "maxItems": 1},
            "b": {"items": false}}});
        let told = json!({"properties": {"a": {"prefixItems": [{"const": 1}], "maxItems": 1},
            "b": {"items": false}}});
        assert_eq!(drop_redundant_items_false(schema), told);
    }
}
