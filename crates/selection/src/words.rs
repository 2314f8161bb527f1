//! Words of a text, in the form in which they are compared.

use rust_stemmers::{Algorithm, Stemmer};

/// A word of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Word {
    /// Its stem, by Snowball's English stemmer.
    pub(crate) stem: String,
    /// As it is written, in lower case.
    pub(crate) written: String,
    /// Whether it says something by itself; `the` and `of` do not.
    pub(crate) is_content: bool,
}

// Words that stand in requests of every kind. They count within a phrase and nowhere else.
const FUNCTION_WORDS: &[&str] = &[
    "a", "about", "after", "again", "all", "also", "am", "an", "and", "any", "are", "as", "at",
    "be", "been", "being", "both", "but", "by", "can", "could", "d", "did", "do", "does", "doing",
    "don", "for", "from", "get", "give", "go", "had", "has", "have", "he", "her", "here", "him",
    "his", "how", "i", "if", "in", "into", "is", "it", "its", "just", "let", "ll", "m", "make",
    "may", "me", "more", "my", "need", "no", "not", "now", "of", "on", "one", "only", "or", "our",
    "out", "over", "please", "re", "s", "she", "should", "so", "some", "t", "than", "that", "the",
    "their", "them", "then", "there", "these", "they", "this", "those", "to", "too", "up", "us",
    "use", "ve", "very", "want", "was", "we", "were", "what", "when", "where", "which", "while",
    "who", "why", "will", "with", "would", "you", "your",
];

/// The words of `text`: runs of letters and digits, in lower case, as stems.
pub(crate) fn words(text: &str) -> Vec<Word> {
    let stemmer = Stemmer::create(Algorithm::English);
    let lower = text.to_lowercase();
    // An apostrophe within a word belongs to it: `devil's` and `devils` are one word.
    let lower = lower.replace(['\'', '\u{2019}'], "");
    lower
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(|word| Word {
            stem: stemmer.stem(word).into_owned(),
            written: word.to_owned(),
            is_content: FUNCTION_WORDS.binary_search(&word).is_err(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_compared_by_their_stems() {
        let stems =
            |text: &str| -> Vec<String> { words(text).into_iter().map(|word| word.stem).collect() };
        assert_eq!(stems("Reviewing the Diffs"), stems("review THE diff"));
        assert_eq!(stems("devil's advocate"), stems("devils advocate"));
        assert_eq!(stems("v2.0, done"), ["v2", "0", "done"]);
    }

    #[test]
    fn function_words_are_sorted_as_the_search_for_them_demands() {
        assert!(FUNCTION_WORDS.is_sorted());
        let content: Vec<bool> = words("review the plan")
            .into_iter()
            .map(|word| word.is_content)
            .collect();
        assert_eq!(content, [true, false, true]);
    }
}
