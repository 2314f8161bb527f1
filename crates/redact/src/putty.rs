//! Finds the private half of a key in PuTTY's format.

use std::ops::Range;

/// The text before the number of lines of the private half.
pub(crate) const HEADER: &str = "private-lines: ";

// Twice the 100 or so lines of an RSA key of 16,384 bits.
/// Maximum number of lines of a private half.
const MAX_LINES: usize = 200;
// Four times the 64 characters of a line, because a log may label each line.
/// Maximum length of a line, in bytes.
const MAX_LINE: usize = 256;
/// The last line of a key is rarely shorter; a word of prose usually is.
const MIN_RUN: usize = 8;

/// Returns the range of the key's lines, without their count; the header ends at `at`.
pub(crate) fn private_key_span(text: &str, at: usize) -> Option<Range<usize>> {
    let rest = text.get(at..)?;
    let digits = rest.bytes().take_while(u8::is_ascii_digit).take(4).count();
    let count: usize = rest[..digits].parse().ok()?;
    let mut at = at + end_of_line(rest)?;
    let mut key: Option<Range<usize>> = None;
    for _ in 0..count.min(MAX_LINES) {
        let Some(run) = last_base64_run(&text[at..]) else {
            break;
        };
        let start = key.map_or(at + run.start, |key| key.start);
        key = Some(start..at + run.end);
        let Some(length) = end_of_line(&text[at..]) else {
            break;
        };
        at += length;
    }
    key
}

/// Returns the number of bytes up to and including the line end.
fn end_of_line(text: &str) -> Option<usize> {
    let end = text.bytes().take(MAX_LINE).position(|byte| byte == b'\n')?;
    Some(end + 1)
}

/// Returns the range of the base64 at the end of the first line of `text`, after the label of a log
/// or diff.
fn last_base64_run(text: &str) -> Option<Range<usize>> {
    let near = &text.as_bytes()[..text.len().min(MAX_LINE)];
    let line = near.split(|byte| *byte == b'\n').next()?;
    let part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=');
    let end = line.iter().rposition(part)? + 1;
    let length = line[..end]
        .iter()
        .rev()
        .take_while(|byte| part(byte))
        .count();
    (length >= MIN_RUN).then_some(end - length..end)
}

#[cfg(test)]
mod tests {
    use super::{HEADER, private_key_span};

    #[test]
    fn only_as_many_lines_as_announced_are_the_key() {
        let text = "private-lines: 2\n k3Vd9QmZ1xLw\r\n k3Vd9Q==\nPrivate-MAC: 3f81c9ae27b60d45";
        let key = private_key_span(text, HEADER.len()).map(|key| &text[key]);
        assert_eq!(key, Some("k3Vd9QmZ1xLw\r\n k3Vd9Q=="));
        assert_eq!(private_key_span("private-lines: 2", HEADER.len()), None);
        assert_eq!(
            private_key_span("private-lines: are\n the last", HEADER.len()),
            None
        );
    }
}
