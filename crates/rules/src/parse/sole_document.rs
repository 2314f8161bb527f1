//! Finds the single JSON document in a file of moves.
//!
//! A model's reply is searched for its moves, but a submitted file must be exact: one JSON
//! document, alone or in a fenced block with prose around it. Ambiguous files are refused, since
//! they are not checked again.

use serde_json::Value;
use serde_json::de::Deserializer;

use crate::parse::json_object::{JsonFault, trim_white_space};
use crate::parse::value;

/// Returns the text of the document in `text`.
pub(super) fn sole_document(text: &str) -> Result<&str, JsonFault> {
    let text = trim_white_space(text);
    if text.starts_with(['{', '[']) {
        return unfenced_document(text);
    }
    fenced_document(text)
}

/// Returns a document without a fence; only a repetition of itself may follow it.
fn unfenced_document(text: &str) -> Result<&str, JsonFault> {
    let mut values = Deserializer::from_str(text).into_iter::<Value>();
    let Some(Ok(_)) = values.next() else {
        return Err(JsonFault::new(
            "json:syntax",
            "the JSON in the file cannot be parsed",
            "give one JSON document and nothing else",
        ));
    };
    let (first, mut rest) = text.split_at(values.byte_offset());
    while !rest.trim_start().is_empty() {
        rest = rest.trim_start();
        let mut values = Deserializer::from_str(rest).into_iter::<Value>();
        let Some(Ok(_)) = values.next() else {
            return Err(JsonFault::new(
                "json:trailing",
                "there is text after the JSON document",
                "give one JSON document and nothing else, or put it into a fenced block",
            ));
        };
        let (next, after) = rest.split_at(values.byte_offset());
        if !is_same_json(first, next) {
            return Err(several_documents_fault());
        }
        rest = after;
    }
    Ok(first)
}

/// Returns the document of the fenced blocks: one, or the same one several times.
fn fenced_document(text: &str) -> Result<&str, JsonFault> {
    let mut found: Option<&str> = None;
    let mut open: Option<(&str, usize)> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let mark = fence_mark(line);
        match (open, mark) {
            (None, Some(mark)) => open = Some((mark, at)),
            (None, None) => check_prose_line(line)?,
            (Some((opened, begin)), Some(mark)) if is_closing_fence(line, opened, mark) => {
                open = None;
                let body = text[begin..start].trim();
                if !body.starts_with(['{', '[']) {
                    continue;
                }
                let one = unfenced_document(body)?;
                match found {
                    Some(first) if !is_same_json(first, one) => {
                        return Err(several_documents_fault());
                    }
                    Some(_) => {}
                    None => found = Some(one),
                }
            }
            (Some(_), _) => {}
        }
    }
    if open.is_some() {
        return Err(JsonFault::new(
            "json:fence",
            "a fenced block of the file is never closed",
            "end the block with a line of three back-ticks",
        ));
    }
    found.ok_or_else(|| {
        JsonFault::new(
            "json:none",
            "there is no JSON document in the file",
            "give one JSON document and nothing else, or put it into a fenced block",
        )
    })
}

/// Returns the backticks or tildes of a fence at the beginning of a line.
fn fence_mark(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let sign = line.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let mark = &line[..line.len() - line.trim_start_matches(sign).len()];
    (mark.len() >= 3).then_some(mark)
}

/// Returns whether a line with the fence `mark` closes the block that `opened` starts.
fn is_closing_fence(line: &str, opened: &str, mark: &str) -> bool {
    mark.starts_with(opened) && line.trim() == mark
}

/// Checks that a line of prose around the blocks has nothing that could be moves.
fn check_prose_line(line: &str) -> Result<(), JsonFault> {
    if line.chars().any(|c| c.is_control() && !c.is_whitespace()) {
        return Err(JsonFault::new(
            "json:control",
            "there are control characters around the JSON document",
            "give one JSON document and nothing else",
        ));
    }
    let opens = line.match_indices('{');
    let mut opens = opens.map(|(at, _)| line[at + 1..].trim_start());
    if opens.any(|after| after.is_empty() || after.starts_with(['"', '}'])) {
        return Err(JsonFault::new(
            "json:outside",
            "there is JSON outside of a fenced block",
            "give one JSON document and nothing else, or put it into a fenced block",
        ));
    }
    Ok(())
}

fn several_documents_fault() -> JsonFault {
    JsonFault::new(
        "json:several",
        "there are several JSON documents in the file, and they differ",
        "give only the one you mean",
    )
}

fn is_same_json(one: &str, other: &str) -> bool {
    match (
        value::read_unambiguous_json(one),
        value::read_unambiguous_json(other),
    ) {
        (Ok(one), Ok(other)) => one == other,
        (Ok(_) | Err(_), _) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn byte_order_marks_and_white_space_around_the_document_are_none_of_it() {
        for around in ["", "\u{feff}", "\n \u{feff}", "\u{feff}\r\n\u{feff} "] {
            let text = format!("{around}{{\"a\": 1}}{around}");
            assert_eq!(sole_document(&text).ok(), Some("{\"a\": 1}"), "{text:?}");
        }
    }
}
