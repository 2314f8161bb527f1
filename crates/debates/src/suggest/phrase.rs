//! Phrases: rows of words to look for in a sentence.

use std::ops::Range;

/// The most words that a `*` alone stands for.
const GAP_WORDS: usize = 4;

/// A row of words, such as `drop|alter * table*`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Phrase {
    parts: Vec<Part>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    /// Any word, or none.
    Gap,
    /// One of these words.
    Word(Vec<Pattern>),
}

/// A word, or a part of one.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Pattern {
    text: String,
    has_open_start: bool,
    has_open_end: bool,
}

impl Phrase {
    /// Parses a phrase; `|` separates alternatives of a word, and `*` stands for letters or words.
    pub(super) fn parse(text: &str) -> Self {
        let mut parts = Vec::new();
        for word in text.split_whitespace() {
            match word {
                "*" => parts.extend(std::iter::repeat_n(Part::Gap, GAP_WORDS)),
                _ => parts.push(Part::Word(word.split('|').map(Pattern::parse).collect())),
            }
        }
        Self { parts }
    }

    /// Returns the range of words of each occurrence in a sentence of lower-case words, by its end.
    /// Of the occurrences with the same end, only the shortest is returned.
    pub(super) fn find_all(&self, sentence: &[String]) -> Vec<Range<usize>> {
        self.search(sentence, |_| ())
    }

    /// Searches as [`Self::find_all`] does, and calls `compared` with each part that is compared
    /// with a word.
    // All positions advance together. Backtracking took 40 s for a phrase with many gaps.
    fn search(&self, sentence: &[String], mut compared: impl FnMut(&Part)) -> Vec<Range<usize>> {
        let mut found = Vec::new();
        // For each part, the start of the shortest occurrence that continues with it.
        let mut starts: Vec<Option<usize>> = vec![None; self.parts.len()];
        for (at, word) in sentence.iter().enumerate() {
            let mut after: Vec<Option<usize>> = vec![None; self.parts.len() + 1];
            // The start of what reaches a part without a word for the gap before it.
            let mut reached = Some(at);
            for ((position, part), start) in self.parts.iter().enumerate().zip(&starts) {
                let start = (*start).max(reached.take());
                if start.is_none() {
                    continue;
                }
                compared(part);
                let next = match part {
                    Part::Gap => {
                        reached = start;
                        // The word is one of the gap.
                        true
                    }
                    Part::Word(patterns) => patterns.iter().any(|pattern| pattern.matches(word)),
                };
                if next && let Some(place) = after.get_mut(position + 1) {
                    *place = (*place).max(start);
                }
            }
            // Gaps at the end stand for no words.
            let last = self.parts.iter().rposition(|part| *part != Part::Gap);
            let ended = last.and_then(|last| after.get(last + 1).copied().flatten());
            found.extend(ended.map(|start| start..at + 1));
            after.truncate(self.parts.len());
            starts = after;
        }
        found
    }
}

impl Pattern {
    fn parse(text: &str) -> Self {
        Self {
            text: text.trim_matches('*').to_lowercase(),
            has_open_start: text.starts_with('*'),
            has_open_end: text.ends_with('*'),
        }
    }

    fn matches(&self, word: &str) -> bool {
        match (self.has_open_start, self.has_open_end) {
            (false, false) => word == self.text,
            (false, true) => word.starts_with(&self.text),
            (true, false) => word.ends_with(&self.text),
            (true, true) => word.contains(&self.text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn occurrences_are_found_by_their_ends() {
        let phrase = Phrase::parse("drop|alter * table*");
        let bounds = |phrase: &Phrase, text: &str| {
            let found = phrase.find_all(&words(text));
            let bounds = found.iter().map(|range| (range.start, range.end));
            bounds.collect::<Vec<_>>()
        };
        let found = |text: &str| bounds(&phrase, text);
        assert_eq!(found("drop table"), [(0, 2)]);
        assert_eq!(found("now drop a b c d tables"), [(1, 7)]);
        assert!(found("drop a b c d e table").is_empty());
        // The verb next to the object counts.
        assert_eq!(found("drop it and alter the table"), [(3, 6)]);
        assert_eq!(found("drop a table or table"), [(0, 3), (0, 5)]);
        let ends = |text: &str| bounds(&Phrase::parse(text), "a b");
        assert_eq!(
            (ends("a *"), ends("* b"), ends("a b")),
            (vec![(0, 1)], vec![(1, 2)], vec![(0, 2)])
        );
    }

    #[test]
    fn the_worst_phrase_compares_each_part_with_each_word_once() {
        // The longest phrase that the configuration allows, in the longest sentence.
        let phrase = Phrase::parse("aaa* * aaa* * aaa* * aaa* * aaa* * zzz");
        let sentence = vec!["aaaa".to_owned(); 80];
        let mut count = 0;
        assert!(phrase.search(&sentence, |_| count += 1).is_empty());
        assert!(count <= phrase.parts.len() * sentence.len(), "{count}");
        let gaps = Phrase::parse("aaa * * * * * * * * * * zzz");
        let mut count = 0;
        let sentence = vec!["aaa".to_owned(); 80];
        assert!(gaps.search(&sentence, |_| count += 1).is_empty());
        assert!(count <= gaps.parts.len() * sentence.len(), "{count}");
    }
}
