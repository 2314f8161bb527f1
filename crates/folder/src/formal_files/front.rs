//! Parses a JSON object at the start of a Markdown file.

use serde_json::value::RawValue;

use super::FormalFault;

const HINT: &str = "begin the file with one JSON object, then a blank line, then Markdown";

/// Splits `text` into the object at its start and the rest.
pub(crate) fn split_front_matter(text: &str) -> Result<(&str, &str), FormalFault> {
    let bare = text.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
    let before = &text[..text.len() - bare.len()];
    if !bare.starts_with('{') {
        let what = "does not begin with a JSON object";
        return Err(FormalFault::new(
            Some(line_number_at(text, before.len())),
            what,
            HINT,
        ));
    }
    let mut values = serde_json::Deserializer::from_str(bare).into_iter::<&RawValue>();
    match values.next() {
        Some(Ok(front)) => Ok((front.get(), &bare[values.byte_offset()..])),
        Some(Err(error)) => Err(FormalFault::from_json_error(before, &error, HINT)),
        None => Err(FormalFault::new(Some(1), "is empty", HINT)),
    }
}

/// Returns the line number of the byte at `at`, from 1.
pub(crate) fn line_number_at(text: &str, at: usize) -> u32 {
    let before = &text.as_bytes()[..at.min(text.len())];
    let breaks = before.iter().filter(|byte| **byte == b'\n').count();
    u32::try_from(breaks + 1).unwrap_or(u32::MAX)
}
