//! Helpers for reading JSON that another program defines.

use agon_files::json_text::replace_lone_surrogates;
use jiff::Timestamp;
use serde_json::Value;

use crate::RawText;

/// Parses a line or a column as JSON.
///
/// A host that truncates text by UTF-16 units leaves half a surrogate pair, which is invalid JSON.
/// It is replaced with `\u{fffd}`.
pub(crate) fn parse(bytes: &[u8]) -> Option<Value> {
    match serde_json::from_slice(bytes) {
        Ok(value) => Some(value),
        Err(_) => {
            let text = String::from_utf8_lossy(bytes);
            serde_json::from_str(&replace_lone_surrogates(&text)).ok()
        }
    }
}

/// Returns the string at `key`; empty if there is none.
pub(crate) fn str_at<'v>(value: &'v Value, key: &str) -> &'v str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// Returns the string at `key`, unless it is missing or empty.
pub(crate) fn owned_at(value: &Value, key: &str) -> Option<String> {
    let text = str_at(value, key);
    (!text.is_empty()).then(|| text.to_owned())
}

/// Returns the number at `key`; 0 if there is none.
pub(crate) fn count_at(value: &Value, key: &str) -> u64 {
    value.get(key).and_then(count).unwrap_or_default()
}

/// Returns a non-negative whole number, even if it is written as a float.
pub(crate) fn count(value: &Value) -> Option<u64> {
    let whole = value.as_u64();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the range was checked"
    )]
    let rounded = || {
        let number = value.as_f64()?;
        (0.0..1e15).contains(&number).then_some(number as u64)
    };
    whole.or_else(rounded)
}

/// Returns the RFC 3339 time at `key`.
pub(crate) fn time_at(value: &Value, key: &str) -> Option<Timestamp> {
    str_at(value, key).parse().ok()
}

/// Returns the text of a message's content: a string, or the texts of its parts joined by newlines.
pub(crate) fn text_of(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            let texts: Vec<String> = parts
                .iter()
                .map(text_of)
                .filter(|it| !it.is_empty())
                .collect();
            texts.join("\n")
        }
        Value::Object(fields) => ["text", "content", "parts", "output", "error"]
            .iter()
            .find_map(|key| fields.get(*key))
            .map(text_of)
            .unwrap_or_default(),
        Value::Null | Value::Bool(_) | Value::Number(_) => String::new(),
    }
}

/// Returns [`text_of`] as raw text.
pub(crate) fn raw_text_of(value: &Value) -> RawText {
    RawText::from(text_of(value))
}

/// Moves the string at `key` out of its tree.
pub(crate) fn take_text(value: &mut Value, key: &str) -> RawText {
    match value.get_mut(key).map(Value::take) {
        Some(Value::String(text)) => RawText::from(text),
        Some(other) => raw_text_of(&other),
        None => RawText::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_a_character_costs_no_line() {
        for (line, text) in [
            (r#"{"t":"a \ud83d"}"#, "a \u{fffd}"),
            (
                r#"{"t":"\ude00\ud83d\ude00 \\ud83d"}"#,
                "\u{fffd}😀 \\ud83d",
            ),
            (r#"{"t":"\ud83d\n"}"#, "\u{fffd}\n"),
        ] {
            let value = parse(line.as_bytes());
            assert_eq!(
                value.as_ref().map(|it| str_at(it, "t")),
                Some(text),
                "{line}"
            );
        }
        let cut = b"{\"t\":\"a\xf0\x9f\"}";
        assert_eq!(
            parse(cut).map(|it| str_at(&it, "t").to_owned()).as_deref(),
            Some("a\u{fffd}")
        );
        for damaged in [
            r#"{"t":"\ud83d"#,
            r#"{"t":\"#,
            r#"{"t":"\u"}"#,
            r#"{"t":"\ué"}"#,
        ] {
            assert_eq!(parse(damaged.as_bytes()), None, "{damaged}");
        }
    }
}
