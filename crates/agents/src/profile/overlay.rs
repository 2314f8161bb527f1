//! Merges tables and JSON documents.

use serde_json::Value;

/// Merges `over` into `base`: tables entry by entry; lists and values are replaced.
pub(super) fn overlay_table(base: &mut toml::Table, over: &toml::Table) {
    for (key, value) in over {
        match (base.get_mut(key), value) {
            (Some(toml::Value::Table(base)), toml::Value::Table(over)) => overlay_table(base, over),
            _ => {
                base.insert(key.clone(), value.clone());
            }
        }
    }
}

/// Merges `over` into `base`: maps are merged, everything else is replaced.
pub(super) fn overlay_json(base: &mut Value, over: Value) {
    match (base, over) {
        (Value::Object(base), Value::Object(over)) => {
            for (key, value) in over {
                overlay_json(base.entry(key).or_insert(Value::Null), value);
            }
        }
        (base, over) => *base = over,
    }
}
