//! A request, ready to be compared with documents.

use std::collections::BTreeSet;

use crate::words::{Word, words};

/// A request, ready to be compared with documents.
#[derive(Clone, Debug)]
pub(crate) struct RequestWords {
    /// All its words, in their order.
    pub(crate) words: Vec<Word>,
    /// Those that say something, each once, in their order.
    pub(crate) terms: Vec<String>,
    /// Whether it begins with the verb of an errand.
    pub(crate) is_errand: bool,
}

// "Add a `review` column" and "rename the skill Debate" have the words of a skill, and are done in a
// minute by what the request names. A request that calls for a skill seldom begins like that, and
// then says more that calls for it.
/// Verbs of what is done to a thing that the request names.
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
