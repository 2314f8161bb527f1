//! What stands in the files that the user keeps for a tool.

use serde_json::Value;

use crate::environment::Environment;

/// The keys of a table in a file of the user's.
pub(super) fn read_table_keys(file: &str, table: &str, here: &Environment) -> Vec<String> {
    let Ok(text) = std::fs::read_to_string(here.expand_path(file)) else {
        return Vec::new();
    };
    if file.ends_with(".json") {
        let file: Value = serde_json::from_str(&text).unwrap_or_default();
        let table = file.get(table).and_then(Value::as_object);
        table.map_or_else(Vec::new, |table| table.keys().cloned().collect())
    } else {
        let file: toml::Table = toml::from_str(&text).unwrap_or_default();
        let table = file.get(table).and_then(toml::Value::as_table);
        table.map_or_else(Vec::new, |table| table.keys().cloned().collect())
    }
}

/// What is in a file of the user's in JSON, where there is one.
pub(super) fn read_json(file: &str, here: &Environment) -> Option<Value> {
    let text = std::fs::read_to_string(here.expand_path(file)).ok()?;
    serde_json::from_str(&text).ok()
}
