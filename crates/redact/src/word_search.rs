//! Finds many words in a single pass over a text.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use aho_corasick::{AhoCorasick, AhoCorasickKind};

// Building the fast automaton takes as long as the compact one needs for some 400 kB. A short
// process, whose texts are a few kilobytes, must never pay for it.
/// Number of bytes searched with the compact automaton before the fast one is built.
const FAST_AFTER: usize = 512 * 1024;

/// Words to find, in any case of ASCII letters.
pub(crate) struct WordSearch {
    words: Vec<String>,
    /// Quick to build, and the only automaton in most processes.
    compact: Option<AhoCorasick>,
    /// Several times faster, but large: a table of every state and byte.
    fast: OnceLock<Option<AhoCorasick>>,
    /// Number of bytes searched so far.
    searched: AtomicUsize,
}

/// A word found in a text.
pub(crate) struct WordHit {
    /// Its byte range.
    pub(crate) range: std::ops::Range<usize>,
    /// The index of the word.
    pub(crate) number: usize,
}

impl WordSearch {
    /// Prepares a search for `words`, each identified by its index.
    pub(crate) fn of(words: &[&str]) -> Self {
        Self {
            words: words.iter().map(|&word| word.to_owned()).collect(),
            compact: automaton(words, None),
            fast: OnceLock::new(),
            searched: AtomicUsize::new(0),
        }
    }

    /// Returns whether the search could be built, which fails only for hundreds of millions of
    /// words.
    pub(crate) const fn is_built(&self) -> bool {
        self.compact.is_some()
    }

    /// Returns every word in `text`, including overlapping ones, ordered by end; among those with
    /// the same end, the longest first.
    pub(crate) fn find<'w>(&'w self, text: &'w str) -> impl Iterator<Item = WordHit> + 'w {
        let search = self.automaton_for(text).into_iter();
        let found = search.flat_map(move |search| search.find_overlapping_iter(text));
        found.map(|one| WordHit {
            range: one.range(),
            number: one.pattern().as_usize(),
        })
    }

    /// Returns the automaton to search `text` with; both find the same words in the same order.
    fn automaton_for(&self, text: &str) -> Option<&AhoCorasick> {
        let before = self.searched.fetch_add(text.len(), Ordering::Relaxed);
        // The count may wrap after exabytes, which costs only speed.
        if before.saturating_add(text.len()) < FAST_AFTER && self.fast.get().is_none() {
            return self.compact.as_ref();
        }
        let fast = self
            .fast
            .get_or_init(|| automaton(&self.words, Some(AhoCorasickKind::DFA)));
        fast.as_ref().or(self.compact.as_ref())
    }
}

fn automaton<W: AsRef<[u8]>>(words: &[W], kind: Option<AhoCorasickKind>) -> Option<AhoCorasick> {
    AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .kind(kind)
        .build(words)
        .ok()
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;

    use super::{FAST_AFTER, WordSearch};

    #[test]
    fn words_are_found_in_either_case_where_they_overlap_and_at_the_end() {
        let words = WordSearch::of(&["a", "ab", "-", "key", "api_key", "KEY"]);
        let text = "My API_Key-aB";
        let found = words.find(text).map(|it| (it.number, &text[it.range]));
        let expected = [
            (0, "A"),
            (4, "API_Key"),
            (3, "Key"),
            (5, "Key"),
            (2, "-"),
            (0, "a"),
            (1, "aB"),
        ];
        assert_eq!(Vec::from_iter(found), expected);
    }

    #[test]
    fn long_use_builds_the_fast_automaton_which_finds_the_same() {
        let words = WordSearch::of(&["a", "ab", "-", "key", "api_key", "KEY", "clé", "://"]);
        let text = "My API_Key-aB, une Clé: http://ab-key ".repeat(40);
        let found = || Vec::from_iter(words.find(&text).map(|it| (it.number, it.range)));
        let first = found();
        assert!(words.fast.get().is_none());
        while words.fast.get().is_none() {
            assert!(words.searched.load(Ordering::Relaxed) <= 2 * FAST_AFTER);
            assert_eq!(found(), first);
        }
        assert_eq!(found(), first);
        // A single large text need not wait.
        let words = WordSearch::of(&["a"]);
        assert_eq!(words.find(&"a".repeat(FAST_AFTER)).count(), FAST_AFTER);
        assert!(words.fast.get().is_some());
    }
}
