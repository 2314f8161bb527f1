//! A request, prepared for comparison with documents.

use std::collections::BTreeSet;

use crate::words::{Word, words};

/// A request, prepared for comparison with documents.
#[derive(Clone, Debug)]
pub(crate) struct RequestWords {
    /// All words, in order.
    pub(crate) words: Vec<Word>,
    /// Stems of the content words, without duplicates, in order.
    pub(crate) terms: Vec<String>,
    /// Whether it begins with the verb of an errand (a small direct change).
    pub(crate) is_errand: bool,
}

// "Add a `review` column" and "rename the skill Debate" contain words of a skill but ask for a
// small direct change. A request for a skill seldom begins like that, and then has other signs.
/// Verbs of small direct changes.
const ERRANDS: &[&str] = &[
    "add",
    "bump",
    "change",
    "convert",
    "copy",
    "decrease",
    "delete",
    "disable",
    "enable",
    "explain",
    "export",
    "format",
    "import",
    "increase",
    "insert",
    "install",
    "move",
    "put",
    "remove",
    "rename",
    "replace",
    "sort",
    "swap",
    "translate",
    "update",
    "upgrade",
];

impl RequestWords {
    pub(crate) fn new(text: &str) -> Self {
        let words = words(text);
        let mut seen = BTreeSet::new();
        let content = words.iter().filter(|word| word.is_content);
        let terms = content.map(|word| word.stem.clone());
        let terms = terms.filter(|stem| seen.insert(stem.clone())).collect();
        let first = words.iter().find(|word| word.is_content);
        let is_errand =
            first.is_some_and(|word| ERRANDS.binary_search(&word.written.as_str()).is_ok());
        Self {
            words,
            terms,
            is_errand,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_errand_is_told_by_the_first_word_that_says_something() {
        assert!(ERRANDS.is_sorted());
        assert!(RequestWords::new("Please rename the skill").is_errand);
        assert!(!RequestWords::new("Review the code that renames it").is_errand);
        assert!(!RequestWords::new("").is_errand);
    }

    #[test]
    fn a_word_that_is_repeated_is_one_term() {
        assert_eq!(
            RequestWords::new("test the tests, then review").terms,
            ["test", "review"]
        );
    }
}
