//! Reads the user's configuration files of a tool.

use agon_files::json_text::replace_lone_surrogates;
use serde_json::Value;

use crate::environment::Environment;

// Large, because Claude Code stores the history of every project in one of these files.
/// The size limit of a user's configuration file, in bytes.
pub(crate) const MAX_BYTES: u64 = 64 << 20;

/// Returns the keys of a table in a user's file.
pub(super) fn read_table_keys(file: &str, table: &str, here: &Environment) -> Vec<String> {
    let Ok(text) = agon_files::read_to_string(&here.expand_path(file), MAX_BYTES) else {
        return Vec::new();
    };
    if file.ends_with(".json") {
        let file = parse_tool_json(&text).unwrap_or_default();
        let table = file.get(table).and_then(Value::as_object);
        table.map_or_else(Vec::new, |table| table.keys().cloned().collect())
    } else {
        let file: toml::Table = toml::from_str(&text).unwrap_or_default();
        let table = file.get(table).and_then(toml::Value::as_table);
        table.map_or_else(Vec::new, |table| table.keys().cloned().collect())
    }
}

/// Reads a user's JSON file, if it exists.
pub(super) fn read_json(file: &str, here: &Environment) -> Option<Value> {
    let text = agon_files::read_to_string(&here.expand_path(file), MAX_BYTES).ok()?;
    parse_tool_json(&text)
}

/// Parses JSON as the tools do, with unpaired surrogates and a byte-order mark.
fn parse_tool_json(text: &str) -> Option<Value> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    serde_json::from_str(&replace_lone_surrogates(text)).ok()
}

/// Reads a user's file in TOML or JSON with comments; `None` if it cannot be parsed.
pub(super) fn read_settings(file: &str, here: &Environment) -> Option<Value> {
    let text = agon_files::read_to_string(&here.expand_path(file), MAX_BYTES).ok()?;
    match file.ends_with(".toml") {
        true => serde_json::to_value(toml::from_str::<toml::Table>(&text).ok()?).ok(),
        false => parse_settings_json(&text),
    }
}

/// Parses JSON settings, which may contain comments and trailing commas.
pub(super) fn parse_settings_json(text: &str) -> Option<Value> {
    parse_tool_json(&strip_json_comments(text))
}

/// Removes comments and trailing commas from JSON.
fn strip_json_comments(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let taken = match c {
            '"' => json_string_length(rest),
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |at| at + 2),
            _ => c.len_utf8(),
        };
        let (piece, after) = rest.split_at(taken);
        rest = after;
        match c {
            '/' if taken > 1 => {}
            ']' | '}' => {
                let kept = plain.trim_end();
                let kept = kept.strip_suffix(',').unwrap_or(kept).len();
                plain.truncate(kept);
                plain.push(c);
            }
            _ => plain.push_str(piece),
        }
    }
    plain
}

/// Returns the length in bytes, with quotes, of the string at the start of `text`.
fn json_string_length(text: &str) -> usize {
    let mut is_escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '"' if !is_escaped => return at + 1,
            _ => is_escaped = c == '\\' && !is_escaped,
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_last_commas_are_left_out_and_strings_stay() {
        let text = r#"{ // one
            "a": "http://x/*y*/,]", /* two
            */ "b": [1, 2,], "c\"": "\\",
        }"#;
        let read = parse_settings_json(text).unwrap();
        let expected = serde_json::json!({"a": "http://x/*y*/,]", "b": [1, 2], "c\"": "\\"});
        assert_eq!(read, expected);
        assert_eq!(parse_settings_json("{\"a\": /* open"), None);
    }

    #[test]
    fn half_a_character_and_a_byte_order_mark_are_read_as_the_tool_reads_them() {
        let text = "\u{feff}{\"a\": \"x \\ud83d\", /* b */ \"c\": [\"\\ude00\",]}";
        let expected = serde_json::json!({"a": "x \u{fffd}", "c": ["\u{fffd}"]});
        assert_eq!(parse_settings_json(text), Some(expected));
        assert!(parse_tool_json("\u{feff}{\"a\": \"\\ud83d\"}").is_some());
    }
}
