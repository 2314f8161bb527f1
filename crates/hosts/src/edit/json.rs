//! Edits JSON and keeps its comments, order and white space.

use jsonc_parser::cst::{CstInputValue, CstRootNode};
use serde_json::Value;

use super::EditError;
use crate::json::{Dialect, WholeText};

pub(super) fn insert(
    text: &str,
    dialect: Dialect,
    key: &str,
    name: &str,
    entry: &Value,
) -> Result<String, EditError> {
    edit(text, dialect, |root| {
        let no_map = || EditError::NoMap(key.to_owned());
        let object = root.object_value_or_create().ok_or_else(no_map)?;
        let servers = object.object_value_or_create(key).ok_or_else(no_map)?;
        servers.append(name, input(entry));
        Ok(())
    })
}

pub(super) fn remove(
    text: &str,
    dialect: Dialect,
    key: &str,
    name: &str,
    owns_map: bool,
) -> Result<String, EditError> {
    edit(text, dialect, |root| {
        let Some(object) = root.object_value() else {
            return Ok(());
        };
        let Some(servers) = object.object_value(key) else {
            return Ok(());
        };
        if let Some(server) = servers.get(name) {
            server.remove();
        }
        if owns_map
            && servers.properties().is_empty()
            && let Some(property) = object.get(key)
        {
            property.remove();
        }
        Ok(())
    })
}

/// Returns `text` after applying `change` to its syntax tree.
pub(super) fn edit(
    text: &str,
    dialect: Dialect,
    change: impl FnOnce(&CstRootNode) -> Result<(), EditError>,
) -> Result<String, EditError> {
    let whole = WholeText::of(text);
    let root = CstRootNode::parse(&whole.text, &dialect.options())
        .map_err(|error| EditError::Unreadable(error.to_string()))?;
    change(&root)?;
    let edited = whole.restore(root.to_string());
    // A file that was empty gets a final newline; others keep their own ending.
    Ok(match text.is_empty() && !edited.is_empty() {
        true => edited + "\n",
        false => edited,
    })
}

pub(super) fn input(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(value) => CstInputValue::Bool(*value),
        Value::Number(number) => CstInputValue::Number(number.to_string()),
        Value::String(text) => CstInputValue::String(text.clone()),
        Value::Array(all) => CstInputValue::Array(all.iter().map(input).collect()),
        Value::Object(map) => {
            let entries = map.iter();
            CstInputValue::Object(
                entries
                    .map(|(name, value)| (name.clone(), input(value)))
                    .collect(),
            )
        }
    }
}
