//! Finds values located by another part of the statement, entry or row, and excludes harmless ones.

use std::ops::Range;

use super::{NameScan, Tie, line_start};
use crate::name::Name;
use crate::span::{bare_word_span, quoted_span};
use crate::value::is_hash;

// Enough for a statement on one line.
/// Maximum length of a statement before a name, in bytes.
const MAX_STATEMENT: usize = 400;
// Chosen, not measured: text farther below a table's head is not a row of it. Each name costs a
// scan.
/// Maximum distance between a row and the head of its table, in bytes.
const MAX_ABOVE: usize = 4096;

/// Words that show that a hash in a sentence is not a secret.
const COMMIT_WORDS: &[&str] = &[
    "bug",
    "bugs",
    "fix",
    "fixes",
    "fixed",
    "regression",
    "commit",
    "revision",
    "rev",
    "sha",
    "patch",
    "merge",
    "merged",
    "branch",
    "bisect",
    "crash",
    "leak",
    "refactor",
    "change",
    "changed",
    "test",
    "tests",
    "landed",
    "reverted",
    "introduced",
    "cherry-picked",
    "issue",
    "error",
    "problem",
    "check",
    "handling",
];

impl NameScan<'_> {
    /// Returns the value in `SET value = '…' WHERE name = 'NAME'`, or in the YAML line above `name:
    /// NAME`.
    pub(super) fn value_before_name(&self) -> Option<Range<usize>> {
        let start = self.line_start;
        let start = self
            .text
            .ceil_char_boundary(start.max(self.name.start.saturating_sub(MAX_STATEMENT)));
        let before = &self.text[start..self.name.start];
        self.updated_value(start, before)
            .or_else(|| self.value_above(start, before))
    }

    fn updated_value(&self, start: usize, before: &str) -> Option<Range<usize>> {
        if !before.ends_with('\'') {
            return None;
        }
        let lower = before.to_ascii_lowercase();
        let condition = lower.rfind(" where ")?;
        let set = lower[..condition].rfind(" set ")?;
        // The statement may set several columns: return the first value that is a secret.
        let mut at = set;
        while let Some(quote) = before[at..condition].find('\'') {
            let span = quoted_span(self.view, start + at + quote)?;
            if span.end > start + condition {
                return None;
            }
            if self.is_secret_value(self.tie_for_name_kind(), true, &self.text[span.clone()]) {
                return Some(span);
            }
            at = span.end + 1 - start;
        }
        None
    }

    fn value_above(&self, start: usize, before: &str) -> Option<Range<usize>> {
        const NAMES: [&str; 3] = ["name:", "key:", "variable:"];
        let key = before.trim().trim_end_matches(['"', '\'']).trim_end();
        if !NAMES.contains(&key) {
            return None;
        }
        let above = self.text[..start].strip_suffix('\n')?;
        let line = line_start(above, above.len());
        let entry = above[line..].trim_start_matches([' ', '-']);
        let value = entry.strip_prefix("value:")?.trim_start();
        let indent = |line: &str| line.len() - line.trim_start_matches([' ', '-']).len();
        if indent(&above[line..]) != indent(before) {
            return None;
        }
        let at = above.len() - value.len();
        let is_quoted = value.starts_with(['"', '\'']);
        let span = if is_quoted {
            quoted_span(self.view, at)?
        } else {
            bare_word_span(self.text, at)
        };
        self.is_secret_value(Tie::Loose, is_quoted, self.text.get(span.clone())?)
            .then_some(span)
    }

    /// Returns the value in the row that begins with the name, in the column headed as values.
    pub(super) fn row_value(&self) -> Option<Range<usize>> {
        const HEADS: [&str; 5] = ["value", "secret", "content", "wert", "valeur"];
        let start = self.line_start;
        let sign = char::from(self.byte_at(self.name.end));
        if !matches!(sign, ',' | ';' | '\t') || self.name.start != start || start == 0 {
            return None;
        }
        let from = self
            .text
            .ceil_char_boundary(start.saturating_sub(MAX_ABOVE));
        let above = self.text[from..start - 1].rsplit('\n');
        let head = above.take_while(|line| line.contains(sign)).last()?;
        let place = head.split(sign).position(|cell| {
            let cell = cell.trim().trim_matches('"').to_ascii_lowercase();
            HEADS.contains(&cell.as_str())
        })?;
        let row = self.text_near(start).split('\n').next()?;
        let whole = row.matches(sign).count() == head.matches(sign).count();
        let cell = row.split(sign).nth(place).filter(|_| whole)?;
        let value = cell.trim().trim_matches('"');
        let at = value.as_ptr() as usize - self.text.as_ptr() as usize;
        (place > 0 && self.is_secret_value(self.tie_for_name_kind(), true, value))
            .then_some(at..at + value.len())
    }

    /// Returns the tie for a value in a table: generated values are long, and a short word is a
    /// kind or a state.
    fn tie_for_name_kind(&self) -> Tie {
        match self.kind {
            Name::Password => Tie::Tight,
            Name::Known | Name::Token | Name::Key | Name::Auth | Name::Signature => Tie::Field,
        }
    }

    /// Returns whether the text around `span` shows that its value is harmless.
    pub(super) fn is_harmless_in_context(&self, span: &Range<usize>) -> bool {
        self.is_commit_hash(span)
            || self.is_template_word(span.start)
            || self.is_sealed(&self.text[span.clone()])
    }

    /// Returns whether the sentence between the name and `span` is about a change in a program,
    /// which mentions a commit hash.
    fn is_commit_hash(&self, span: &Range<usize>) -> bool {
        let value = &self.text[span.clone()];
        let between = &self.text[self.name.end..span.start];
        matches!(value.len(), 40 | 64)
            && is_hash(value)
            && between
                .split([' ', ',', '(', '`', ':'])
                .any(|word| COMMIT_WORDS.contains(&word))
    }

    /// Returns whether the name is inside the braces of a template, where filters follow it.
    pub(super) fn is_in_template(&self) -> bool {
        self.is_template_word(self.name.start)
    }

    /// Returns whether the word at `at`, on the line of the name or below it, belongs to a template
    /// and is not a quoted default in it.
    fn is_template_word(&self, at: usize) -> bool {
        let start = line_start(self.text, at);
        let before = &self.text[start..at];
        let is_open = before
            .rfind("{{")
            .is_some_and(|open| !before[open..].contains("}}"));
        is_open && !before.ends_with(['"', '\'', '`']) && self.text_near(at).contains("}}")
    }
}
