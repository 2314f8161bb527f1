//! A schema in the forms that servers take it.

use serde_json::{Value, json};

/// A schema as it is, for servers that take more of them than OpenAI does.
pub(super) fn loose(schema: &Value) -> Value {
    let schema = &counted(schema.clone());
    json!({"type": "json_schema", "json_schema": {"name": "moves", "schema": schema, "strict": true}})
}

/// The same without `items: false` behind `prefixItems`: `maxItems` says so too, and llama.cpp
/// refuses it.
fn counted(schema: Value) -> Value {
    match schema {
        Value::Array(items) => items.into_iter().map(counted).collect(),
        Value::Object(keys) => {
            let ends = keys.contains_key("prefixItems") && keys.contains_key("maxItems");
            let kept = |(key, value): &(String, Value)| {
                !(ends && key == "items" && *value == Value::Bool(false))
            };
            let keys = keys.into_iter().filter(kept);
            keys.map(|(key, value)| (key, counted(value))).collect()
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
        assert_eq!(counted(schema), told);
    }
}
