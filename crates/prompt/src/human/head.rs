//! What the heading of a part says of it: its id and its choices.

use agon_record::grammar::{Field, FieldKind};
use serde_json::json;

use super::choice;
use super::frame::Frame;

impl Frame {
    /// Takes the id, score and choices from the start and end of a heading; returns the words that
    /// are left.
    pub(super) fn parse_part_heading<'a>(&mut self, text: &'a str) -> &'a str {
        let mut rest = text.trim();
        loop {
            rest = choice::strip_leading_fillers(rest);
            let word = rest.split_whitespace().next().unwrap_or_default();
            let (word, next) = match word.find([',', ':', '(']) {
                Some(at) => rest.split_at(at),
                None => rest.split_at(word.len()),
            };
            let number = rest.split_whitespace().next().unwrap_or_default();
            let after_number = rest.get(number.len()..).unwrap_or_default();
            // In a sentence a word that happens to be a choice is one of the sentence.
            let (phrase, beyond) = rest.split_at(rest.find([':', '(']).unwrap_or(rest.len()));
            if let Some(inside) = rest.strip_prefix('(').and_then(|rest| rest.split_once(')'))
                && self.try_take_all_words(inside.0)
            {
                rest = inside.1;
            } else if self.try_take_id(word) {
                rest = next;
            } else if self.try_take_all_words(phrase) {
                rest = beyond;
            } else if self.try_take_score(number) {
                rest = after_number;
            } else if let Some(cut) = self.take_trailing_brackets(rest) {
                rest = cut;
            } else {
                return rest.trim();
            }
        }
    }

    /// Takes words in brackets at the end of `text`; what stands before them is given back.
    fn take_trailing_brackets<'a>(&mut self, text: &'a str) -> Option<&'a str> {
        let (before, inside) = text.trim_end().strip_suffix(')')?.rsplit_once('(')?;
        self.try_take_all_words(inside).then_some(before)
    }

    /// Takes a line that is words in brackets and nothing else.
    pub(super) fn try_take_bracketed_line(&mut self, text: &str) -> bool {
        let inside = text
            .strip_prefix('(')
            .and_then(|rest| rest.strip_suffix(')'));
        let taken = inside.is_some_and(|inside| self.try_take_all_words(inside));
        if taken {
            self.mark_filled_in();
        }
        taken
    }

    /// Takes every one of the words, or none.
    fn try_take_all_words(&mut self, inside: &str) -> bool {
        let before = self.object.clone();
        let words = inside.split([',', ';', '/']);
        let all = words
            .map(str::trim)
            .all(|word| self.try_take_id(word) || self.try_take_choice(word));
        if !all {
            self.object = before;
        }
        all
    }

    fn try_take_id(&mut self, word: &str) -> bool {
        let free = |slot: &&Field| {
            matches!(slot.kind, FieldKind::Id) && !self.object.contains_key(slot.key)
        };
        let (Some(slot), Some(id)) = (
            self.part.fields.iter().find(free),
            choice::parse_node_id(word),
        ) else {
            return false;
        };
        self.object.insert(slot.key.to_owned(), json!(id));
        true
    }

    fn try_take_score(&mut self, word: &str) -> bool {
        let free = |slot: &&Field| {
            matches!(slot.kind, FieldKind::Score) && !self.object.contains_key(slot.key)
        };
        let word = word.trim_end_matches([',', ';', ':']);
        let (Some(slot), Some(score)) = (
            self.part.fields.iter().find(free),
            choice::parse_number(word),
        ) else {
            return false;
        };
        self.object.insert(slot.key.to_owned(), score);
        true
    }

    fn try_take_choice(&mut self, word: &str) -> bool {
        let free = |slot: &&Field| !self.object.contains_key(slot.key);
        let slots = self.part.fields.iter().filter(free);
        let mut found = slots.filter_map(|slot| {
            let FieldKind::Choice(choices) = slot.kind else {
                return None;
            };
            Some((slot.key, choice::find_exact_choice(word, choices)?))
        });
        let Some((key, word)) = found.next() else {
            return false;
        };
        self.object.insert(key.to_owned(), json!(word));
        true
    }
}
