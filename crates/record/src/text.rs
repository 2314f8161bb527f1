//! Makes text safe to display: without control, escape or direction characters.

use std::ops::RangeInclusive;

use serde::{Deserialize, Deserializer};

/// Returns `text` on one line, safe to display, with at most `max_chars` characters.
///
/// Removes terminal escape sequences and control, direction and invisible characters, and replaces
/// every run of white space with one space. A cut is marked with `…`, which counts. O(length).
///
/// ```
/// # use agon_record::text::sanitise_line;
/// assert_eq!(sanitise_line("a\u{1b}[31mred\u{202e}\n one", 40), "ared one");
/// assert_eq!(sanitise_line("a long text", 6), "a lon…");
/// ```
pub fn sanitise_line(text: &str, max_chars: usize) -> String {
    if text.len() <= max_chars && is_plain_line(text) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len().min(max_chars));
    let mut count = 0;
    let mut space = false;
    for c in visible_chars(text) {
        if c.is_whitespace() {
            space = count > 0;
            continue;
        }
        let wanted = 1 + usize::from(space);
        if count + wanted > max_chars {
            if count == max_chars {
                out.pop();
            }
            if max_chars > 0 {
                out.push('…');
            }
            break;
        }
        if space {
            out.push(' ');
        }
        out.push(c);
        count += wanted;
        space = false;
    }
    out
}

/// Returns whether `text` is a line of printable ASCII without a space at either end or two in a
/// row, which [`sanitise_line`] leaves as it is. Nearly all text of a debate is.
///
/// ```
/// # use agon_record::text::is_plain_line;
/// assert!(is_plain_line("one line") && is_plain_line(""));
/// assert!(!is_plain_line("two  spaces") && !is_plain_line("caf\u{e9}"));
/// ```
pub fn is_plain_line(text: &str) -> bool {
    let mut before = b' ';
    for byte in text.bytes() {
        let fits = matches!(byte, b'!'..=b'~') || byte == b' ' && before != b' ';
        if !fits {
            return false;
        }
        before = byte;
    }
    text.is_empty() || before != b' '
}

/// Returns `text` with its lines, but without escape sequences and control, direction and invisible
/// characters.
///
/// Line ends become `\n`; tabs stay. Takes O(length) time.
///
/// ```
/// # use agon_record::text::strip_control_characters;
/// assert_eq!(strip_control_characters("one\r\n\u{1b}]0;title\u{7}\ttwo\u{0}"), "one\n\ttwo");
/// ```
pub fn strip_control_characters(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    // Copy plain ASCII quickly: it is nearly all text, and each prompt cleans a whole debate.
    while !rest.is_empty() {
        let plain = rest.bytes().take_while(is_plain_ascii).count();
        out.push_str(&rest[..plain]);
        let (c, after) = split_first_char_or_escape(&rest[plain..]);
        out.extend(c);
        rest = after;
    }
    out
}

/// Returns `text` without characters that a reader cannot see.
///
/// Like [`strip_control_characters`], and also removes joiners, fillers and variation selectors: a
/// model reads them, a person does not see them. Line ends become `\n`; tabs stay. Idempotent.
pub fn strip_invisible_characters(text: &str) -> String {
    let mut text = strip_control_characters(text);
    if !text.is_ascii() {
        text.retain(|c| !is_invisible(c));
    }
    text
}

/// Joiners, fillers, variation selectors and unassigned format characters.
const INVISIBLE: [RangeInclusive<char>; 13] = [
    '\u{34f}'..='\u{34f}',
    '\u{115f}'..='\u{1160}',
    '\u{17b4}'..='\u{17b5}',
    '\u{180b}'..='\u{180f}',
    '\u{200b}'..='\u{200f}',
    '\u{2800}'..='\u{2800}',
    '\u{3164}'..='\u{3164}',
    '\u{fe00}'..='\u{fe0f}',
    '\u{ffa0}'..='\u{ffa0}',
    '\u{fff0}'..='\u{fffb}',
    '\u{1bca0}'..='\u{1bca3}',
    '\u{1d173}'..='\u{1d17a}',
    '\u{e0000}'..='\u{e0fff}',
];

fn is_invisible(c: char) -> bool {
    INVISIBLE.iter().any(|range| range.contains(&c))
}

/// Returns whether a byte is a character that is displayed unchanged.
fn is_plain_ascii(byte: &u8) -> bool {
    matches!(byte, b'\t' | b'\n' | b' '..=b'~')
}

/// Replaces each character of `line` that must not be displayed with `�`, so that every other
/// character keeps its column.
///
/// ```
/// # use agon_record::text::mask_hidden_characters;
/// assert_eq!(mask_hidden_characters("a\u{1b}[1mb\u{200f}c"), "a�[1mb�c");
/// ```
pub fn mask_hidden_characters(line: &str) -> String {
    let mask = |c: char| match c {
        '\t' => c,
        c if c.is_control() || is_hidden(c) || is_line_break(c) => char::REPLACEMENT_CHARACTER,
        c => c,
    };
    line.chars().map(mask).collect()
}

/// Returns the displayable characters of `text`; line ends are `\n`.
fn visible_chars(text: &str) -> impl Iterator<Item = char> {
    let mut rest = text;
    std::iter::from_fn(move || {
        while !rest.is_empty() {
            let (c, after) = split_first_char_or_escape(rest);
            rest = after;
            if c.is_some() {
                return c;
            }
        }
        None
    })
}

/// Returns the visible first character of `text`, if any, and the text after it or after the escape
/// sequence it begins.
fn split_first_char_or_escape(text: &str) -> (Option<char>, &str) {
    let Some(c) = text.chars().next() else {
        return (None, text);
    };
    let after = &text[c.len_utf8()..];
    match c {
        ' '..='~' => (Some(c), after),
        '\u{1b}' => (None, &after[escape_sequence_len(after)..]),
        '\u{9b}' => (None, &after[csi_len(after)..]),
        '\n' | '\t' => (Some(c), after),
        '\r' if after.starts_with('\n') => (None, after),
        '\r' => (Some('\n'), after),
        c if is_line_break(c) => (Some('\n'), after),
        c if c.is_control() || is_hidden(c) => (None, after),
        c => (Some(c), after),
    }
}

/// Returns the number of bytes after an escape character that belong to its sequence.
fn escape_sequence_len(after: &str) -> usize {
    let Some(kind) = after.chars().next() else {
        return 0;
    };
    let body = &after[kind.len_utf8()..];
    match kind {
        '[' => 1 + csi_len(body),
        ']' | 'P' | '^' | '_' | 'X' => 1 + control_string_len(body),
        '(' | ')' | '*' | '+' | '#' | '%' => {
            1 + body
                .bytes()
                .next()
                .filter(u8::is_ascii_graphic)
                .map_or(0, |_| 1)
        }
        c if c.is_ascii_graphic() => 1,
        _ => 0,
    }
}

/// Returns the length of the parameters and the final byte of a control sequence.
fn csi_len(body: &str) -> usize {
    let parameters = body
        .bytes()
        .take_while(|byte| (0x20..=0x3f).contains(byte))
        .count();
    let last = body.as_bytes().get(parameters);
    parameters
        + last
            .filter(|byte| (0x40..=0x7e).contains(*byte))
            .map_or(0, |_| 1)
}

/// Returns the length of a string with its terminator; zero if it is not terminated.
///
/// Stops at the next escape character, so that many unterminated strings take linear time.
fn control_string_len(body: &str) -> usize {
    let end = body.find(['\u{7}', '\u{1b}', '\u{9c}', '\n', '\r']);
    match end.map(|end| (end, &body[end..])) {
        Some((end, tail)) if tail.starts_with("\u{1b}\\") => end + 2,
        Some((end, tail)) if tail.starts_with('\u{7}') => end + 1,
        Some((end, tail)) if tail.starts_with('\u{9c}') => end + 2,
        Some(_) | None => 0,
    }
}

fn is_line_break(c: char) -> bool {
    matches!(c, '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// Direction marks, zero-width spaces and tags.
const HIDDEN: [RangeInclusive<char>; 10] = [
    '\u{ad}'..='\u{ad}',
    '\u{61c}'..='\u{61c}',
    '\u{180e}'..='\u{180e}',
    '\u{200b}'..='\u{200b}',
    '\u{200e}'..='\u{200f}',
    '\u{202a}'..='\u{202e}',
    '\u{2060}'..='\u{206f}',
    '\u{feff}'..='\u{feff}',
    '\u{fff9}'..='\u{fffb}',
    '\u{e0000}'..='\u{e007f}',
];

/// Returns whether a character changes the writing direction or is invisible.
///
/// Joiners are not included: letters and emoji use them. See [`is_joiner`].
pub fn is_hidden(c: char) -> bool {
    HIDDEN.iter().any(|range| range.contains(&c))
}

/// Returns whether an invisible character joins its neighbours or keeps them apart.
pub fn is_joiner(c: char) -> bool {
    matches!(c, '\u{200c}' | '\u{200d}')
}

// Chosen, not measured: twice the longest rule code, which has 40 bytes.
/// Maximum length of a word in a record, in bytes.
const MAX_WORD: usize = 80;

/// Reads a word of a fixed vocabulary, such as a rule code, from a record. It is printed, also in
/// commands to copy, so every character except letters, digits, `.`, `_`, `:`, `/` and `-` becomes
/// a hyphen.
pub(crate) fn plain_word<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let word = String::deserialize(deserializer)?;
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "._:/-".contains(c);
    if word.len() <= MAX_WORD && !word.starts_with('-') && word.chars().all(is_plain) {
        return Ok(word);
    }
    let chars = word.chars().take(MAX_WORD);
    let plain: String = chars.map(|c| if is_plain(c) { c } else { '-' }).collect();
    Ok(plain.trim_start_matches('-').to_owned())
}

/// Formats a count with its noun, such as `1 call` or `2 calls`.
///
/// ```
/// use agon_record::text::count_with_noun;
/// assert_eq!(count_with_noun(1_u32, "call"), "1 call");
/// assert_eq!(count_with_noun(0_u32, "call"), "0 calls");
/// assert_eq!(count_with_noun(2_u32, "entry"), "2 entries");
/// ```
pub fn count_with_noun(count: impl Into<u64>, one: &str) -> String {
    match count.into() {
        1 => format!("1 {one}"),
        count => match one.strip_suffix('y') {
            Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{count} {stem}ies"),
            _ => format!("{count} {one}s"),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_only_a_model_reads_is_taken_out() {
        assert_eq!(
            strip_invisible_characters("a\u{200d}b\u{fe0f}c\u{e0101}d\u{3164}e\u{2800}f"),
            "abcdef"
        );
    }

    #[test]
    fn what_nobody_sees_is_taken_out() {
        let text = "a\u{202e}b\u{200b}c\u{e0041}d\u{1b}[31me\u{1b}[0m\u{9b}1mf\0g\th\r\ni\u{1b}]8;;http://x\u{1b}\\j";
        assert_eq!(strip_invisible_characters(text), "abcdefg\th\nij");
    }

    #[test]
    fn escape_sequences_go_whole_and_words_stay() {
        let text =
            "\u{1b}[1;31mred\u{1b}[0m \u{1b}]8;;http://x\u{1b}\\link\u{1b}]8;;\u{7} \u{1b}(Bend";
        assert_eq!(sanitise_line(text, 80), "red link end");
    }

    #[test]
    fn an_open_string_sequence_does_not_swallow_the_rest() {
        assert_eq!(sanitise_line("a\u{1b}]0;title", 80), "a0;title");
    }

    #[test]
    fn many_open_sequences_take_linear_time() {
        let text = "\u{1b}]".repeat(1_000_000);
        assert_eq!(sanitise_line(&text, 80), "");
    }

    #[test]
    fn a_text_that_fits_is_not_cut() {
        assert_eq!(sanitise_line("abc", 3), "abc");
        assert_eq!(sanitise_line("abcd", 3), "ab…");
        assert_eq!(sanitise_line("ab cd", 3), "ab…");
        assert_eq!(sanitise_line("ab  ", 2), "ab");
        assert_eq!(sanitise_line("abc", 0), "");
    }

    proptest! {
        #[test]
        fn a_plain_line_is_left_as_it_is(text in "[ a~!\n\té]{0,8}") {
            let words: Vec<_> = text.split_whitespace().collect();
            let line = words.join(" ");
            prop_assert_eq!(&sanitise_line(&text, usize::MAX), &line);
            prop_assert_eq!(is_plain_line(&text), line == text && text.is_ascii());
        }

        #[test]
        fn plain_text_stays_byte_for_byte(text in "[ -~\n\té-ž]{0,80}") {
            prop_assert_eq!(strip_invisible_characters(&text), text);
        }

        #[test]
        fn nothing_that_must_not_be_shown_is_left(text in any::<String>(), max in 0_usize..60) {
            let line = sanitise_line(&text, max);
            prop_assert!(line.chars().count() <= max);
            prop_assert!(!line.chars().any(|c| c.is_control() || is_hidden(c) || is_line_break(c)));
            let lines = strip_control_characters(&text);
            prop_assert!(!lines.chars().any(|c| c != '\n' && c != '\t' && c.is_control()));
            prop_assert_eq!(mask_hidden_characters(&text).chars().count(), text.chars().count());
        }
    }
}
