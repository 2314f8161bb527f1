//! Sentences of a prompt or a plan that demand a change.
//!
//! A question or a mention is not enough, because a line that appears too often is ignored.

use std::ops::Range;

use super::lexicon::{
    ASIDES, CLAUSE_WORDS, DEMANDS, EASY, EASY_AFTER, EASY_ANYWHERE, NEGATIONS, NO_NEGATION,
    OPENINGS, PRODUCTION, READING, STATEMENTS,
};

/// Maximum bytes of a text that are read; more is a pasted file or log.
const MAX_BYTES: usize = 16 * 1024;
/// Maximum words of a sentence that are read.
const MAX_WORDS: usize = 80;

/// A sentence that demands a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Demand {
    /// Its words, in lower case.
    pub(super) words: Vec<String>,
    /// For each word, the number of its clause.
    clauses: Vec<usize>,
}

impl Demand {
    /// Returns whether a match is about something that is easy to change.
    pub(super) fn is_easy(&self, found: &Range<usize>) -> bool {
        let (before, after) = self.words.split_at(found.end.min(self.words.len()));
        let has = |words: &[String], list: &[&str]| {
            let mut words = words.iter();
            words.any(|word| list.contains(&word.as_str()))
        };
        let is_production = self.words.iter().any(|word| word.starts_with(PRODUCTION));
        has(before, EASY)
            || EASY_AFTER.iter().any(|it| begins_with(after, it))
            || !is_production && has(&self.words, EASY_ANYWHERE)
    }

    /// Returns whether the sentence negates a match: before it in its clause, or in a later clause
    /// that ends with it. German also negates after it.
    pub(super) fn is_negated(&self, found: &Range<usize>) -> bool {
        let clause = |at: usize| self.clauses.get(at).copied().unwrap_or_default();
        let (first, last) = (clause(found.start), clause(found.end.saturating_sub(1)));
        self.words.iter().enumerate().any(|(at, word)| {
            let after = self.words.get(at + 1).map(String::as_str);
            let is_plain = after.is_some_and(|it| NO_NEGATION.contains(&it))
                || word == "instead" && after != Some("of");
            let is_before = at < found.start && clause(at) == first;
            let is_between = found.contains(&at) && clause(at) > first;
            let is_after = at >= found.end && clause(at) == last;
            if word.starts_with("kein") {
                return is_before || found.contains(&at);
            }
            NEGATIONS.contains(&word.as_str()) && !is_plain && (is_before || is_between)
                || word == "nicht" && is_after
        })
    }
}

/// Returns the first bytes of a text, which alone are read.
pub(super) fn head(text: &str) -> &str {
    text.get(..text.floor_char_boundary(MAX_BYTES))
        .unwrap_or_default()
}

/// Returns the sentences of a text that demand a change.
pub(super) fn demands(text: &str) -> Vec<Demand> {
    let mut found = Vec::new();
    let mut is_in_fence = false;
    let mut aside = Aside::default();
    for line in head(text).lines() {
        let line = line.trim();
        if line.starts_with("```") || line.starts_with("~~~") {
            is_in_fence = !is_in_fence;
        } else if !is_in_fence
            && !aside.contains(line)
            && !line.starts_with('>')
            && !line.starts_with('|')
        {
            found.extend(demands_of_line(line));
        }
    }
    found
}

/// The section of a plan with what it does not do.
#[derive(Default)]
struct Aside {
    /// The level of its heading, if the current line is in one.
    level: Option<usize>,
    is_after_blank: bool,
}

impl Aside {
    /// The level of a heading without `#`.
    const LABEL: usize = 7;

    /// Reads the next line, and returns whether it is in such a section.
    fn contains(&mut self, line: &str) -> bool {
        let hashes = line.chars().take_while(|mark| *mark == '#').count();
        let is_label = line.ends_with(':') || line.starts_with("**") && line.ends_with("**");
        let level = match (hashes, is_label) {
            (1..=6, _) => Some(hashes),
            (_, true) => Some(Self::LABEL),
            (_, false) => None,
        };
        let is_item = line.starts_with(|c: char| "-*+".contains(c) || c.is_ascii_digit());
        if let Some(level) = level {
            if self.level.is_none_or(|open| level <= open) {
                self.level = is_aside(&words_of(line)).then_some(level);
            }
        } else if self.level == Some(Self::LABEL)
            && self.is_after_blank
            && !line.is_empty()
            && !is_item
        {
            self.level = None;
        }
        self.is_after_blank = line.is_empty();
        self.level.is_some()
    }
}

/// Returns whether words begin with the name of what is not done.
fn is_aside(words: &[String]) -> bool {
    ASIDES.iter().any(|name| begins_with(words, name))
}

/// Returns whether words begin with those of a text.
fn begins_with(words: &[String], text: &str) -> bool {
    let mut own = text.split(' ').enumerate();
    own.all(|(at, word)| words.get(at).is_some_and(|it| it == word))
}

fn demands_of_line(line: &str) -> Vec<Demand> {
    let mut found = Vec::new();
    // "Error: cannot drop the table" and "Out of scope: a rewrite" continue after the colon.
    let mut is_skipped = false;
    for sentence in sentences(line) {
        let first = words(sentence);
        let is_read = first
            .first()
            .is_some_and(|it| READING.contains(&it.as_str()));
        is_skipped = is_skipped || is_read || is_aside(&first);
        if !is_skipped {
            found.extend(demand(sentence));
        }
        is_skipped = is_skipped && sentence.ends_with(':');
    }
    found
}

/// Splits a text into clauses; the mark at the end of each stays.
pub(super) fn clauses(text: &str) -> impl Iterator<Item = &str> {
    let marks = [',', ';', ':', '.', '!', '?', '…', '(', ')', '\n', '–', '—'];
    let clauses = head(text).split_inclusive(marks).map(str::trim);
    clauses.filter(|clause| !clause.is_empty())
}

/// Splits a line at the ends of sentences; the end mark stays.
fn sentences(line: &str) -> impl Iterator<Item = &str> {
    let mut rest = line;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let is_end = |(at, mark): &(usize, char)| {
            let after = rest.get(at + mark.len_utf8()..).unwrap_or_default();
            ".!?;:".contains(*mark) && after.starts_with(|c: char| c.is_whitespace())
        };
        let end = rest.char_indices().find(is_end);
        let end = end.map_or(rest.len(), |(at, mark)| at + mark.len_utf8());
        let (sentence, after) = rest.split_at(end);
        rest = after.trim_start();
        Some(sentence)
    })
}

/// Returns a sentence if it demands something.
fn demand(sentence: &str) -> Option<Demand> {
    let words = words(sentence);
    let mut rest = words.as_slice();
    let mut is_demand = false;
    loop {
        let opening = rest.first().filter(|word| {
            OPENINGS.contains(&word.as_str()) || word.chars().all(|c| c.is_ascii_digit())
        });
        let asked = DEMANDS.iter().filter(|it| begins_with(rest, it));
        let lengths = asked.map(|it| it.split(' ').count());
        let length = match (opening, lengths.max()) {
            (_, Some(length)) => {
                is_demand = true;
                length
            }
            (Some(_), None) => 1,
            (None, None) => break,
        };
        rest = rest.get(length..).unwrap_or_default();
    }
    let first = rest.first()?;
    let is_statement = STATEMENTS.contains(&first.as_str()) || sentence.trim_end().ends_with('?');
    let is_change = !READING.contains(&first.as_str()) && (is_demand || !is_statement);
    is_change.then(|| Demand {
        words: rest.to_vec(),
        clauses: numbers_of_clauses(sentence).split_off(words.len() - rest.len()),
    })
}

/// Returns the number of the clause of each word of a sentence.
fn numbers_of_clauses(sentence: &str) -> Vec<usize> {
    let mut numbers = Vec::new();
    for (number, clause) in clauses(sentence).enumerate() {
        // A word such as "but" begins a clause, so that each clause has two numbers at most.
        let mut number = 2 * number;
        for word in words_of(clause) {
            if CLAUSE_WORDS.contains(&word.as_str()) {
                number |= 1;
            }
            numbers.push(number);
        }
    }
    numbers.truncate(MAX_WORDS);
    numbers
}

/// Returns the first words of a text, in lower case.
fn words(text: &str) -> Vec<String> {
    let mut words = words_of(text);
    words.truncate(MAX_WORDS);
    words
}

/// Returns the words of a text, in lower case.
pub(super) fn words_of(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphanumeric());
    let words = words.filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}
