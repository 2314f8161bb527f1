//! Word lists in several languages, sentences, and comparison of texts.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use serde::Deserialize;

/// A list of words and phrases, prepared for searching.
#[derive(Debug, Default, Deserialize)]
#[serde(from = "Vec<String>")]
pub(super) struct WordList {
    /// Whole words and phrases, with a space before and after.
    whole: Vec<String>,
    /// Word prefixes, with a space before.
    beginnings: Vec<String>,
    /// Words of languages without spaces.
    anywhere: Vec<String>,
}

impl From<Vec<String>> for WordList {
    fn from(words: Vec<String>) -> Self {
        let mut list = Self::default();
        for word in words {
            if word.chars().any(is_unspaced) {
                list.anywhere.push(word);
            } else if let Some(beginning) = word.strip_suffix('*') {
                list.beginnings.push(format!(" {beginning}"));
            } else {
                list.whole.push(format!(" {word} "));
            }
        }
        list
    }
}

impl WordList {
    /// Returns whether the text has a word or phrase of the list.
    pub(super) fn is_in(&self, text: &str) -> bool {
        let spaced = spaced_words(text);
        self.whole.iter().any(|it| spaced.contains(it.as_str()))
            || self
                .beginnings
                .iter()
                .any(|it| spaced.contains(it.as_str()))
            || self.anywhere.iter().any(|it| text.contains(it.as_str()))
    }

    /// Returns the byte offsets in `spaced`, a text from [`spaced_words`], at which one begins.
    fn places(&self, spaced: &str) -> Vec<usize> {
        let all = self.whole.iter().chain(&self.beginnings);
        let mut found: Vec<usize> = all
            .flat_map(|it| spaced.match_indices(it.as_str()).map(|(at, _)| at))
            .collect();
        found.sort_unstable();
        found
    }
}

/// The lists of `words.toml`.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Words {
    pub(super) plan: WordList,
    pub(super) failure: WordList,
    pub(super) fixed: WordList,
    pub(super) negation: WordList,
    pub(super) withdrawal: WordList,
    pub(super) repetition: WordList,
    pub(super) called_off: WordList,
    pub(super) change: WordList,
    pub(super) reading: WordList,
    pub(super) general: WordList,
    pub(super) consent: WordList,
    pub(super) decision: WordList,
    pub(super) once: WordList,
    empty: Vec<String>,
}

#[expect(
    clippy::unwrap_used,
    reason = "a file of this crate, which a test reads"
)]
static WORDS: LazyLock<Words> =
    LazyLock::new(|| toml::from_str(include_str!("words.toml")).unwrap());

pub(super) fn words() -> &'static Words {
    &WORDS
}

/// Returns whether a character belongs to a language without spaces.
fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}')
}

/// Returns the words of a text in lowercase, with one space before, between and after.
fn spaced_words(text: &str) -> String {
    let mut spaced = String::with_capacity(text.len() + 2);
    spaced.push(' ');
    for c in text.chars() {
        let c = match c {
            '’' | '‘' => '\'',
            c => c,
        };
        if c.is_alphanumeric() || matches!(c, '\'' | '-') {
            spaced.extend(c.to_lowercase());
        } else if !spaced.ends_with(' ') {
            spaced.push(' ');
        }
    }
    if !spaced.ends_with(' ') {
        spaced.push(' ');
    }
    spaced
}

/// Returns the text with runs of white space replaced by one space.
pub(super) fn collapse(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the sentences of a text. A line end also ends a sentence.
pub(super) fn sentences(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let end = at + c.len_utf8();
        let is_end = match c {
            '\n' | '。' | '！' | '？' => true,
            '.' | '!' | '?' | '…' => chars.peek().is_none_or(|(_, next)| next.is_whitespace()),
            _ => false,
        };
        if is_end {
            found.push(text.get(start..end).unwrap_or_default().trim());
            start = end;
        }
    }
    found.push(text.get(start..).unwrap_or_default().trim());
    found.retain(|it| !it.is_empty());
    found
}

/// Returns the sentences that contain a quotation, with white space collapsed.
pub(super) fn sentences_with_quote(text: &str, quote: &str) -> Vec<String> {
    let quote = collapse(quote);
    let all: Vec<String> = sentences(text).into_iter().map(collapse).collect();
    let around: Vec<String> = all
        .iter()
        .filter(|it| it.contains(&quote) || quote.contains(it.as_str()))
        .cloned()
        .collect();
    if !around.is_empty() {
        return around;
    }
    // The quotation spans several sentences, so return each that shares three words in a row with
    // it.
    let touches = |sentence: &&String| {
        let words: Vec<&str> = sentence.split(' ').collect();
        words
            .windows(words.len().min(3))
            .any(|it| quote.contains(&it.join(" ")))
    };
    all.iter().filter(touches).cloned().collect()
}

/// Returns whether a sentence is a question.
pub(super) fn is_question(sentence: &str) -> bool {
    sentence
        .trim_end_matches(['"', '\'', ')', '*', '_', '`', ' '])
        .ends_with(['?', '？'])
}

/// Splits a sentence at commas, semicolons, colons and dashes.
pub(super) fn clauses(sentence: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    for (at, c) in sentence.char_indices() {
        let next = sentence.get(at + c.len_utf8()..).unwrap_or_default();
        let is_end = match c {
            ',' | ';' | ':' => next.starts_with(' '),
            '–' | '—' | '，' | '；' | '、' | '(' | ')' => true,
            ' ' => [
                " and ", " but ", " und ", " aber ", " et ", " mais ", " y ", " pero ",
            ]
            .iter()
            .any(|it| sentence.get(at..).unwrap_or_default().starts_with(it)),
            _ => false,
        };
        if is_end {
            found.push(sentence.get(start..at).unwrap_or_default());
            start = at + c.len_utf8();
        }
    }
    found.push(sentence.get(start..).unwrap_or_default());
    found
        .into_iter()
        .map(str::trim)
        .filter(|it| !it.is_empty())
        .collect()
}

/// Returns whether a text reports a failure, unlike "no errors" and "0 failed".
pub(super) fn reports_failure(text: &str) -> bool {
    let words = words();
    if words
        .failure
        .anywhere
        .iter()
        .any(|it| text.contains(it.as_str()))
    {
        return true;
    }
    let spaced = spaced_words(text);
    words.failure.places(&spaced).iter().any(|at| {
        let before: Vec<&str> = spaced.get(..*at).unwrap_or_default().split(' ').collect();
        let near = before.iter().rev().filter(|it| !it.is_empty()).take(2);
        let denies = [
            "no", "0", "zero", "without", "any", "not", "never", "keine", "kein", "ohne", "null",
            "sans", "aucun", "aucune", "sin", "ningún", "cero", "sem", "nenhum", "zonder", "geen",
            "senza", "nessun", "bez", "без",
        ];
        let word = spaced.get(at + 1..).unwrap_or_default();
        let word = word.split(' ').next().unwrap_or_default();
        // A negation before a word for failure, as in "no errors", does not report a failure.
        let denied_failure = denies.contains(&word) && {
            let rest = spaced.get(at + 1 + word.len()..).unwrap_or_default();
            let next: Vec<&str> = rest
                .split(' ')
                .filter(|it| !it.is_empty())
                .take(2)
                .collect();
            let noun = |it: &&str| {
                [
                    "fail", "error", "fehler", "erreur", "échec", "fallo", "erro", "falh",
                    "problem", "fout",
                ]
                .iter()
                .any(|stem| it.starts_with(stem))
            };
            next.iter().any(noun)
        };
        !denied_failure && !near.clone().any(|it| denies.contains(it))
    })
}

/// Returns the content words of a text in lowercase, with compound names split.
pub(super) fn content_words(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for run in text.split(|c: char| !c.is_alphanumeric()) {
        for part in split_camel_case(run) {
            let lower = part.to_lowercase();
            let unspaced = lower.chars().any(is_unspaced);
            let is_long = lower.chars().count() >= 3 || unspaced;
            if is_long && !WORDS.empty.contains(&lower) {
                found.insert(lower);
            }
        }
        let whole = run.to_lowercase();
        if whole.chars().count() >= 3 && !WORDS.empty.contains(&whole) {
            found.insert(whole);
        }
    }
    found
}

/// Splits a camel case name.
fn split_camel_case(run: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut before: Option<char> = None;
    for (at, c) in run.char_indices() {
        if before.is_some_and(char::is_lowercase) && c.is_uppercase() {
            found.push(run.get(start..at).unwrap_or_default());
            start = at;
        }
        before = Some(c);
    }
    found.push(run.get(start..).unwrap_or_default());
    found.retain(|it| !it.is_empty());
    found
}

/// Returns whether two words roughly share a stem.
pub(super) fn share_stem(one: &str, other: &str) -> bool {
    if one == other {
        return true;
    }
    if one.chars().any(is_unspaced) || other.chars().any(is_unspaced) {
        let (short, long) = if one.len() < other.len() {
            (one, other)
        } else {
            (other, one)
        };
        return short.chars().count() >= 2 && long.contains(short);
    }
    let common = one
        .chars()
        .zip(other.chars())
        .take_while(|(a, b)| a == b)
        .count();
    let (a, b) = (one.chars().count(), other.chars().count());
    let (short, long) = (a.min(b), a.max(b));
    (common >= 5 && common * 5 >= short * 4) || (common == short && short >= 3 && long - short <= 2)
}

/// Returns whether the sets have words that share a stem.
pub(super) fn share_word(one: &BTreeSet<String>, other: &BTreeSet<String>) -> bool {
    one.iter().any(|a| other.iter().any(|b| share_stem(a, b)))
}

/// Returns whether `text` has `subject` word for word or half of its words.
pub(super) fn mentions(text: &str, subject: &str) -> bool {
    let lower = text.to_lowercase();
    let whole = collapse(&subject.to_lowercase());
    if !whole.is_empty() && collapse(&lower).contains(&whole) {
        return true;
    }
    let parts = content_words(subject);
    if parts.is_empty() {
        return false;
    }
    let of_text = content_words(text);
    let found = parts
        .iter()
        .filter(|it| of_text.iter().any(|word| share_stem(it, word)));
    found.count() * 2 >= parts.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_that_is_denied_is_none() {
        for text in [
            "42 tests pass, no errors",
            "0 failed",
            "ohne Fehler durchgelaufen",
            "sans erreur",
        ] {
            assert!(!reports_failure(text), "{text}");
        }
        for text in [
            "two tests fail",
            "der Build schlägt fehl",
            "it does not compile",
            "まだ失敗します",
        ] {
            assert!(reports_failure(text), "{text}");
        }
    }

    #[test]
    fn sentences_end_at_a_stop_and_not_in_a_name() {
        let text = "I ran a.rs. It works! Version 1.2 is out\nDone";
        assert_eq!(
            sentences(text),
            ["I ran a.rs.", "It works!", "Version 1.2 is out", "Done"]
        );
    }

    #[test]
    fn words_are_found_in_any_form() {
        assert!(words().called_off.is_in("Please don’t do the export"));
        assert!(words().plan.is_in("I'll run the tests"));
        assert!(!words().plan.is_in("The tests pass"));
    }

    #[test]
    fn a_subject_is_found_by_its_words() {
        assert!(mentions(
            "the billing export again please",
            "billing/export.py"
        ));
        assert!(!mentions("the login page", "billing/export.py"));
        assert!(mentions("run git  push now", "git push"));
    }
}
