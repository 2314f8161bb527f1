//! TOML: a table at the end of the file changes nothing before it.

use serde_json::Value;
use toml_edit::DocumentMut;

use super::EditError;

pub(super) fn insert(
    text: &str,
    table: &str,
    name: &str,
    entry: &Value,
) -> Result<String, EditError> {
    let mut lines = vec![format!("[{table}.{name}]")];
    for (key, value) in entry.as_object().into_iter().flatten() {
        let value = toml::Value::try_from(value)
            .map_err(|error| EditError::Unreadable(error.to_string()))?;
        lines.push(format!("{key} = {value}"));
    }
    let end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let mut edited = text.to_owned();
    if !text.is_empty() {
        if !text.ends_with('\n') {
            edited.push_str(end);
        }
        edited.push_str(end);
    }
    for line in lines {
        edited.push_str(&line);
        edited.push_str(end);
    }
    Ok(edited)
}

pub(super) fn remove(text: &str, table: &str, name: &str) -> Result<String, EditError> {
    let mut document: DocumentMut = text
        .parse()
        .map_err(|error: toml_edit::TomlError| EditError::Unreadable(error.to_string()))?;
    if let Some(servers) = document
        .get_mut(table)
        .and_then(|item| item.as_table_like_mut())
    {
        servers.remove(name);
    }
    Ok(document.to_string())
}
