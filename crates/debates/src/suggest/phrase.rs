//! Phrases: rows of words to look for in a sentence.

/// The most words that a `*` alone stands for.
const GAP_WORDS: usize = 4;

/// A row of words, such as `drop|alter * table*`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Phrase {
    parts: Vec<Part>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    /// Up to N words.
    Gap(usize),
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
            match (word, parts.last_mut()) {
                ("*", Some(Part::Gap(words))) => *words += GAP_WORDS,
                ("*", _) => parts.push(Part::Gap(GAP_WORDS)),
                _ => parts.push(Part::Word(word.split('|').map(Pattern::parse).collect())),
            }
        }
        Self { parts }
    }

    /// Returns the range of words of the first occurrence in a sentence of lower-case words.
    pub(super) fn find(&self, sentence: &[String]) -> Option<std::ops::Range<usize>> {
        let starts = 0..sentence.len();
        let mut found = starts.filter_map(|at| {
            let length = match_length(&self.parts, sentence.get(at..)?)?;
            Some(at..at + length)
        });
        found.next()
    }
}

/// Returns how many of the first words match all parts.
fn match_length(parts: &[Part], words: &[String]) -> Option<usize> {
    match parts.split_first() {
        None => Some(0),
        Some((Part::Gap(most), rest)) => {
            let mut skips = 0..=(*most).min(words.len());
            skips.find_map(|skip| Some(skip + match_length(rest, words.get(skip..)?)?))
        }
        Some((Part::Word(patterns), rest)) => {
            let (word, after) = words.split_first()?;
            let is_one = patterns.iter().any(|pattern| pattern.matches(word));
            is_one.then(|| match_length(rest, after))?.map(|it| it + 1)
        }
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
