//! Finds the error message of a tool or service: one line, safe to show.

use agon_record::text::sanitise_line;
use serde_json::Value;

use super::{RawOutput, end_of};
use crate::dialect::documents;

// Two lines of a terminal of 100 columns.
/// The most characters of a message that are quoted.
const MAX_WORDS: usize = 200;
/// The size limit, in bytes, of an output that is read as a notice.
const MAX_PROSE: usize = 2_048;
/// How many of the last lines are searched for one that contains "error".
const TRACE_LINES: usize = 24;
/// The JSON fields that may contain the message, in order of preference.
const SENTENCES: [&str; 5] = ["message", "detail", "error", "error_description", "title"];
/// The nesting depth to which a JSON error is searched.
const MAX_DEPTH: usize = 4;

/// The reason in a message: the message field of a JSON error, or the message itself if it is prose.
pub(super) fn reason_in(message: &str) -> Option<String> {
    let documents: Vec<Value> = documents::parse_documents(message.as_bytes());
    let sentence = match documents.last() {
        Some(document) => sentence_of(document, 0)?,
        None => message
            .lines()
            .map(str::trim)
            .find(|line| has_words(line))?
            .to_owned(),
    };
    // The message field may itself contain a JSON error as text.
    if sentence.starts_with('{') && sentence != message {
        return reason_in(&sentence);
    }
    is_prose(&sentence).then(|| sanitise_line(&sentence, MAX_WORDS))
}

/// The last line of standard error, or else of standard output, that describes the error.
pub(super) fn last_of(output: &RawOutput<'_>) -> Option<String> {
    let streams = [output.stderr_tail, output.stdout];
    streams.into_iter().find_map(last_line)
}

/// The lines of a short output that are not JSON: a notice. Empty for a long output, which is an
/// answer that may mention limits and networks.
pub(super) fn prose_of(stream: &[u8]) -> String {
    if stream.len() > MAX_PROSE {
        return String::new();
    }
    let text = end_of(stream);
    let lines = text.lines().filter(|line| !line.starts_with(['{', '[']));
    lines.collect::<Vec<_>>().join("\n")
}

/// The last line that contains "error", or else the last one with words.
fn last_line(stream: &[u8]) -> Option<String> {
    let text = end_of(stream);
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

/// The message of a JSON error.
fn sentence_of(document: &Value, depth: usize) -> Option<String> {
    let fields = document.as_object().filter(|_| depth < MAX_DEPTH)?;
    SENTENCES.iter().find_map(|name| match fields.get(*name)? {
        Value::String(text) => Some(text.trim().to_owned()).filter(|text| has_words(text)),
        inner => sentence_of(inner, depth + 1),
    })
}

fn has_words(line: &str) -> bool {
    line.chars().any(char::is_alphanumeric)
}

/// Whether a line is text for a person, not part of HTML or a dump.
fn is_prose(line: &str) -> bool {
    !line.starts_with(['{', '}', '[', ']', '<', '"', '\'']) && !line.contains("\":")
}
