//! A JSON Schema as the grammar is given it: an end to every text and list, and no longer than a
//! small model should write.
//!
//! It is for schemas of types, fixed words, counts, bounds and lists of fixed places. Whatever fits
//! the result fits the schema it was made of, but for patterns that would take too long.

use serde_json::{Map, Value, json};

// The longest text that a compact schema asks for has 40 words of five letters, so 200
// (`rules/src/schema/compact.rs`). Held by `long_patterns_become_lengths_and_short_ones_stay`.
/// The most characters of a text.
const MAX_TEXT: u64 = 240;

// A ground of a compact schema has some 300 letters, about 75 tokens: three leave most of the 1,200
// tokens of an answer to the rest.
/// The most items of a list, where no more are required.
const MAX_ITEMS: u64 = 3;

// Measured: with a pattern that repeats 20 to 160 times, llama.cpp's server gave no answer within
// 60 s. Held by `long_patterns_become_lengths_and_short_ones_stay`.
/// A pattern that repeats something more often than this takes too long.
const MAX_REPEATS: u64 = 12;

/// The schema with hints for llguidance to write JSON on one line with fixed separators, so that
/// few tokens need a choice.
pub(super) fn with_one_line_layout(fitted: &Value) -> Value {
    let mut grammar = fitted.clone();
    grammar["x-guidance"] = json!({
        "whitespace_flexible": false,
        "item_separator": ", ",
        "key_separator": ": ",
    });
    grammar
}

/// A schema with an end to every text and list in it, and objects without other members.
pub fn fit_schema(schema: &Value) -> Value {
    map_schema_parts(schema, &|part| match part.get("type") {
        Some(kind) if kind == "object" => {
            part.insert("additionalProperties".to_owned(), json!(false));
        }
        Some(kind) if kind == "array" => {
            let least = number_at_key(part, "minItems").unwrap_or(0);
            let most = number_at_key(part, "maxItems").unwrap_or(MAX_ITEMS);
            if !part.contains_key("prefixItems") {
                let most = most.min(MAX_ITEMS).max(least);
                part.insert("maxItems".to_owned(), json!(most));
            }
        }
        Some(kind) if kind == "string" && !has_const_or_enum(part) => {
            let pattern = part.get("pattern").and_then(Value::as_str);
            if pattern.is_some_and(is_short_pattern) {
                part.remove("maxLength");
                return;
            }
            part.remove("pattern");
            let least = number_at_key(part, "minLength").unwrap_or(0);
            let most = number_at_key(part, "maxLength").unwrap_or(MAX_TEXT);
            part.insert("maxLength".to_owned(), json!(most.min(MAX_TEXT).max(least)));
        }
        _ => {}
    })
}

/// A fitted schema, with no more items than are required and texts of half the length.
pub fn shorten_schema(fitted: &Value) -> Value {
    map_schema_parts(fitted, &|part| {
        if let Some(most) = number_at_key(part, "maxLength") {
            let least = number_at_key(part, "minLength").unwrap_or(0);
            part.insert("maxLength".to_owned(), json!((most / 2).max(least).max(1)));
        }
        if part.contains_key("maxItems") && !part.contains_key("prefixItems") {
            let least = number_at_key(part, "minItems").unwrap_or(0);
            part.insert("maxItems".to_owned(), json!(least));
        }
    })
}

/// A schema, of which each part is changed by `change`, the inner ones first.
fn map_schema_parts(schema: &Value, change: &dyn Fn(&mut Map<String, Value>)) -> Value {
    let Value::Object(parts) = schema else {
        return schema.clone();
    };
    let each = |part: &Value| map_schema_parts(part, change);
    let parts = parts.iter().map(|(key, value)| {
        let value = match (key.as_str(), value) {
            ("properties", Value::Object(members)) => {
                let members = members.iter();
                Value::Object(members.map(|(name, it)| (name.clone(), each(it))).collect())
            }
            ("prefixItems" | "anyOf", Value::Array(all)) => all.iter().map(each).collect(),
            ("items", item) => each(item),
            _ => value.clone(),
        };
        (key.clone(), value)
    });
    let mut made = parts.collect();
    change(&mut made);
    Value::Object(made)
}

fn has_const_or_enum(part: &Map<String, Value>) -> bool {
    part.contains_key("const") || part.contains_key("enum")
}

/// Whether what fits a pattern comes to an end, and soon.
fn is_short_pattern(pattern: &str) -> bool {
    let endless = pattern.contains(['*', '+']) || !pattern.ends_with('$');
    let mut counts = pattern.split('{').skip(1);
    let few = |count: &str| {
        let most = count.split('}').next()?.split(',').next_back()?;
        Some(most.parse::<u64>().ok()? <= MAX_REPEATS)
    };
    !endless && counts.all(|count| few(count).unwrap_or(false))
}

fn number_at_key(part: &Map<String, Value>, key: &str) -> Option<u64> {
    part.get(key)?.as_u64()
}

#[cfg(test)]
mod tests;
