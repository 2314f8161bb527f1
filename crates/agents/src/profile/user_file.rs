//! What stands in the files that the user keeps for a tool.

use serde_json::Value;

use crate::environment::Environment;

// Claude Code keeps the history of every project in one of them.
/// The most bytes of such a file that are read.
pub(crate) const MAX_BYTES: u64 = 64 << 20;

/// The keys of a table in a file of the user's.
pub(super) fn read_table_keys(file: &str, table: &str, here: &Environment) -> Vec<String> {
    let Ok(text) = agon_files::read_to_string(&here.expand_path(file), MAX_BYTES) else {
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
    let text = agon_files::read_to_string(&here.expand_path(file), MAX_BYTES).ok()?;
    serde_json::from_str(&text).ok()
}
