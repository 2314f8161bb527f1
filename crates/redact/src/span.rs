//! Determines where a value ends.

use std::ops::Range;

use crate::view::View;

// The size of a cookie that every browser accepts (RFC 6265, 6.1), and more than the 3,272 bytes
// that `openssl genrsa 4096` prints.
/// Maximum length of a value, in bytes.
const MAX_VALUE: usize = 4096;

/// Returns whether `char` may be part of a name.
pub(crate) fn is_name_char(char: char) -> bool {
    char.is_alphanumeric() || matches!(char, '_' | '-' | '.')
}

/// Returns the range inside the quotation mark at `open`, up to its closing mark.
///
/// The closing mark has no more backslashes before it than the opening one, not counting escaped
/// backslashes of the value. Returns `None` if the line ends first.
pub(crate) fn quoted_span(view: &View<'_>, open: usize) -> Option<Range<usize>> {
    let bytes = view.text.as_bytes();
    let mark = *bytes.get(open)?;
    let depth = view.backslashes_before(open);
    let start = open + 1;
    if bytes.get(start) == Some(&mark) {
        return doubled_quote_span(view.text.as_ref(), start, mark);
    }
    let mut at = start;
    while at < bytes.len() && at < start + MAX_VALUE {
        let byte = bytes[at];
        if byte == b'\n' {
            return None;
        }
        if byte == mark && is_closing_mark(view.backslashes_before(at), depth) {
            return Some(start..at);
        }
        at += 1;
    }
    None
}

/// Returns the range between doubled marks, as in a nested quotation, or between triple marks, as
/// around a longer text; the second mark is at `second`.
fn doubled_quote_span(text: &str, second: usize, mark: u8) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let triple = bytes.get(second + 1) == Some(&mark);
    let start = second + 1 + usize::from(triple);
    let rest = bytes.get(start..)?;
    let length = rest
        .iter()
        .take(MAX_VALUE)
        .position(|byte| *byte == mark || *byte == b'\n')?;
    let closed = rest.get(length..length + 2) == Some(&[mark, mark]);
    (length > 0 && closed).then_some(start..start + length)
}

/// Returns whether a mark with `count` backslashes before it closes one opened with `depth`.
fn is_closing_mark(count: usize, depth: usize) -> bool {
    if count <= depth {
        return true;
    }
    let mut count = count;
    let mut level = depth + 1;
    while level > 1 {
        if count.is_multiple_of(2) {
            return true;
        }
        count = (count - 1) / 2;
        level /= 2;
    }
    count.is_multiple_of(2)
}

/// Returns the range of the bare word at `at`, without the marks of the sentence or list around it.
pub(crate) fn bare_word_span(text: &str, at: usize) -> Range<usize> {
    let span = unquoted_span(text, at, b"");
    let word = &text[span.clone()];
    let mut end = word.len();
    // The word ends before the next command (`&&`, `||`), or before another name and value after a
    // comma or a semicolon.
    for (sign, place) in [
        ("&&", word.find("&&")),
        ("||", word.find("||")),
        (",", next_pair_separator(word, ',')),
        (";", next_pair_separator(word, ';')),
        ("&", next_pair_separator(word, '&')),
    ] {
        if let Some(place) = place.filter(|place| *place > 0 && !sign.is_empty()) {
            end = end.min(place);
        }
    }
    span.start..span.start + length_without_punctuation(&word[..end])
}

/// Returns where `sign` separates the word from another name and value.
fn next_pair_separator(word: &str, sign: char) -> Option<usize> {
    word.match_indices(sign)
        .map(|(place, _)| place)
        .find(|place| {
            let rest = &word[place + 1..];
            let name = rest
                .bytes()
                .take_while(|byte| {
                    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.')
                })
                .count();
            name > 1 && rest[name..].starts_with('=') && !rest[name..].starts_with("==")
        })
}

/// Returns the length of `word` without the marks that end a sentence, a list or emphasis.
pub(crate) fn length_without_punctuation(word: &str) -> usize {
    let mut word = word;
    while let Some(last) = word.chars().next_back() {
        let opens = match last {
            ')' => word.contains('('),
            ']' => word.contains('['),
            '}' => word.contains('{'),
            '.' | ',' | ';' | ':' | '*' | '…' | '\\' | '|' => false,
            _ => true,
        };
        if opens {
            break;
        }
        word = &word[..word.len() - last.len_utf8()];
    }
    word.len()
}

/// Returns the range from `at` to white space, a quotation mark, an angle bracket or one of
/// `stops`.
pub(crate) fn unquoted_span(text: &str, at: usize, stops: &[u8]) -> Range<usize> {
    let stop = |char: char| {
        char.is_whitespace()
            || matches!(
                char,
                '"' | '`' | '\'' | '<' | '>' | '“' | '”' | '„' | '«' | '»' | '’' | '‘'
            )
            || u8::try_from(char).is_ok_and(|byte| stops.contains(&byte))
    };
    let rest = text.get(at..).unwrap_or_default();
    let rest = &rest[..rest.floor_char_boundary(MAX_VALUE)];
    // Most words consist of letters and digits, which are quicker to recognize than `stop`.
    let plain = rest.bytes().take_while(u8::is_ascii_alphanumeric).count();
    let length = rest[plain..].find(stop).map(|more| plain + more);
    at..at + length.unwrap_or(rest.len())
}
