//! Shortens the output of a command to its beginning and end, without secrets.
//!
//! The output is not kept in memory as a whole. Each part is read beyond what is kept, so that a
//! secret at a cut is recognized.

use std::collections::VecDeque;

use agon_record::text::strip_control_characters;
use agon_record::user::MAX_OUTPUT_BYTES;
use agon_redact::{Redactor, unescape_printable};

// Both ends are equally useful: a build first prints what it does, and last what failed.
/// Bytes kept of the beginning, and as many of the end.
const HALF: usize = MAX_OUTPUT_BYTES / 2;
/// Bytes that each part is read further; longer than any known secret.
const MARGIN: usize = 16 * 1024;
const READ: usize = HALF + MARGIN;

/// The beginning and end of an output as it arrives.
#[derive(Debug, Default)]
pub(super) struct OutputEnds {
    head: Vec<u8>,
    tail: VecDeque<u8>,
    bytes: u64,
}

/// A shortened output.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TextEnds {
    /// The text; a line marks the place where something was left out.
    pub(super) text: String,
    /// Bytes that were printed.
    pub(super) bytes: u64,
    /// Bytes left out of the text.
    pub(super) left_out: u64,
    /// Secrets that were removed.
    pub(super) redacted: u32,
}

impl OutputEnds {
    /// Adds the next piece; keeps at most 96 KiB in total.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.bytes = self.bytes.saturating_add(bytes.len() as u64);
        let (head, rest) = bytes.split_at(bytes.len().min(READ - self.head.len()));
        self.head.extend_from_slice(head);
        let fresh = &rest[rest.len().saturating_sub(READ)..];
        let excess = (self.tail.len() + fresh.len()).saturating_sub(READ);
        self.tail.drain(..excess);
        self.tail.extend(fresh);
    }

    /// Returns the shortened text.
    pub(super) fn finish(self) -> TextEnds {
        let tail: Vec<u8> = self.tail.into_iter().collect();
        let is_whole = self.bytes == (self.head.len() + tail.len()) as u64;
        if is_whole {
            let (text, redacted) = redact_part(&visible_text(&[self.head, tail].concat()), None);
            let (text, left_out) = cut_middle(text);
            return TextEnds {
                text,
                bytes: self.bytes,
                left_out,
                redacted,
            };
        }
        let (head, tail) = (visible_text(&self.head), visible_text(&tail));
        let until = head.floor_char_boundary(head.len().saturating_sub(MARGIN).min(HALF));
        let from = tail.len().saturating_sub(HALF).max(MARGIN.min(tail.len()));
        let from = tail.ceil_char_boundary(from);
        let (first, some) = redact_part(&head, Some((0, until)));
        let (last, more) = redact_part(&tail, Some((from, tail.len())));
        let left_out = self
            .bytes
            .saturating_sub((until + tail.len() - from) as u64);
        let (text, cut) = cut_middle(format!("{first}{}{last}", gap_marker(left_out)));
        TextEnds {
            text,
            bytes: self.bytes,
            left_out: left_out.saturating_add(cut),
            redacted: some.saturating_add(more),
        }
    }
}

fn visible_text(bytes: &[u8]) -> String {
    unescape_printable(&strip_control_characters(&String::from_utf8_lossy(bytes))).into_owned()
}

fn gap_marker(bytes: u64) -> String {
    format!("\n[… {bytes} bytes left out …]\n")
}

/// Returns the given part of `text` without secrets, and their number. Secrets are found in the
/// whole text, and one at an edge is removed completely.
fn redact_part(text: &str, part: Option<(usize, usize)>) -> (String, u32) {
    let (from, until) = part.unwrap_or((0, text.len()));
    let hits = Redactor::new().redact(text).hits;
    let inside = hits
        .iter()
        .filter(|hit| hit.span.start < until && hit.span.end > from);
    let (mut shown, mut at, mut count) = (String::new(), from, 0);
    for hit in inside {
        shown.push_str(text.get(at..hit.span.start).unwrap_or_default());
        shown.push_str(&format!("[redacted:{}]", hit.rule));
        at = hit.span.end;
        count += 1;
    }
    shown.push_str(text.get(at..until).unwrap_or_default());
    (shown, count)
}

/// Removes the middle of `text` if it is too long, and returns the number of bytes removed.
fn cut_middle(text: String) -> (String, u64) {
    if text.len() <= MAX_OUTPUT_BYTES + gap_marker(u64::MAX).len() {
        return (text, 0);
    }
    let head = &text[..text.floor_char_boundary(HALF)];
    let tail = &text[text.ceil_char_boundary(text.len() - HALF)..];
    let left_out = (text.len() - head.len() - tail.len()) as u64;
    (format!("{head}{}{tail}", gap_marker(left_out)), left_out)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOKEN: &str = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";

    fn finish(bytes: &[u8], piece: usize) -> TextEnds {
        let mut ends = OutputEnds::default();
        bytes.chunks(piece).for_each(|piece| ends.push(piece));
        assert!(ends.head.len() + ends.tail.len() <= 2 * READ);
        ends.finish()
    }

    #[test]
    fn a_short_output_is_kept_whole() {
        let kept = finish(b"3 passed\n1 failed\n", 4);
        assert_eq!(kept.text, "3 passed\n1 failed\n");
        assert_eq!((kept.bytes, kept.left_out, kept.redacted), (18, 0, 0));
    }

    #[test]
    fn of_a_long_one_the_ends_are_kept_and_it_says_what_is_not() {
        let lines: String = (0..1_000_000).map(|at| format!("line {at}\n")).collect();
        let kept = finish(lines.as_bytes(), 65_536);
        assert!(kept.text.starts_with("line 0\n") && kept.text.ends_with("line 999999\n"));
        assert!(kept.text.len() <= MAX_OUTPUT_BYTES + 100);
        assert_eq!(kept.bytes, lines.len() as u64);
        let said = format!("\n[… {} bytes left out …]\n", kept.left_out);
        assert!(kept.text.contains(&said));
        assert_eq!(
            kept.text.len() as u64 - said.len() as u64,
            kept.bytes - kept.left_out
        );
    }

    /// Puts a token at every position around every edge, in complete and shortened outputs.
    #[test]
    fn no_part_of_a_secret_is_kept_wherever_it_stands() {
        for length in [50_000, 70_000, 98_300, 98_400, 300_000] {
            let edges = [
                0,
                HALF,
                READ,
                length - READ,
                length - HALF,
                length - TOKEN.len() - 2,
            ];
            for edge in edges {
                for at in (edge.saturating_sub(45)..=edge + 2).step_by(3) {
                    let mut text = " ".repeat(length);
                    let at = at.min(length - TOKEN.len());
                    text.replace_range(at..at + TOKEN.len(), TOKEN);
                    let kept = finish(text.as_bytes(), 4_096);
                    for part in [&TOKEN[..10], &TOKEN[15..25], &TOKEN[30..]] {
                        assert!(!kept.text.contains(part), "{length} {edge} {at} {part}");
                    }
                }
            }
        }
    }

    #[test]
    fn what_paints_or_is_no_text_is_taken_out() {
        let kept = finish(b"a\x1b[31mred\x1b[0m\r\n\xff\x00b", 3);
        assert_eq!(kept.text, "ared\n\u{fffd}b");
    }
}
