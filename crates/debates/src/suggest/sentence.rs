//! Sentences of a prompt or a plan that demand a change.
//!
//! A question or a mention is not enough, because a line that appears too often is ignored.

use super::lexicon::{DEMANDS, EASY, EASY_AFTER, OPENINGS, READING, STATEMENTS};

/// Maximum bytes of a text that are read; more is a pasted file or log.
const MAX_BYTES: usize = 16 * 1024;
/// Maximum words of a sentence that are read.
const MAX_WORDS: usize = 80;

/// Returns the sentences of a text that demand a change, in lower-case words.
pub(super) fn demands(text: &str) -> Vec<Vec<String>> {
    let text = text
        .get(..text.floor_char_boundary(MAX_BYTES))
        .unwrap_or_default();
    let mut found = Vec::new();
    let mut is_in_fence = false;
    for line in text.lines() {
        let line = line.trim();
        if line.starts_with("```") || line.starts_with("~~~") {
            is_in_fence = !is_in_fence;
        } else if !is_in_fence && !line.starts_with('>') && !line.starts_with('|') {
            found.extend(sentences(line).filter_map(demand));
        }
    }
    found
}

/// Returns whether a match in a demand is about something that is easy to change.
pub(super) fn is_easy(sentence: &[String], found: &std::ops::Range<usize>) -> bool {
    let (before, after) = sentence.split_at(found.end.min(sentence.len()));
    before.iter().any(|word| EASY.contains(&word.as_str()))
        || after
            .first()
            .is_some_and(|word| EASY_AFTER.contains(&word.as_str()))
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

/// Returns the words of a sentence if it demands something.
fn demand(sentence: &str) -> Option<Vec<String>> {
    let words = words(sentence);
    let mut rest = words.as_slice();
    let mut is_demand = false;
    loop {
        let opening = rest.first().filter(|word| {
            OPENINGS.contains(&word.as_str()) || word.chars().all(|c| c.is_ascii_digit())
        });
        let asked = DEMANDS.iter().map(|it| it.split(' '));
        let asked = asked.filter(|it| {
            let mut pairs = it.clone().enumerate();
            pairs.all(|(at, word)| rest.get(at).is_some_and(|own| own == word))
        });
        let length = match (opening, asked.map(Iterator::count).max()) {
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
    is_change.then(|| rest.to_vec())
}

/// Returns the first words of a text, in lower case.
pub(super) fn words(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphanumeric());
    let words = words.filter(|word| !word.is_empty());
    words.take(MAX_WORDS).map(str::to_lowercase).collect()
}
