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

/// The words of `text`: runs of letters and digits, in lower case, as stems. Chinese and Japanese
/// have no blanks between words: each pair of neighbouring characters counts as a word.
pub(crate) fn words(text: &str) -> Vec<Word> {
    let stemmer = Stemmer::create(Algorithm::English);
    let mut words = Vec::new();
    for run in runs(text) {
        if run.starts_with(is_ideograph) {
            words.extend(pairs(&run).map(|pair| Word {
                stem: pair.to_owned(),
                written: pair.to_owned(),
                is_content: true,
            }));
            continue;
        }
        words.push(Word {
            stem: stemmer.stem(&run).into_owned(),
            is_content: FUNCTION_WORDS.binary_search(&run.as_str()).is_err(),
            written: run,
        });
    }
    words
}

/// The runs of letters and digits of `text`, in lower case; a change to or from ideographs ends one.
pub(crate) fn runs(text: &str) -> Vec<String> {
    // An apostrophe within a word belongs to it: `devil's` and `devils` are one word.
    let lower = text.to_lowercase().replace(['\'', '\u{2019}'], "");
    let mut runs: Vec<String> = Vec::new();
    let mut before = None;
    for c in lower.chars() {
        let kind = c.is_alphanumeric().then(|| is_ideograph(c));
        match runs.last_mut() {
            Some(run) if kind.is_some() && kind == before => run.push(c),
            _ if kind.is_some() => runs.push(c.to_string()),
            _ => {}
        }
        before = kind;
    }
    runs
}

/// Whether `c` is from a script that is written without blanks between words.
pub(crate) fn is_ideograph(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}')
}

/// Each pair of neighbouring characters of `run`, or all of it if it is one character.
fn pairs(run: &str) -> impl Iterator<Item = &str> {
    let starts: Vec<usize> = run.char_indices().map(|(at, _)| at).collect();
    let count = starts.len().saturating_sub(1).max(1);
    (0..count).filter_map(move |first| {
        let from = starts.get(first).copied()?;
        let to = starts.get(first + 2).copied().unwrap_or(run.len());
        run.get(from..to)
    })
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
    fn chinese_is_compared_by_pairs_of_characters() {
        let written = |text: &str| -> Vec<String> {
            words(text).into_iter().map(|word| word.written).collect()
        };
        assert_eq!(
            written("审查PR代码，好"),
            ["审查", "pr", "代码", "好"],
            "a run ends where the script changes"
        );
        assert_eq!(written("第二意见"), ["第二", "二意", "意见"]);
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
