//! Splits text into words for comparison.

use rust_stemmers::{Algorithm, Stemmer};

/// A word of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Word {
    /// Its stem, by Snowball's English stemmer.
    pub(crate) stem: String,
    /// The word as written, in lower case.
    pub(crate) written: String,
    /// Whether it is a content word, unlike `the` and `of`.
    pub(crate) is_content: bool,
    /// Whether it is the first word of its clause: of the text, or after a punctuation mark.
    pub(crate) starts_clause: bool,
}

/// A run of letters and digits of one script, in lower case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) text: String,
    /// Whether it is at the start of the text or follows a punctuation mark between clauses.
    pub(crate) starts_clause: bool,
}

// Function words occur in all kinds of requests, so they count only within a phrase.
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

/// Returns the words of `text`: runs of letters and digits, in lower case, with their stems. In Chinese
/// and Japanese, which have no blanks between words, each pair of adjacent characters is a word.
pub(crate) fn words(text: &str) -> Vec<Word> {
    let stemmer = Stemmer::create(Algorithm::English);
    let mut words = Vec::new();
    for run in runs(text) {
        let Run {
            text,
            starts_clause,
        } = run;
        if text.starts_with(is_ideograph) {
            words.extend(pairs(&text).enumerate().map(|(at, pair)| Word {
                stem: pair.to_owned(),
                written: pair.to_owned(),
                is_content: true,
                starts_clause: starts_clause && at == 0,
            }));
            continue;
        }
        words.push(Word {
            stem: stemmer.stem(&text).into_owned(),
            is_content: FUNCTION_WORDS.binary_search(&text.as_str()).is_err(),
            written: text,
            starts_clause,
        });
    }
    words
}

/// Returns the runs of letters and digits of `text`. A change to or from ideographs ends a run.
pub(crate) fn runs(text: &str) -> Vec<Run> {
    // Apostrophes are dropped, so `devil's` and `devils` are the same word.
    let lower = text.to_lowercase().replace(['\'', '\u{2019}'], "");
    let mut runs: Vec<Run> = Vec::new();
    let mut before = None;
    let mut starts_clause = true;
    for c in lower.chars() {
        let kind = c.is_alphanumeric().then(|| is_ideograph(c));
        match runs.last_mut() {
            Some(run) if kind.is_some() && kind == before => run.text.push(c),
            _ if kind.is_some() => {
                runs.push(Run {
                    text: c.to_string(),
                    starts_clause,
                });
                starts_clause = false;
            }
            _ => starts_clause |= divides_clauses(c),
        }
        before = kind;
    }
    runs
}

/// Returns whether `c` is a punctuation mark between clauses.
fn divides_clauses(c: char) -> bool {
    matches!(
        c,
        '.' | ','
            | ';'
            | ':'
            | '!'
            | '?'
            | '('
            | ')'
            | '\n'
            | '–'
            | '—'
            | '…'
            | '，'
            | '。'
            | '、'
            | '；'
            | '：'
            | '！'
            | '？'
    )
}

/// Returns whether `c` is from a script without blanks between words.
pub(crate) fn is_ideograph(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}')
}

/// Returns each pair of adjacent characters of `run`, or the whole run if it is one character.
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
    fn a_clause_starts_after_a_punctuation_mark() {
        let starts = |text: &str| -> Vec<String> {
            let starting = words(text).into_iter().filter(|word| word.starts_clause);
            starting.map(|word| word.written).collect()
        };
        assert_eq!(starts("No, debate it: up-to-date"), ["no", "debate", "up"]);
        assert_eq!(starts("不用辩论，投票"), ["不用", "投票"]);
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
