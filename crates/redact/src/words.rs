//! Finds many words in one pass over a text.

use aho_corasick::AhoCorasick;

/// Words to find, in upper or lower case of ASCII.
pub(crate) struct WordSearch(Option<AhoCorasick>);

/// Where a word is in a text.
pub(crate) struct WordHit {
    /// The place of the word.
    pub(crate) range: std::ops::Range<usize>,
    /// Which of the words it is.
    pub(crate) number: usize,
}

impl WordSearch {
    /// A search for `words`, of which each is known by its number.
    pub(crate) fn of(words: &[&str]) -> Self {
        let search = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .build(words);
        Self(search.ok())
    }

    /// Whether there is a search: there is for any words but some hundred millions.
    pub(crate) const fn is_built(&self) -> bool {
        self.0.is_some()
    }

    /// Every word in `text`, also those that overlap, in the order of their ends; of those that end
    /// together the longest first.
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
