//! What stands in the files that the user keeps for a tool.

use agon_files::json_text::replace_lone_surrogates;
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
        let file = json_of(&text).unwrap_or_default();
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
    json_of(&text)
}

/// The value of `text` as its tool reads it, which takes half a character and a byte order mark.
fn json_of(text: &str) -> Option<Value> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    serde_json::from_str(&replace_lone_surrogates(text)).ok()
}

/// What a file of the user's has, in TOML or in JSON with comments; none where it cannot be read.
pub(super) fn read_settings(file: &str, here: &Environment) -> Option<Value> {
    let text = agon_files::read_to_string(&here.expand_path(file), MAX_BYTES).ok()?;
    match file.ends_with(".toml") {
        true => serde_json::to_value(toml::from_str::<toml::Table>(&text).ok()?).ok(),
        false => settings_of_json(&text),
    }
}

/// Settings in JSON, in which comments and commas before a closing bracket may stand.
pub(super) fn settings_of_json(text: &str) -> Option<Value> {
    json_of(&plain_json(text))
}

/// `text` without comments and without commas before a closing bracket.
fn plain_json(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let taken = match c {
            '"' => string_length(rest),
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

/// The bytes of the string that `text` begins with, its quotes included.
fn string_length(text: &str) -> usize {
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
        let read = settings_of_json(text).unwrap();
        let expected = serde_json::json!({"a": "http://x/*y*/,]", "b": [1, 2], "c\"": "\\"});
        assert_eq!(read, expected);
        assert_eq!(settings_of_json("{\"a\": /* open"), None);
    }

    #[test]
    fn half_a_character_and_a_byte_order_mark_are_read_as_the_tool_reads_them() {
        let text = "\u{feff}{\"a\": \"x \\ud83d\", /* b */ \"c\": [\"\\ude00\",]}";
        let expected = serde_json::json!({"a": "x \u{fffd}", "c": ["\u{fffd}"]});
        assert_eq!(settings_of_json(text), Some(expected));
        assert!(json_of("\u{feff}{\"a\": \"\\ud83d\"}").is_some());
    }
}
