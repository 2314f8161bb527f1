//! Measures the similarity of two texts by the pieces of words they share.

use std::cmp::Ordering;

use crate::words;

// The thresholds at `RESTATES` in `rules/src/rule/repeat.rs` were measured with this length.
/// Characters in a piece.
const PIECE: usize = 3;

/// Words that occur in every text and say nothing about its subject.
const COMMON: [&str; 64] = [
    "a", "about", "all", "also", "an", "and", "any", "are", "as", "at", "be", "because", "been",
    "but", "by", "can", "do", "does", "for", "from", "had", "has", "have", "if", "in", "into",
    "is", "it", "its", "may", "more", "most", "no", "not", "of", "on", "one", "only", "or", "our",
    "over", "so", "such", "than", "that", "the", "their", "them", "then", "there", "these", "they",
    "this", "to", "was", "were", "when", "which", "while", "who", "will", "with", "would", "you",
];

/// Words of a question that say nothing about its subject.
const ASKING: [&str; 23] = [
    "better", "best", "could", "did", "he", "her", "his", "how", "i", "me", "must", "my", "she",
    "should", "still", "us", "use", "using", "we", "what", "where", "why", "your",
];

/// Returns the similarity of two texts in percent: 100 for the same words in any order, 0 for texts
/// that share no piece of a word.
///
/// ```
/// # use agon_record::similarity::similarity_percent;
/// assert_eq!(similarity_percent("SQLite for the jobs", "the jobs: SQLite"), 100);
/// assert_eq!(similarity_percent("SQLite for the jobs", "why merge"), 0);
/// ```
pub fn similarity_percent(one: &str, other: &str) -> usize {
    Pieces::from_text(one).shared_percent(&Pieces::from_text(other))
}

/// Returns the words that name a question's subject: in lower case, without duplicates, in order.
///
/// ```
/// # use agon_record::similarity::subject_words;
/// assert_eq!(subject_words("Should we use SQLite for the jobs?"), ["sqlite", "jobs"]);
/// ```
pub fn subject_words(text: &str) -> Vec<String> {
    let plain = words::normalize_words(text);
    let mut telling: Vec<String> = Vec::new();
    for word in plain.split(' ').filter(|word| !word.is_empty()) {
        let says = !COMMON.contains(&word) && !ASKING.contains(&word);
        if says && telling.iter().all(|known| known != word) {
            telling.push(word.to_owned());
        }
    }
    telling
}

/// The pieces of a text's words, without duplicates.
///
/// Two texts with the same meaning share most of them, even in another order or with other endings
/// or small words. A text in a script without spaces counts as one long word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pieces(Vec<[char; PIECE]>);

impl Pieces {
    /// Returns the pieces of `text`. Takes O(length · log length) time.
    pub fn from_text(text: &str) -> Self {
        let plain = words::normalize_words(text);
        let words = plain.split(' ').filter(|word| !word.is_empty());
        let telling = words.filter(|word| !COMMON.contains(word));
        let mut pieces = Vec::new();
        for word in telling {
            // Pad each word with spaces, so that short words have pieces too.
            let letters: Vec<char> = std::iter::once(' ')
                .chain(word.chars())
                .chain(std::iter::once(' '))
                .collect();
            pieces.extend(letters.array_windows::<PIECE>().copied());
        }
        pieces.sort_unstable();
        pieces.dedup();
        Self(pieces)
    }

    /// Returns the number of pieces.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// Returns the share of common pieces in percent: 100 for the same pieces, 0 for none.
    pub fn shared_percent(&self, other: &Self) -> usize {
        let in_other = |piece: &&[char; PIECE]| other.0.binary_search(piece).is_ok();
        let both = self.0.iter().filter(in_other).count();
        match self.count() + other.count() {
            0 => 0,
            all => 200 * both / all,
        }
    }

    /// Returns whether [`Self::shared_percent`] is at least `percent`.
    ///
    /// Much faster, because it stops as soon as too many pieces differ. Takes O(pieces) time.
    pub fn shares_at_least(&self, other: &Self, percent: usize) -> bool {
        let all = self.count() + other.count();
        // Without any pieces, the share is 0.
        let needed = match all {
            0 => percent,
            all => (percent * all).div_ceil(200),
        };
        let (mut one, mut two) = (self.0.as_slice(), other.0.as_slice());
        let mut both = 0;
        while both < needed {
            if both + one.len().min(two.len()) < needed {
                return false;
            }
            // Both are in order, so the smaller first piece is not in the other text.
            let ([first, rest @ ..], [second, more @ ..]) = (one, two) else {
                return false;
            };
            both += usize::from(first == second);
            (one, two) = match first.cmp(second) {
                Ordering::Less => (rest, two),
                Ordering::Equal => (rest, more),
                Ordering::Greater => (one, more),
            };
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shared(one: &str, other: &str) -> usize {
        Pieces::from_text(one).shared_percent(&Pieces::from_text(other))
    }

    #[test]
    fn the_same_words_in_another_order_are_the_same_text() {
        assert_eq!(
            shared(
                "The claim of a job is one atomic rename.",
                "one ATOMIC rename is the claim of a job"
            ),
            100
        );
        assert_eq!(
            shared("作业存储应使用数据库", "作业存储应使用数据库。"),
            100
        );
    }

    #[test]
    fn other_words_are_another_text() {
        assert_eq!(
            shared("Backups copy one file.", "Tests need less setup."),
            0
        );
        assert_eq!(shared("", ""), 0);
    }

    proptest! {
        #[test]
        fn it_is_the_same_both_ways(one in "\\PC{0,60}", other in "\\PC{0,60}") {
            prop_assert_eq!(shared(&one, &other), shared(&other, &one));
            prop_assert!(shared(&one, &other) <= 100);
        }

        #[test]
        fn a_bound_is_met_exactly_from_the_share_on(
            one in "[ab ]{0,12}", other in "[ab ]{0,12}", percent in 0_usize..=110
        ) {
            let (one, other) = (Pieces::from_text(&one), Pieces::from_text(&other));
            let share = one.shared_percent(&other);
            for bound in [percent, share, share + 1] {
                prop_assert_eq!(one.shares_at_least(&other, bound), share >= bound, "{}", bound);
            }
        }
    }
}
