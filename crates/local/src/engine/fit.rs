//! A JSON Schema as the grammar is given it: what it can hold a model to, and no longer than a
//! small model should write.
//!
//! The result is narrower than what was asked for: whatever fits it fits the schema it was made
//! of, but for patterns that would take too long and conditions that no grammar can state.

use serde_json::{Map, Value, json};

/// The most characters of a text.
const MOST_TEXT: u64 = 240;

/// The most items of a list, where no more are required.
const MOST_ITEMS: u64 = 3;

/// A pattern that repeats something more often than this takes too long.
const MOST_REPEATS: u64 = 12;

/// So deep a schema goes; deeper parts may be left out of an answer, or be anything.
const DEPTH: usize = 24;

/// How a schema writes its members: on one line, so that most of it needs no choice.
pub(super) fn grammar(fitted: &Value) -> Value {
    let mut grammar = fitted.clone();
    grammar["x-guidance"] = json!({
        "whitespace_flexible": false,
        "item_separator": ", ",
        "key_separator": ": ",
    });
    grammar
}

/// The schema of the shortest answers that say all that is required.
pub fn fitted(schema: &Value) -> Value {
    let parts = schema.get("$defs").cloned().unwrap_or_else(|| json!({}));
    fit(schema, &parts, DEPTH)
}

/// A fitted schema, with no more items than are required and texts of half the length.
pub fn shorter(fitted: &Value) -> Value {
    match fitted {
        Value::Object(object) => {
            let mut object: Map<String, Value> = object
                .iter()
                .map(|(key, value)| match key.as_str() {
                    "const" | "enum" => (key.clone(), value.clone()),
                    _ => (key.clone(), shorter(value)),
                })
                .collect();
            if let Some(most) = number(&object, "maxLength") {
                let least = number(&object, "minLength").unwrap_or(0);
                object.insert("maxLength".to_owned(), json!((most / 2).max(least).max(1)));
            }
            if object.contains_key("maxItems") {
                let least = number(&object, "minItems").unwrap_or(0);
                object.insert("maxItems".to_owned(), json!(least));
            }
            Value::Object(object)
        }
        Value::Array(items) => Value::Array(items.iter().map(shorter).collect()),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => fitted.clone(),
    }
}

fn fit(schema: &Value, parts: &Value, depth: usize) -> Value {
    let Some(depth) = depth.checked_sub(1) else {
        return json!({});
    };
    let Some(mut schema) = whole(schema, parts) else {
        return json!({});
    };
    for key in ["const", "enum"] {
        if let Some(value) = schema.get(key) {
            return json!({ key: value });
        }
    }
    if kind(&schema) == Some("array") {
        return array(&schema, parts, depth);
    }
    let branches = branches(&mut schema);
    if schema.contains_key("properties") {
        let objects: Vec<_> = branches
            .iter()
            .map(|branch| object(overlaid(&schema, branch), parts, depth))
            .collect();
        return one_of(objects).unwrap_or_else(|| object(schema, parts, depth));
    }
    let options = branches.iter().filter(|branch| !is_null(branch));
    let options: Vec<_> = options.map(|branch| fit(branch, parts, depth)).collect();
    if let Some(options) = one_of(options) {
        return options;
    }
    match kind(&schema) {
        Some("string") => string(&schema),
        Some("number" | "integer") => kept(&schema, &["type", "minimum", "maximum"]),
        Some(kind) => json!({ "type": kind }),
        None => json!({}),
    }
}

/// A schema with what it refers to in it; none where it is no object.
fn whole(schema: &Value, parts: &Value) -> Option<Map<String, Value>> {
    let mut whole = schema.as_object()?.clone();
    for _ in 0..DEPTH {
        let Some(reference) = whole.remove("$ref") else {
            break;
        };
        let name = reference.as_str()?.strip_prefix("#/$defs/")?;
        let mut part = parts.get(name)?.as_object()?.clone();
        part.extend(whole);
        whole = part;
    }
    // What holds in some cases is required in all.
    if whole.remove("if").is_some()
        && let Some(then) = whole.remove("then")
    {
        require(&mut whole, &then);
    }
    Some(whole)
}

/// The ways an object may be, taken out of it: what must be there in each.
///
/// Of several conditions that all hold, each has ways of its own. The first condition is met in
/// its first way and the others in their last: all combinations would be too many, and a model
/// that says the same in answer to each says little.
fn branches(schema: &mut Map<String, Value>) -> Vec<Value> {
    let mut chosen = json!({});
    let conditions = schema.remove("allOf");
    let conditions = conditions.as_ref().and_then(Value::as_array);
    for (at, condition) in conditions.into_iter().flatten().enumerate() {
        let ways = condition.get("anyOf").and_then(Value::as_array);
        let way = match ways {
            Some(ways) if at == 0 => ways.first(),
            Some(ways) => ways.last(),
            None => Some(condition),
        };
        if let (Some(way), Some(base)) = (way, chosen.as_object()) {
            chosen = Value::Object(overlaid(base, way));
        }
    }
    let ways = schema.remove("anyOf").or_else(|| schema.remove("oneOf"));
    let ways = ways.as_ref().and_then(Value::as_array).cloned();
    let base = chosen.as_object().cloned().unwrap_or_default();
    let ways = ways.unwrap_or_default();
    if ways.is_empty() && !base.is_empty() {
        return vec![Value::Object(base)];
    }
    // Ways that hang on what is in a list come last: the grammar would choose the item.
    let plain = |way: &&Value| !way.to_string().contains("\"contains\":");
    let mut few: Vec<&Value> = ways.iter().filter(plain).collect();
    if few.is_empty() {
        few = ways.iter().take(1).collect();
    }
    few.into_iter()
        .map(|way| {
            if base.is_empty() {
                way.clone()
            } else {
                Value::Object(overlaid(&base, way))
            }
        })
        .collect()
}

/// A schema with what another says besides; what a list must contain is gathered.
fn overlaid(base: &Map<String, Value>, over: &Value) -> Map<String, Value> {
    let mut all = base.clone();
    for (key, value) in over.as_object().into_iter().flatten() {
        match key.as_str() {
            "required" => require(&mut all, over),
            "properties" => {
                let properties = all.entry(key.as_str()).or_insert_with(|| json!({}));
                for (name, value) in value.as_object().into_iter().flatten() {
                    let before = properties.get(name).and_then(Value::as_object);
                    let merged = overlaid(&before.cloned().unwrap_or_default(), value);
                    properties[name.as_str()] = Value::Object(merged);
                }
            }
            "contains" => {
                let held = all.entry("allOf").or_insert_with(|| json!([]));
                if let Some(held) = held.as_array_mut() {
                    held.push(json!({ "contains": value }));
                }
            }
            _ => {
                all.insert(key.clone(), value.clone());
            }
        }
    }
    all
}

fn require(schema: &mut Map<String, Value>, from: &Value) {
    let names = from.get("required").and_then(Value::as_array);
    let required = schema.entry("required").or_insert_with(|| json!([]));
    if let Some(required) = required.as_array_mut() {
        for name in names.into_iter().flatten() {
            if !required.contains(name) {
                required.push(name.clone());
            }
        }
    }
}

/// An object with the members that are required, and no others.
fn object(schema: Map<String, Value>, parts: &Value, depth: usize) -> Value {
    let required = schema.get("required").and_then(Value::as_array);
    let required = |name: &str| required.is_some_and(|all| all.iter().any(|one| one == name));
    let properties = schema.get("properties").and_then(Value::as_object);
    let kept: Map<String, Value> = properties
        .into_iter()
        .flatten()
        .filter(|(name, _)| required(name))
        .map(|(name, member)| (name.clone(), fit(member, parts, depth)))
        .collect();
    let names: Vec<_> = kept.keys().cloned().collect();
    json!({ "type": "object", "properties": kept, "required": names, "additionalProperties": false })
}

/// A list; what it must contain stands first in it.
fn array(schema: &Map<String, Value>, parts: &Value, depth: usize) -> Value {
    if let Some(places) = schema.get("prefixItems").and_then(Value::as_array) {
        // Each place has its own item, and there are no others.
        let places: Vec<_> = places
            .iter()
            .map(|place| fit(place, parts, depth))
            .collect();
        let count = places.len();
        return json!({
            "type": "array", "prefixItems": places, "minItems": count, "maxItems": count,
        });
    }
    let item = schema.get("items").cloned().unwrap_or_else(|| json!({}));
    let conditions = schema.get("allOf").and_then(Value::as_array);
    let conditions = conditions.into_iter().flatten();
    let contained: Vec<&Value> = conditions
        .filter_map(|condition| condition.get("contains"))
        .chain(schema.get("contains"))
        .collect();
    let first: Vec<_> = contained
        .iter()
        .filter_map(|contained| {
            let item = Value::Object(overlaid(&whole(&item, parts)?, contained));
            Some(fit(&item, parts, depth))
        })
        .collect();
    let placed = u64::try_from(first.len()).unwrap_or(u64::MAX);
    let least = number(schema, "minItems").unwrap_or(0).max(placed);
    let most = number(schema, "maxItems").unwrap_or(MOST_ITEMS);
    let most = most.min(MOST_ITEMS).max(least);
    let mut list = json!({
        "type": "array", "items": fit(&item, parts, depth), "minItems": least, "maxItems": most,
    });
    if !first.is_empty() {
        list["prefixItems"] = json!(first);
    }
    list
}

fn string(schema: &Map<String, Value>) -> Value {
    let mut string = kept(schema, &["type", "minLength"]);
    string["type"] = json!("string");
    let pattern = schema.get("pattern").and_then(Value::as_str);
    match pattern.filter(|pattern| is_short(pattern)) {
        Some(pattern) => string["pattern"] = json!(pattern),
        None => {
            let most = number(schema, "maxLength").unwrap_or(MOST_TEXT);
            let least = number(schema, "minLength").unwrap_or(0);
            string["maxLength"] = json!(most.min(MOST_TEXT).max(least));
        }
    }
    string
}

fn is_short(pattern: &str) -> bool {
    let endless = pattern.contains(['*', '+']);
    let counts = pattern.split('{').skip(1);
    let repeats = |count: &str| {
        let most = count
            .split('}')
            .next()
            .and_then(|c| c.split(',').next_back());
        most.and_then(|most| most.parse::<u64>().ok())
    };
    !endless
        && counts
            .map(repeats)
            .all(|most| most.is_some_and(|most| most <= MOST_REPEATS))
}

fn kept(schema: &Map<String, Value>, keys: &[&str]) -> Value {
    let kept = schema
        .iter()
        .filter(|(key, _)| keys.contains(&key.as_str()));
    let mut kept: Map<String, Value> = kept
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect();
    if let Some(kind) = kind(schema) {
        kept.insert("type".to_owned(), json!(kind));
    }
    Value::Object(kept)
}

/// The type of a value; of several, the first that is not null.
fn kind(schema: &Map<String, Value>) -> Option<&str> {
    match schema.get("type")? {
        Value::String(kind) => Some(kind),
        Value::Array(kinds) => {
            let mut kinds = kinds.iter().filter_map(Value::as_str);
            kinds.find(|kind| *kind != "null")
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => None,
    }
}

fn is_null(schema: &Value) -> bool {
    schema.get("type").is_some_and(|kind| kind == "null")
}

fn one_of(mut options: Vec<Value>) -> Option<Value> {
    match options.len() {
        0 => None,
        1 => options.pop(),
        _ => Some(json!({ "anyOf": options })),
    }
}

fn number(schema: &Map<String, Value>, key: &str) -> Option<u64> {
    schema.get(key)?.as_u64()
}

#[cfg(test)]
mod tests;
