//! One text of a source, for searching and quoting.

use std::collections::HashSet;

use encoding_rs::WINDOWS_1252;
use unicode_normalization::UnicodeNormalization as _;

use agon_record::stamp::{Location, SourceText};
use agon_record::text::mask_hidden_characters;

use crate::anchor::{Anchor, SearchableText, lowercase_words};
use crate::decode::decode;

// Tested by `a_place_is_shown_with_the_lines_around_it`: a citation of one line is shown as five
// lines, and one of eight lines still fits into `MAX_LINES`.
/// Lines shown before and after a place.
const CONTEXT_LINES: u32 = 2;
// A prompt repeats the excerpt of each citation, so excerpts must be short. Tested by
// `a_place_is_shown_with_the_lines_around_it`.
/// Maximum number of lines shown of one place.
const MAX_LINES: u32 = 12;
// Chosen, not measured: three lines of a terminal of 80 columns. A lower limit cuts long lines of
// prose; with a higher one, a single line of minified code could fill a prompt.
/// Maximum number of characters shown of one line.
const MAX_CHARS: usize = 240;
// Chosen, not measured: few statements span more lines. A larger window would join unrelated words
// and take longer.
/// Number of adjacent lines that are compared at once when searching for the most similar place.
const WINDOW: usize = 3;

/// A text that a stamp may depend on.
#[derive(Debug)]
pub(crate) struct Text {
    text: String,
    pub(crate) looked: SearchableText,
    /// The hash of its bytes.
    hash: String,
    /// Whether its encoding is certain, so that missing words are really missing.
    is_certain: bool,
    /// Whether every character was one byte, so that ASCII letters are the same in any such
    /// encoding.
    is_of_one_byte: bool,
}

impl Text {
    pub(crate) fn new(bytes: &[u8], hash: String) -> Self {
        let decoded = decode(bytes);
        let mut text = decoded.text.into_owned();
        if text.contains('\r') && !text.contains('\n') {
            // Old Macs ended lines with a carriage return alone.
            text = text.replace('\r', "\n");
        }
        let looked = SearchableText::new(&text);
        Self {
            text,
            looked,
            hash,
            is_certain: decoded.is_certain,
            is_of_one_byte: decoded.is_of_one_byte,
        }
    }

    /// Returns whether words that were not found may still be in the text: in another encoding or
    /// form, or at the cited lines if the line endings are unusual.
    pub(crate) fn may_differ_in_form(&self, words: &str) -> bool {
        if !self.is_certain {
            return !self.is_of_one_byte || !lacks_plain_letters(&self.text, words);
        }
        if words.contains(char::REPLACEMENT_CHARACTER) {
            return true;
        }
        let text = || SearchableText::new(&self.text.nfkc().collect::<String>());
        let is_in =
            |words: &str| Anchor::new(words).is_some_and(|it| it.find_anywhere(&text()).is_some());
        if !(words.is_ascii() && self.text.is_ascii()) && is_in(&words.nfkc().collect::<String>()) {
            return true;
        }
        // The words may be UTF-8 that was misread as Windows-1252.
        let (bytes, _, has_unmapped) = WINDOWS_1252.encode(words);
        !words.is_ascii() && !has_unmapped && std::str::from_utf8(&bytes).is_ok_and(is_in)
    }

    /// Returns whether the lines of the text can be counted in several ways.
    pub(crate) fn has_unusual_line_ends(&self) -> bool {
        let odd = ['\u{b}', '\u{c}', '\u{85}', '\u{2028}', '\u{2029}'];
        let mut lines = self.text.split('\n');
        lines.any(|line| {
            line.strip_suffix('\r').unwrap_or(line).contains('\r') || line.contains(odd)
        })
    }

    pub(crate) fn len(&self) -> usize {
        self.text.len()
    }

    /// Returns the number of the last line; 0 for an empty text.
    pub(crate) fn last_line(&self) -> u32 {
        self.looked.normal.line_count()
    }

    /// Returns the lines around a place, cut to the limits.
    pub(crate) fn excerpt(&self, place: Location) -> SourceText {
        let [first, last] = place.lines;
        let whole = last.saturating_sub(first) + 1;
        let cut_lines = whole > MAX_LINES;
        let around = if whole + 2 * CONTEXT_LINES > MAX_LINES {
            0
        } else {
            CONTEXT_LINES
        };
        let from = first.saturating_sub(around).max(1);
        let count = if first == 0 {
            MAX_LINES / 2
        } else {
            (last.max(first) + around + 1 - from).min(MAX_LINES)
        };
        let skipped = (from as usize) - 1;
        let mut cut = cut_lines;
        let lines = self.text.lines().skip(skipped).take(count as usize);
        let text = lines.map(|line| {
            let mut chars = line.chars();
            let start: String = chars.by_ref().take(MAX_CHARS).collect();
            cut |= chars.next().is_some();
            mask_hidden_characters(&start)
        });
        let text = text.collect();
        SourceText {
            place,
            from,
            text,
            cut,
            blob: self.hash.clone(),
        }
    }

    /// Returns the lines with the most of the words, if they contain at least two and half of them.
    ///
    /// Among equals, those nearest to `near` win.
    pub(crate) fn most_similar_lines(&self, wanted: &str, near: u32) -> Option<[u32; 2]> {
        let wanted: HashSet<String> = lowercase_words(wanted).filter(|it| it.len() > 1).collect();
        let enough = wanted.len().div_ceil(2).max(2);
        let has = |line: &str| -> Vec<String> {
            let found = lowercase_words(line).filter(|word| wanted.contains(word));
            found.collect()
        };
        let lines: Vec<Vec<String>> = self.text.lines().map(has).collect();
        let mut best: Option<(usize, u32, [u32; 2])> = None;
        for (at, line) in lines.iter().enumerate() {
            if line.is_empty() {
                continue;
            }
            for count in 1..=WINDOW {
                let Some(window) = lines.get(at..at + count) else {
                    break;
                };
                let distinct: HashSet<&String> = window.iter().flatten().collect();
                let first = u32::try_from(at + 1).unwrap_or(u32::MAX);
                let last = u32::try_from(at + count).unwrap_or(u32::MAX);
                let far = first.abs_diff(near);
                let better = best.is_none_or(|(most, distance, _)| {
                    distinct.len() > most
                        || (distinct.len() == most && far < distance && count == 1)
                });
                if distinct.len() >= enough && better {
                    best = Some((distinct.len(), far, [first, last]));
                }
            }
        }
        best.map(|(_, _, lines)| lines)
    }
}

// A quotation of six words has some thirty letters. With only one or two words, chance matches are common.
/// ASCII letters and digits that words must have before their absence is certain.
const MIN_CERTAIN_CHARS: usize = 12;

/// Returns whether the ASCII letters and digits of the words, joined, are nowhere in the text, so
/// that no encoding of it contains the words. Each part beside an ellipsis counts alone.
fn lacks_plain_letters(text: &str, words: &str) -> bool {
    let plain = |text: &str| -> String {
        let letters = text.chars().filter(char::is_ascii_alphanumeric);
        letters.map(|c| c.to_ascii_lowercase()).collect()
    };
    let text = plain(text);
    let parts = words.split('…').flat_map(|it| it.split("..."));
    let mut parts = parts.map(|part| (plain(part), part));
    parts.any(|(letters, part)| {
        let all = part.chars().filter(|c| c.is_alphanumeric()).count();
        letters.len() >= MIN_CERTAIN_CHARS && letters.len() * 2 >= all && !text.contains(&letters)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Text {
        Text::new(text.as_bytes(), "hash".into())
    }

    fn place(lines: [u32; 2]) -> Location {
        Location {
            file: "a".into(),
            commit: None,
            lines,
        }
    }

    fn numbered(count: u32) -> Text {
        let lines: Vec<String> = (1..=count).map(|it| format!("line {it}")).collect();
        text(&lines.join("\n"))
    }

    fn excerpt(text: &Text, lines: [u32; 2]) -> (u32, Vec<String>, bool) {
        let shown = text.excerpt(place(lines));
        (shown.from, shown.text, shown.cut)
    }

    #[test]
    fn a_place_is_shown_with_the_lines_around_it() {
        let text = numbered(30);
        let lines = |from: u32, to: u32| (from..=to).map(|it| format!("line {it}")).collect();
        assert_eq!(excerpt(&text, [10, 11]), (8, lines(8, 13), false));
        assert_eq!(excerpt(&text, [1, 1]), (1, lines(1, 3), false));
        assert_eq!(excerpt(&text, [30, 30]), (28, lines(28, 30), false));
        assert_eq!(excerpt(&text, [5, 14]), (5, lines(5, 14), false));
        assert_eq!(excerpt(&text, [5, 29]), (5, lines(5, 16), true));
        assert_eq!(excerpt(&text, [0, 0]), (1, lines(1, 6), false));
    }

    #[test]
    fn what_is_shown_is_bounded_and_harmless() {
        let text = text(&format!("a\u{1b}[1m\n{}", "x".repeat(9_000)));
        let (_, lines, cut) = excerpt(&text, [1, 2]);
        assert_eq!(lines, ["a\u{fffd}[1m".to_owned(), "x".repeat(MAX_CHARS)]);
        assert!(cut);
    }

    #[test]
    fn the_nearest_place_has_most_of_the_words() {
        let text =
            text("retry\n\nconst MAX_RETRIES: u32 = 5;\nmax retries\nnothing\nthe max\nretries");
        assert_eq!(text.most_similar_lines("max retries", 1), Some([3, 3]));
        assert_eq!(text.most_similar_lines("max retries", 4), Some([4, 4]));
        assert_eq!(
            text.most_similar_lines("const max retries u32 is 3", 9),
            Some([3, 3])
        );
        assert_eq!(text.most_similar_lines("backoff doubles", 1), None);
    }
}
