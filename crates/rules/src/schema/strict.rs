//! The subset of JSON Schema that tools' schema options support.

use serde_json::{Map, Value, json};

/// Converts `schema` to the subset that tools' schema options support.
///
/// Every object requires all its properties and allows no others. An optional property may be null
/// instead, which the parser treats as absent. Unsupported keywords are removed, so the result may
/// allow more than `schema`.
pub fn strict_schema(schema: &Value) -> Value {
    match schema {
        Value::Object(object) => Value::Object(strict_object(object)),
        Value::Array(items) => Value::Array(items.iter().map(strict_schema).collect()),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => schema.clone(),
    }
}

const KNOWN: [&str; 11] = [
    "type",
    "description",
    "enum",
    "const",
    "pattern",
    "items",
    "minItems",
    "maxItems",
    "$ref",
    "$defs",
    "properties",
];

fn strict_object(object: &Map<String, Value>) -> Map<String, Value> {
    let mut out = Map::new();
    for (key, value) in object {
        match key.as_str() {
            "properties" => {
                out.insert(key.clone(), strict_properties(object, value));
            }
            "$defs" => {
                let defs = value.as_object().into_iter().flatten();
                let defs = defs.map(|(name, def)| (name.clone(), strict_schema(def)));
                out.insert(key.clone(), Value::Object(defs.collect()));
            }
            // A `$ref` must be the only key of its object, so drop the description.
            "description" if object.contains_key("$ref") => {}
            "enum" | "const" => {
                out.insert(key.clone(), value.clone());
            }
            known if KNOWN.contains(&known) => {
                out.insert(key.clone(), strict_schema(value));
            }
            _ => {}
        }
    }
    if let Some(Value::Object(properties)) = out.get("properties") {
        let names: Vec<_> = properties.keys().cloned().collect();
        out.insert("required".to_owned(), json!(names));
        out.insert("additionalProperties".to_owned(), json!(false));
    }
    out
}

fn strict_properties(owner: &Map<String, Value>, properties: &Value) -> Value {
    let required = |name: &str| {
        let list = owner.get("required").and_then(Value::as_array);
        list.is_some_and(|list| list.iter().any(|entry| entry == name))
    };
    let each = properties.as_object().into_iter().flatten();
    let each = each.map(|(name, schema)| {
        let strict = strict_schema(schema);
        let may_be_list = strict["type"] == "array" && strict["minItems"].is_null();
        if required(name) || may_be_list {
            (name.clone(), strict)
        } else {
            (
                name.clone(),
                json!({ "anyOf": [strict, { "type": "null" }] }),
            )
        }
    });
    Value::Object(each.collect())
}

#[cfg(test)]
mod tests {
    use agon_record::moves::MovesKind;

    use super::*;
    use crate::schema::reply_schema;

    fn objects(schema: &Value, visit: &mut impl FnMut(&Map<String, Value>)) {
        if let Value::Object(object) = schema {
            visit(object);
            object.values().for_each(|value| objects(value, visit));
        } else if let Value::Array(items) = schema {
            items.iter().for_each(|value| objects(value, visit));
        }
    }

    #[test]
    fn every_object_is_closed_and_names_all_its_properties() {
        for kind in MovesKind::ALL {
            let strict = strict_schema(&reply_schema(kind));
            let mut seen = 0;
            objects(&strict, &mut |object| {
                if let Some(Value::Object(properties)) = object.get("properties") {
                    seen += 1;
                    let names: Vec<_> = properties.keys().cloned().collect();
                    assert_eq!(object["required"], json!(names));
                    assert_eq!(object["additionalProperties"], false);
                }
                if object.contains_key("$ref") {
                    assert_eq!(object.len(), 1);
                }
            });
            assert!(seen > 0);
            jsonschema::draft202012::new(&strict).unwrap();
        }
    }
}
