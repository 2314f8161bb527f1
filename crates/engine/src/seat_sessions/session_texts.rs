//! Converts texts of a debate for a session.

use agon_record::ground::GroundStamp;
use agon_record::stamp::{Stamp, StampKind};
use agon_sessions::{Failure, ToolKind};
use serde_json::{Value, json};

/// Returns the text of a reply: its prose, and the texts of its moves on separate lines, without
/// JSON syntax.
pub(super) fn reply_words(reply: &str) -> String {
    let Some((before, moves, after)) = split_moves(reply) else {
        return reply.to_owned();
    };
    let fence = |text: &str| {
        let text = text.trim().trim_end_matches("```json");
        text.trim_start_matches("```").trim().to_owned()
    };
    let mut lines = vec![fence(before)];
    collect_texts(&moves, &mut lines);
    lines.push(fence(after));
    lines.retain(|it| !it.is_empty());
    lines.join("\n\n")
}

/// Returns the JSON object at the end of a reply, with the text before and after it.
fn split_moves(reply: &str) -> Option<(&str, Value, &str)> {
    let starts = reply.match_indices('{').map(|(at, _)| at);
    // Try each brace, because the prose before the moves may contain some too.
    starts.take(MAX_STARTS).find_map(|start| {
        let mut values = serde_json::Deserializer::from_str(&reply[start..]).into_iter::<Value>();
        let moves = values.next()?.ok()?;
        let end = start + values.byte_offset();
        Some((&reply[..start], moves, &reply[end..]))
    })
}

/// Maximum number of braces that are tried as the beginning of moves.
const MAX_STARTS: usize = 32;

/// Collects texts that contain a space; one without is an id or a fixed word.
fn collect_texts(value: &Value, lines: &mut Vec<String>) {
    match value {
        Value::String(text) if text.contains(' ') => lines.push(text.clone()),
        Value::Array(values) => values.iter().for_each(|it| collect_texts(it, lines)),
        Value::Object(fields) => fields.values().for_each(|it| collect_texts(it, lines)),
        _ => {}
    }
}

/// A checked citation in the form of a tool call and its result.
#[derive(Debug)]
pub(super) struct LookUp {
    pub(super) kind: ToolKind,
    pub(super) arguments: Value,
    pub(super) text: String,
    pub(super) failure: Option<Failure>,
}

impl LookUp {
    /// Returns the check of a ground's citation; `None` if it cites nothing.
    pub(super) fn from_stamp(stamp: &GroundStamp) -> Option<Self> {
        let (cited, found) = (&stamp.stamped.citation, &stamp.stamped.stamp);
        if !found.names_a_place() {
            return None;
        }
        let is_wrong = matches!(found.kind(), StampKind::Wrong | StampKind::Missing);
        let text = found.source_text().filter(|_| !is_wrong);
        let place = [&cited.file, &cited.document, &cited.url, &cited.command];
        let place = place.into_iter().flatten().next();
        let mut arguments = json!({ "path": place });
        let more = [
            ("commit", cited.commit.clone().map(Value::from)),
            ("lines", cited.lines.map(Value::from_iter)),
            ("words", cited.anchor.clone().map(Value::from)),
        ];
        for (name, value) in more {
            if let (Some(value), Some(fields)) = (value, arguments.as_object_mut()) {
                fields.insert(name.to_owned(), value);
            }
        }
        Some(Self {
            // A wrong citation is not a failed read: only the words are missing, not the file.
            kind: match (text, &cited.file) {
                (Some(_), Some(_)) => ToolKind::Read,
                _ => ToolKind::Other,
            },
            arguments,
            text: match text {
                Some(there) => there.text.join("\n"),
                None => found.to_string(),
            },
            failure: is_wrong.then_some(Failure {
                recorded: true,
                exit: None,
            }),
        })
    }
}

/// Returns whether a check result can begin a finding.
pub(super) fn can_begin_finding(stamp: &Stamp) -> bool {
    !matches!(stamp.kind(), StampKind::Unchecked | StampKind::Unreachable)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_marks_of_moves_are_left_out_of_what_a_reply_says() {
        let reply = "I object {strongly}.\n\n```json\n{\"objections\": [{\"claim\": \"The queue \
                     holds 5 jobs.\", \"target\": \"pro_001a\"}]}\n```\nThat is all.";
        let said = "I object {strongly}.\n\nThe queue holds 5 jobs.\n\nThat is all.";
        assert_eq!(reply_words(reply), said);
        assert_eq!(reply_words("No {moves at all."), "No {moves at all.");
    }
}
