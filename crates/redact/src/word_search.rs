//! Finds many words in a single pass over a text.

use aho_corasick::AhoCorasick;

/// Words to find, in any case of ASCII letters.
pub(crate) struct WordSearch(Option<AhoCorasick>);

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
        let search = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .build(words);
        Self(search.ok())
    }

    /// Returns whether the search could be built, which fails only for hundreds of millions of
    /// words.
    pub(crate) const fn is_built(&self) -> bool {
        self.0.is_some()
    }

    /// Returns every word in `text`, including overlapping ones, ordered by end; among those with
    /// the same end, the longest first.
    pub(crate) fn find<'w>(&'w self, text: &'w str) -> impl Iterator<Item = WordHit> + 'w {
        let search = self.0.iter();
        let found = search.flat_map(move |search| search.find_overlapping_iter(text));
        found.map(|one| WordHit {
            range: one.range(),
            number: one.pattern().as_usize(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::WordSearch;

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
}
