//! Reads fields of response items.

use serde_json::{Value, json};

use crate::json::{count_at, raw_text_of, str_at, text_of};
use crate::stream::{Origin, Output};
use crate::{EntryKind, Loaded, LoadedKind, Tokens};

/// Reads token counts. The host includes cached tokens in the input and reasoning in the output.
pub(super) fn tokens(usage: &Value) -> Tokens {
    Tokens {
        input: count_at(usage, "input_tokens"),
        cached: count_at(usage, "cached_input_tokens"),
        cache_written: count_at(usage, "cache_write_input_tokens"),
        output: count_at(usage, "output_tokens"),
        reasoning: count_at(usage, "reasoning_output_tokens"),
    }
}

/// Reads the arguments of a call: JSON in a string, plain text, or an object.
pub(super) fn arguments(item: &mut Value) -> Value {
    if let Some(input) = item.get_mut("input") {
        return json!({"input": input.take()});
    }
    for key in ["arguments", "action"] {
        match item.get_mut(key).map(Value::take) {
            Some(Value::String(text)) => {
                return serde_json::from_str(&text).unwrap_or(Value::String(text));
            }
            Some(Value::Null) | None => {}
            Some(other) => return other,
        }
    }
    Value::Null
}

/// Passes on the parts of a message from the user or the host.
pub(super) fn message(item: &Value, origin: &Origin, out: &mut Output<'_>) {
    let is_user = str_at(item, "role") == "user";
    let kinds = item
        .pointer("/internal_chat_message_metadata_passthrough/content_item_kinds")
        .and_then(Value::as_array);
    let Some(parts) = item.get("content").and_then(Value::as_array) else {
        return;
    };
    for (at, part) in parts.iter().enumerate() {
        let text = raw_text_of(part);
        if text.is_empty() {
            continue;
        }
        let named = kinds.and_then(|it| it.get(at)).map(text_of);
        let kind = match named.as_deref() {
            _ if !is_user => Some(LoadedKind::System),
            Some(kind) if kind.starts_with("user.") => None,
            Some(kind) if kind.starts_with("agents_md") => Some(LoadedKind::Instructions),
            Some(kind) if kind.starts_with("hook") => Some(LoadedKind::Hook),
            Some(_) => Some(LoadedKind::Surroundings),
            None => classify_injected_text(text.as_str()),
        };
        let kind = match kind {
            Some(kind) => EntryKind::Loaded(Loaded { kind, text }),
            None => EntryKind::Prompt(text),
        };
        out.push(origin, kind);
    }
}

/// Classifies a text in the user's name by its first words, for old records without a kind.
fn classify_injected_text(text: &str) -> Option<LoadedKind> {
    let starts = |words: &[&str]| words.iter().any(|it| text.starts_with(it));
    if starts(&["# AGENTS.md instructions", "<user_instructions>"]) {
        Some(LoadedKind::Instructions)
    } else if starts(&[
        "<environment_context>",
        "<turn_aborted>",
        "<user_shell_command>",
    ]) {
        Some(LoadedKind::Surroundings)
    } else {
        None
    }
}
