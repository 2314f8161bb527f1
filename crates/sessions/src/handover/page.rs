//! The page of a hand-over, which tells quotations from Agon's own words.

use std::fmt::Write as _;

use agon_record::text::strip_control_characters;
use agon_tokens::count_tokens;

use super::Quotation;

/// The text so far, and its unquoted part for counting tokens.
#[derive(Default)]
pub(super) struct HandoverPage {
    pub(super) text: String,
    own: String,
}

impl HandoverPage {
    pub(super) fn push_line(&mut self, line: &str) {
        let is_after_quote = self
            .text
            .lines()
            .next_back()
            .is_some_and(|it| it.starts_with('>'));
        if line.starts_with('#') && !self.text.is_empty() || is_after_quote {
            // Without an empty line, Markdown makes the next line part of the quotation.
            self.text.push('\n');
        }
        for all in [&mut self.text, &mut self.own] {
            all.push_str(line);
            all.push('\n');
        }
    }

    pub(super) fn quoted_lines(&mut self, words: &str) {
        // Strip each quotation on its own, so that a truncated escape sequence cannot swallow later
        // lines.
        let words = strip_control_characters(words);
        // Some readers also break lines at these characters, and the second part would have no `>`.
        let words = words.replace(['\u{85}', '\u{2028}', '\u{2029}', '\u{b}', '\u{c}'], " ");
        for line in words.lines().filter(|it| !it.trim().is_empty()) {
            self.text.push_str("> ");
            self.text.push_str(line);
            self.text.push('\n');
        }
    }

    pub(super) fn quote(&mut self, turn: u32, it: &Quotation) {
        let mut place = format!("[turn {turn}");
        if !it.is_of_user {
            place.push_str(", the model");
        }
        if let Some(revised) = it.revised_in {
            write!(place, ", perhaps changed in turn {revised}").unwrap_or_default();
        }
        place.push(']');
        self.quote_from(&it.words, &place);
    }

    pub(super) fn quote_from(&mut self, words: &str, place: &str) {
        self.quoted_lines(words);
        // The place is part of the quotation, because a separate line for each costs too many
        // tokens.
        if self.text.ends_with('\n') {
            self.text.pop();
        }
        writeln!(self.text, " {place}").unwrap_or_default();
    }

    pub(super) fn quotations(&mut self, head: &str, all: &[Quotation]) {
        if all.is_empty() {
            return;
        }
        self.push_line(head);
        for it in all {
            self.quote(it.turn, it);
        }
    }

    /// Writes how many of `count` rows are not shown.
    pub(super) fn write_omitted_count(&mut self, count: usize, shown: usize) {
        if count > shown {
            self.push_line(&format!("{} more are not shown.", count - shown));
        }
    }

    pub(super) fn own_tokens(&self) -> usize {
        count_tokens(&self.own)
    }
}
