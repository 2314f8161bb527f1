//! Finds the error message of a tool or service: one line, safe to show.

use agon_record::text::sanitise_line;
use serde_json::Value;

use super::{RawOutput, tail_text};
use crate::dialect::documents;

// Two lines of a terminal with 100 columns.
/// The maximum number of characters that are quoted from a message.
const MAX_WORDS: usize = 200;
/// The size limit, in bytes, of an output that may be a notice.
const MAX_PROSE: usize = 2_048;
/// The maximum number of last lines that are searched for one with "error".
const TRACE_LINES: usize = 24;
/// The JSON fields that may contain the message, in order of preference.
const SENTENCES: [&str; 5] = ["message", "detail", "error", "error_description", "title"];
/// The nesting depth to which a JSON error is searched for its message.
const MAX_DEPTH: usize = 4;

/// Returns the reason in a message: the message field of a JSON error, or the first line of prose.
pub(super) fn extract_reason(message: &str) -> Option<String> {
    let documents: Vec<Value> = documents::parse_documents(message.as_bytes());
    let sentence = match documents.last() {
        Some(document) => json_error_message(document, 0)?,
        None => message
            .lines()
            .map(str::trim)
            .find(|line| has_words(line))?
            .to_owned(),
    };
    // The message field may itself contain a JSON error as text, so look inside that.
    if sentence.starts_with('{') && sentence != message {
        return extract_reason(&sentence);
    }
    is_prose(&sentence).then(|| sanitise_line(&sentence, MAX_WORDS))
}

/// Returns the last line of standard error, or else of standard output, that describes the error.
pub(super) fn last_error_line(output: &RawOutput<'_>) -> Option<String> {
    let streams = [output.stderr_tail, output.stdout];
    streams.into_iter().find_map(last_line)
}

/// Returns the lines of a short output that are not JSON, which may be a notice. Empty for a long
/// output: that is an answer, which may itself mention limits and networks.
pub(super) fn prose_lines(stream: &[u8]) -> String {
    if stream.len() > MAX_PROSE {
        return String::new();
    }
    let text = tail_text(stream);
    let lines = text.lines().filter(|line| !line.starts_with(['{', '[']));
    lines.collect::<Vec<_>>().join("\n")
}

/// Returns the last line that contains "error", or else the last one with words.
fn last_line(stream: &[u8]) -> Option<String> {
    let text = tail_text(stream);
    let lines: Vec<String> = text
        .lines()
        .rev()
        .map(|line| sanitise_line(line, MAX_WORDS))
        .filter(|line| has_words(line))
        .take(TRACE_LINES)
        .collect();
    let names_error = |line: &&String| {
        let line = line.to_lowercase();
        line.contains("error:") || line.starts_with("error ")
    };
    let line = lines.iter().find(names_error).or(lines.first())?;
    is_prose(line).then(|| line.clone())
}

/// Returns the message in a JSON error.
fn json_error_message(document: &Value, depth: usize) -> Option<String> {
    let fields = document.as_object().filter(|_| depth < MAX_DEPTH)?;
    SENTENCES.iter().find_map(|name| match fields.get(*name)? {
        Value::String(text) => Some(text.trim().to_owned()).filter(|text| has_words(text)),
        inner => json_error_message(inner, depth + 1),
    })
}

fn has_words(line: &str) -> bool {
    line.chars().any(char::is_alphanumeric)
}

/// Returns whether a line is text for a person, not part of HTML or a dump.
fn is_prose(line: &str) -> bool {
    !line.starts_with(['{', '}', '[', ']', '<', '"', '\'']) && !line.contains("\":")
}
