//! Wraps prose, without breaking commands and quoted text that people copy.

use textwrap::core::Word;
use textwrap::{Options, WordSeparator, WordSplitter};

/// Wraps lines of `text` longer than `columns`, and keeps their indentation. Ignores colors. Never
/// breaks commands and quoted text, because people copy them.
pub(crate) fn wrap_lines(text: &str, columns: Option<usize>) -> String {
    let Some(columns) = columns else {
        return text.to_owned();
    };
    let wrap = |line: &str| {
        if textwrap::core::display_width(line) <= columns {
            return line.to_owned();
        }
        let indent = &line[..line.len() - line.trim_start_matches(' ').len()];
        let options = Options::new(columns)
            .break_words(false)
            .word_separator(WordSeparator::Custom(split_words_and_commands))
            .word_splitter(WordSplitter::NoHyphenation)
            .subsequent_indent(indent);
        textwrap::fill(line, options)
    };
    let lines: Vec<_> = text.split('\n').map(wrap).collect();
    lines.join("\n")
}

/// Splits `line` into words; a command or a quoted text counts as one word.
fn split_words_and_commands(line: &str) -> Box<dyn Iterator<Item = Word<'_>> + '_> {
    let mut rest = line;
    Box::new(std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let end = word_or_command_end(rest);
        let (unit, after) = rest.split_at(end + count_spaces(&rest[end..]));
        rest = after;
        Some(Word::from(unit))
    }))
}

fn count_spaces(text: &str) -> usize {
    text.len() - text.trim_start_matches(' ').len()
}

/// Returns the end of the first word of `text`, or of the command that begins there.
///
/// A command without quotes has no marked end, so it extends to the next punctuation mark.
fn word_or_command_end(text: &str) -> usize {
    let mut end = word_end(text);
    if !begins_command(&text[..end]) {
        return end;
    }
    let mut word = &text[..end];
    while !ends_command(word) {
        let next = end + count_spaces(&text[end..]);
        let after = &text[next..];
        if after.is_empty() || after.starts_with(['(', '·', '—']) {
            break;
        }
        end = next + word_end(after);
        word = &text[next..end];
    }
    end
}

/// Whether `word` begins a command: the name `agon`, or a variable such as `AGON_ROUNDS=3`.
fn begins_command(word: &str) -> bool {
    let plain = anstream::adapter::strip_str(word).to_string();
    let plain = plain.trim_start_matches('(');
    let is_variable = plain.split_once('=').is_some_and(|(name, _)| {
        name.contains('_') && name.chars().all(|c| c.is_ascii_uppercase() || c == '_')
    });
    plain == "agon" || is_variable
}

/// Whether punctuation at the end of `word` ends a command.
fn ends_command(word: &str) -> bool {
    let plain = anstream::adapter::strip_str(word).to_string();
    // In `.`, `..` and `a/.`, the last dot is part of a path and does not end the command.
    let is_folder = plain.ends_with("/.") || plain.chars().all(|c| c == '.');
    plain.ends_with([';', ',', ':', ')', '.']) && !is_folder
}

/// Returns the end of the first word of `text`; a word with quotes ends at its last quote.
fn word_end(text: &str) -> usize {
    let mut before = None;
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            ' ' => return at,
            '\\' => {
                chars.next();
            }
            // An apostrophe after a letter, as in `user's`, does not open a quotation.
            '\'' if before.is_some_and(char::is_alphanumeric) => {}
            '\'' | '"' | '`' => {
                if let Some(closing) = closing_quote(&text[at + 1..], c) {
                    chars = text.char_indices();
                    chars.by_ref().find(|(i, _)| *i == at + 1 + closing);
                }
            }
            _ => {}
        }
        before = Some(c);
    }
    text.len()
}

/// Returns the position in `text` that closes the quote opened by `mark`.
fn closing_quote(text: &str, mark: char) -> Option<usize> {
    let mut closings = text.match_indices(mark).map(|(at, _)| at);
    closings.find(|at| {
        let next = text[at + 1..].chars().next();
        match mark {
            '"' => !text[..*at].ends_with('\\'),
            '\'' => next.is_none_or(|next| !next.is_alphanumeric()),
            _ => true,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrapped(text: &str, columns: usize) -> String {
        wrap_lines(text, Some(columns))
    }

    #[test]
    fn lines_are_broken_at_words_where_they_are_longer_than_a_terminal_is_wide() {
        assert_eq!(wrap_lines("one two three", None), "one two three");
        assert_eq!(wrapped("one two three", 13), "one two three");
        assert_eq!(wrapped("one two three", 12), "one two\nthree");
        assert_eq!(wrapped("  one two three\nx", 9), "  one two\n  three\nx");
        // A word that is too long stays whole, because people copy it.
        assert_eq!(wrapped("see /a/long/path it", 8), "see\n/a/long/path\nit");
        let coloured = "\u{1b}[1merror\u{1b}[0m: it is so";
        assert_eq!(wrapped(coloured, 15), coloured);
    }

    #[test]
    fn commands_and_quoted_text_are_never_broken() {
        for (text, broken) in [
            (
                "try it: agon resume \"tabs or spaces\" --substitute; or wait for it",
                "try it:\nagon resume \"tabs or spaces\" --substitute;\nor wait for\nit",
            ),
            (
                "see \u{1b}[1magon\u{1b}[0m check . --strict, which says more",
                "see\n\u{1b}[1magon\u{1b}[0m check . --strict,\nwhich says\nmore",
            ),
            (
                "run AGON_PROFILE=\"my own\" agon list (or not at all)",
                "run\nAGON_PROFILE=\"my own\" agon list\n(or not at\nall)",
            ),
            (
                "it is 'it'\\''s one topic' that is meant",
                "it is\n'it'\\''s one topic'\nthat is\nmeant",
            ),
            (
                "run `npm i -g tool` and wait",
                "run\n`npm i -g tool`\nand wait",
            ),
            // Neither apostrophes nor single marks are quotes.
            (
                "the users' files don't fit 5\" here",
                "the users'\nfiles don't\nfit 5\" here",
            ),
        ] {
            assert_eq!(wrapped(text, 12), broken);
            assert_eq!(wrap_lines(text, None), text);
        }
    }
}
