//! Normalizes text for comparing words.
//!
//! White space counts only between two words. Quotation marks, dashes and ellipses have one form
//! each. Backticks, invisible characters and comment marks at the beginnings of lines are removed.

use std::ops::RangeInclusive;

use agon_record::text::{is_hidden, is_joiner};
use unicode_normalization::UnicodeNormalization as _;

/// A normalized text that remembers the original line numbers.
#[derive(Debug)]
pub(crate) struct Normal {
    text: String,
    /// Where each line begins in `text`.
    starts: Vec<u32>,
}

impl Normal {
    /// Normalizes a text of less than 4 GiB. Takes O(length) time.
    pub(crate) fn of(text: &str) -> Self {
        let mut writer = Normalizer {
            out: String::with_capacity(text.len()),
            space: false,
        };
        let mut starts = Vec::new();
        let mut open_mark = None;
        for line in text.lines() {
            starts.push(u32::try_from(writer.out.len()).unwrap_or(u32::MAX));
            writer.space = true;
            let line = line.trim_start();
            let mark = find_weak_comment_mark(line);
            let kept = match mark {
                Some(mark) if open_mark == Some(mark) => strip_weak_mark(line, mark),
                _ => line,
            };
            open_mark = mark;
            writer.push_line(strip_comment_marks(kept.trim_start()));
        }
        Self {
            text: writer.out,
            starts,
        }
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Returns the number of lines.
    pub(crate) fn line_count(&self) -> u32 {
        u32::try_from(self.starts.len()).unwrap_or(u32::MAX)
    }

    /// Returns the original lines, from 1, of a non-empty byte range.
    pub(crate) fn line_range_of_bytes(&self, start: usize, end: usize) -> [u32; 2] {
        [self.line_at(start), self.line_at(end.saturating_sub(1))]
    }

    fn line_at(&self, at: usize) -> u32 {
        let line = self.starts.partition_point(|start| *start as usize <= at);
        u32::try_from(line).unwrap_or(u32::MAX)
    }
}

/// Normalizes words that are searched for.
pub(crate) fn normalize_words(words: &str) -> String {
    let mut text = Normal::of(words).text;
    text.truncate(text.trim_end().len());
    text
}

/// Quotation marks that all become the same one.
const QUOTES: &str = "\"'´‘’‚‛“”„‟«»‹›";

/// Scripts without spaces between words, so that the end of a word cannot be detected.
const SPACELESS: [RangeInclusive<char>; 7] = [
    '\u{e00}'..='\u{eff}',
    '\u{1000}'..='\u{109f}',
    '\u{1780}'..='\u{17ff}',
    '\u{2e80}'..='\u{9fff}',
    '\u{ac00}'..='\u{d7af}',
    '\u{f900}'..='\u{faff}',
    '\u{20000}'..='\u{3ffff}',
];

/// Returns whether a character belongs to a word in a script with spaces between words. Only in
/// such a script must a match end at word boundaries.
pub(crate) fn is_spaced_script_word_char(c: char) -> bool {
    (c.is_alphanumeric() || c == '_') && !SPACELESS.iter().any(|script| script.contains(&c))
}

struct Normalizer {
    out: String,
    /// Whether white space followed the last character, to be written before the next one.
    space: bool,
}

impl Normalizer {
    fn push_line(&mut self, line: &str) {
        for c in line.nfc() {
            match c {
                c if c.is_whitespace() => self.space = true,
                '`' => {}
                c if QUOTES.contains(c) => self.push_char('\''),
                '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe58}' | '\u{fe63}' | '\u{ff0d}' => {
                    self.push_char('-');
                }
                '…' => {
                    for _ in 0..3 {
                        self.push_char('.');
                    }
                }
                c if c.is_control() || is_invisible(c) => {}
                c => self.push_char(c),
            }
        }
    }

    fn push_char(&mut self, c: char) {
        if std::mem::take(&mut self.space)
            && is_word_char(c)
            && self.out.chars().next_back().is_some_and(is_word_char)
        {
            self.out.push(' ');
        }
        self.out.push(c);
    }
}

fn is_word_char(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn is_invisible(c: char) -> bool {
    is_hidden(c) || is_joiner(c)
}

/// Removes leading white space and comment marks from a line. An example inside a comment may have
/// marks of its own.
fn strip_comment_marks(line: &str) -> &str {
    let mut line = line;
    loop {
        let rest = strip_comment_mark(line).trim_start();
        if rest.len() == line.len() {
            return line;
        }
        line = rest;
    }
}

/// Comment marks that are also common elsewhere, so they count only if the line above begins with
/// the same mark: the marks of Visual Basic, TeX and Fortran, and `REM` of BASIC.
const WEAK_MARKS: [&str; 4] = ["'", "%", "!", "rem"];

/// Returns the mark of `WEAK_MARKS` with which a line begins.
fn find_weak_comment_mark(line: &str) -> Option<&'static str> {
    let is_mark = |mark: &&&str| strip_weak_mark(line, mark).len() < line.len();
    WEAK_MARKS.iter().find(is_mark).copied()
}

/// Removes a mark, which may be repeated and in any case, from the beginning of a line.
fn strip_weak_mark<'t>(line: &'t str, mark: &str) -> &'t str {
    let mut rest = line;
    while let Some(head) = rest.get(..mark.len())
        && head.eq_ignore_ascii_case(mark)
    {
        rest = &rest[mark.len()..];
    }
    match rest.is_empty() || rest.starts_with([' ', '\t']) {
        true => rest,
        false => line,
    }
}

fn strip_comment_mark(line: &str) -> &str {
    if line.starts_with("//") {
        let rest = line.trim_start_matches('/');
        return rest.strip_prefix('!').unwrap_or(rest);
    }
    if let Some(rest) = line.strip_prefix("/*") {
        return rest.trim_start_matches('*').trim_start_matches('!');
    }
    if let Some(rest) = line.strip_prefix("<!--") {
        return rest;
    }
    for mark in ['#', '*', ';', '>'] {
        let rest = line.trim_start_matches(mark);
        if rest.len() < line.len() && (rest.is_empty() || rest.starts_with([' ', '\t'])) {
            return rest;
        }
    }
    match line.strip_prefix("--") {
        Some(rest) if rest.is_empty() || rest.starts_with(' ') => rest,
        Some(_) | None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn white_space_counts_between_words_only() {
        for (text, same) in [
            ("let  x =\tf( a,b )", "let x=f(a, b)"),
            ("a\u{a0}b", "a b"),
            ("a\r\n  b", "a b"),
        ] {
            assert_eq!(normalize_words(text), normalize_words(same), "{text}");
        }
        assert_ne!(normalize_words("ab"), normalize_words("a b"));
    }

    #[test]
    fn marks_of_one_meaning_have_one_form() {
        for (text, same) in [
            ("“don’t” ‘x’", "\"don't\" 'x'"),
            ("a – b — c − d", "a - b - c - d"),
            ("wait…", "wait..."),
            ("the `x` of", "the x of"),
            ("a\u{200b}b", "ab"),
        ] {
            assert_eq!(normalize_words(text), normalize_words(same), "{text}");
        }
    }

    #[test]
    fn a_comment_over_two_lines_reads_as_one() {
        for text in [
            "/// Retries are\n    /// capped at 3.",
            "//! Retries are\n//! capped at 3.",
            "# Retries are\n# capped at 3.",
            "/* Retries are\n * capped at 3.",
            "-- Retries are\n-- capped at 3.",
            "> Retries are\n> capped at 3.",
            ";; Retries are\n;; capped at 3.",
            " * // Retries are\n *   // capped at 3.",
        ] {
            assert_eq!(normalize_words(text), "Retries are capped at 3.", "{text}");
        }
        for kept in ["#[derive(Debug)]", "*pointer=1", "--flag", "-1"] {
            assert_eq!(normalize_words(kept), kept);
        }
    }

    #[test]
    fn marks_that_other_texts_have_too_count_below_a_line_with_the_same() {
        for (text, expected) in [
            ("' Retries are\n' capped at 3.", "'Retries are capped at 3."),
            (
                "''' Retries are\n''' capped at 3.",
                "'''Retries are capped at 3.",
            ),
            (
                "% Retries are\n  % capped at 3.",
                "%Retries are capped at 3.",
            ),
            (
                "%% Retries are\n%% capped at 3.",
                "%%Retries are capped at 3.",
            ),
            ("! Retries are\n! capped at 3.", "!Retries are capped at 3."),
            (
                "REM Retries are\nRem capped at 3.",
                "REM Retries are capped at 3.",
            ),
            ("; Retries are\n; capped at 3.", "Retries are capped at 3."),
            // Not below another line.
            ("a rate of 5\n% of all", "a rate of 5%of all"),
            ("say\n' and 'no", "say'and'no"),
            ("rem\nremote", "rem remote"),
            ("'a'\n'b'", "'a''b'"),
        ] {
            assert_eq!(normalize_words(text), expected, "{text}");
        }
    }

    #[test]
    fn a_part_knows_its_lines_past_empty_ones() {
        let text = Normal::of("one\n\n\n  two\nthree\n");
        assert_eq!(text.text(), "one two three");
        assert_eq!(text.line_count(), 5);
        assert_eq!(text.line_range_of_bytes(0, 3), [1, 1]);
        assert_eq!(text.line_range_of_bytes(4, 7), [4, 4]);
        assert_eq!(text.line_range_of_bytes(4, 13), [4, 5]);
    }

    proptest! {
        #[test]
        fn a_form_of_comparison_is_its_own(text in "[ab.`\"' \\-–…\\n/*#(]{0,40}") {
            let once = normalize_words(&text).replace('\n', " ");
            // The remaining text may again look like a comment mark.
            prop_assume!(strip_comment_marks(&once) == once);
            prop_assert_eq!(normalize_words(&once), once);
        }
    }
}
