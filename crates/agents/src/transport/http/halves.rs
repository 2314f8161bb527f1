//! Handles unpaired surrogates: a server that splits a stream in the middle of an emoji escapes each
//! half separately (`\ud83d`, then `\ude00`), which strict JSON parsers reject.

use agon_files::json_text::{ESCAPE_LENGTH, lone_surrogate_offsets};
use serde_json::Value;

use crate::profile::Adapter;

// Half a surrogate pair is not a character, so a private-use character stands for it. Its code is
// that of the half plus this offset.
/// The offset that is added to the code of half a surrogate pair.
const MARK: u32 = 0x10_0000;

/// Parses a stream message in which each unpaired surrogate is replaced by its mark; `None` if it
/// still is not JSON.
pub(super) fn read_message(message: &str) -> Option<Value> {
    serde_json::from_str(&mark_halves(message)).ok()
}

/// Returns the answer text in a message, without the model's thinking.
pub(super) fn text_of_message(adapter: Adapter, message: &Value) -> String {
    let content = match adapter {
        Adapter::Openai => message.pointer("/choices/0/delta/content"),
        Adapter::Anthropic => message.pointer("/delta/text"),
        Adapter::Gemini => message.pointer("/candidates/0/content/parts"),
    };
    let is_thought = |part: &&Value| part.get("thought").and_then(Value::as_bool) == Some(true);
    match content {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(parts)) => {
            let parts = parts.iter().filter(|part| !is_thought(part));
            parts
                .filter_map(|part| part.get("text")?.as_str())
                .collect()
        }
        _ => String::new(),
    }
}

/// Joins marked halves to characters; a half without its other half becomes U+FFFD.
pub(super) fn join(text: &str) -> String {
    let unit = |c: char| {
        let unit = u32::from(c).checked_sub(MARK)?;
        let unit = u16::try_from(unit).ok()?;
        (0xD800..=0xDFFF).contains(&unit).then_some(unit)
    };
    let mut joined = String::with_capacity(text.len());
    let mut halves = Vec::new();
    let flush = |joined: &mut String, halves: &mut Vec<u16>| {
        joined.push_str(&String::from_utf16_lossy(halves));
        halves.clear();
    };
    for c in text.chars() {
        match unit(c) {
            Some(unit) => halves.push(unit),
            None => {
                flush(&mut joined, &mut halves);
                joined.push(c);
            }
        }
    }
    flush(&mut joined, &mut halves);
    joined
}

/// Replaces escaped unpaired surrogates in JSON by marks; complete pairs are unchanged.
fn mark_halves(json: &str) -> String {
    let mut marked = String::with_capacity(json.len());
    let mut copied = 0;
    for at in lone_surrogate_offsets(json) {
        let digits = json.get(at + 2..at + ESCAPE_LENGTH).unwrap_or_default();
        let unit = u32::from_str_radix(digits, 16).unwrap_or_default();
        marked.push_str(&json[copied..at]);
        marked.extend(char::from_u32(MARK + unit));
        copied = at + ESCAPE_LENGTH;
    }
    marked.push_str(&json[copied..]);
    marked
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(pieces: &[&str]) -> String {
        let message =
            |text: &&str| format!(r#"{{"choices":[{{"delta":{{"content":"{text}"}}}}]}}"#);
        let texts = pieces.iter().map(message);
        let texts = texts.map(|it| text_of_message(Adapter::Openai, &read_message(&it).unwrap()));
        join(&texts.collect::<String>())
    }

    #[test]
    fn halves_in_two_messages_are_one_character() {
        assert_eq!(read(&[r"a \ud83d", r"\ude00 b"]), "a \u{1f600} b");
        assert_eq!(
            read(&[r"\ud83d\ude00 \ud83d", r"\ude80"]),
            "\u{1f600} \u{1f680}"
        );
        assert_eq!(read(&[r"\\ud83d \n"]), "\\ud83d \n");
    }

    #[test]
    fn a_half_alone_is_replaced() {
        assert_eq!(read(&[r"a \ud83d", "b"]), "a \u{fffd}b");
        assert_eq!(read(&[r"\ude00 b \ud83d"]), "\u{fffd} b \u{fffd}");
        let message = read_message("{\"x\": \"\\ud83d\"}").unwrap();
        assert_eq!(text_of_message(Adapter::Openai, &message), "");
        assert_eq!(read_message("{\"x\": \"\\ud83d\""), None);
    }

    #[test]
    fn all_parts_are_text_but_thoughts() {
        for (adapter, message) in [
            (
                Adapter::Gemini,
                r#"{"candidates":[{"content":{"parts":[{"text":"hm \ud83d","thought":true},
                    {"text":"a"},{"inlineData":{}},{"text":" b \ud83d","thought":false}]}}]}"#,
            ),
            (
                Adapter::Openai,
                r#"{"choices":[{"delta":{"content":[{"type":"thinking","thinking":[{"text":"hm"}]},
                    {"type":"text","text":"a"},{"type":"text","text":" b \ud83d"}]}}]}"#,
            ),
        ] {
            let text = text_of_message(adapter, &read_message(message).unwrap());
            assert_eq!(join(&text), "a b \u{fffd}");
        }
    }
}
