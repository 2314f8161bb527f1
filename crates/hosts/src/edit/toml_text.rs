//! Edits TOML: appends a table to the end of the file, or an entry to an inline table of servers.

use serde_json::Value;
use toml_edit::{Document, DocumentMut, InlineTable, Item, Value as TomlValue};

use super::EditError;

pub(super) fn insert(
    text: &str,
    table: &str,
    name: &str,
    entry: &Value,
) -> Result<String, EditError> {
    let mut settings = Vec::new();
    for (key, value) in entry.as_object().into_iter().flatten() {
        let value = toml::Value::try_from(value)
            .map_err(|error| EditError::Unreadable(error.to_string()))?;
        settings.push(format!("{key} = {value}"));
    }
    let document = Document::parse(text).map_err(unreadable)?;
    if let Some(Item::Value(TomlValue::InlineTable(servers))) = document.get(table)
        && !servers.is_dotted()
    {
        let server = format!("{name} = {{ {} }}", settings.join(", "));
        return insert_inline(text, servers, &server).ok_or(EditError::NotExact);
    }
    settings.insert(0, format!("[{table}.{name}]"));
    let end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let mut edited = text.to_owned();
    if !text.is_empty() {
        if !text.ends_with('\n') {
            edited.push_str(end);
        }
        edited.push_str(end);
    }
    for line in settings {
        edited.push_str(&line);
        edited.push_str(end);
    }
    Ok(edited)
}

/// Returns `text` with `server` as the last entry of its inline table `servers`, which a table header
/// could not extend.
fn insert_inline(text: &str, servers: &InlineTable, server: &str) -> Option<String> {
    let (at, added) = match end_of_last_entry(servers) {
        Some(end) => (end, format!(", {server}")),
        None => {
            let at = servers.span()?.start + 1;
            let is_bare = text.get(at..)?.starts_with('}');
            (at, format!(" {server}{}", if is_bare { " " } else { "" }))
        }
    };
    let (before, after) = (text.get(..at)?, text.get(at..)?);
    Some(format!("{before}{added}{after}"))
}

/// Returns the offset at which the last value of `table` ends. A dotted key such as `a.b = 1` makes an
/// inner table without a span.
fn end_of_last_entry(table: &InlineTable) -> Option<usize> {
    let ends = table.iter().filter_map(|(_, value)| match value {
        TomlValue::InlineTable(inner) if inner.is_dotted() => end_of_last_entry(inner),
        value => value.span().map(|span| span.end),
    });
    ends.max()
}

fn unreadable(error: toml_edit::TomlError) -> EditError {
    EditError::Unreadable(error.to_string())
}

pub(super) fn remove(text: &str, table: &str, name: &str) -> Result<String, EditError> {
    let mut document: DocumentMut = text.parse().map_err(unreadable)?;
    if let Some(servers) = document
        .get_mut(table)
        .and_then(|item| item.as_table_like_mut())
    {
        servers.remove(name);
    }
    Ok(document.to_string())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::ServerFormat;
    use super::super::Splice;

    const CODEX: ServerFormat = ServerFormat::Toml {
        table: "mcp_servers",
    };

    #[test]
    fn servers_in_one_line_get_one_more_in_that_line() {
        let agon = "agon = { command = \"agon\", args = [\"mcp\"] }";
        for (before, after) in [
            ("mcp_servers = {}\n", "mcp_servers = { AGON }\n"),
            (
                "mcp_servers = { } # none\n",
                "mcp_servers = { AGON } # none\n",
            ),
            (
                "\"mcp_servers\" = {x = {command = \"x\"}}",
                "\"mcp_servers\" = {x = {command = \"x\"}, AGON}",
            ),
            (
                "'mcp_servers' = { x.command = \"x\", 'y z'.env.A = '1' }\r\na = 1\r\n",
                "'mcp_servers' = { x.command = \"x\", 'y z'.env.A = '1', AGON }\r\na = 1\r\n",
            ),
            (
                "mcp_servers = {\n  x = { command = \"x\" }, # mine\n}\n",
                "mcp_servers = {\n  x = { command = \"x\" }, AGON, # mine\n}\n",
            ),
        ] {
            let entry = json!({"command": "agon", "args": ["mcp"]});
            let edited = CODEX.insert(before, "agon", &entry).unwrap();
            assert_eq!(edited, after.replace("AGON", agon));
            let splice = Splice::between(before, &edited);
            let undone = CODEX.undo(&edited, "agon", &splice, false);
            assert_eq!(undone.as_deref(), Some(before));
        }
    }

    #[test]
    fn a_table_of_servers_that_was_empty_before_is_so_again() {
        let entry = json!({"command": "agon", "args": ["mcp"]});
        for before in [
            "[mcp_servers]\n",
            "[mcp_servers] # none yet\nx = {}\n",
            "mcp_servers = {}",
        ] {
            let edited = CODEX.insert(before, "agon", &entry).unwrap();
            let splice = Splice::between(before, &edited);
            let undone = CODEX.undo(&edited, "agon", &splice, false);
            assert_eq!(undone.as_deref(), Some(before));
            assert!(CODEX.remove(&edited, "agon", false).is_ok(), "{edited}");
        }
    }
}
