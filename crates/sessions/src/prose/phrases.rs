//! Phrase lists that classify sentences, as data.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use regex::Regex;

/// One file per language, all with the same keys. A key may be missing.
const LANGUAGES: &[(&str, &str)] = &[
    ("en", include_str!("en.toml")),
    ("de", include_str!("de.toml")),
    ("fr", include_str!("fr.toml")),
    ("es", include_str!("es.toml")),
    ("it", include_str!("it.toml")),
    ("pt", include_str!("pt.toml")),
    ("zh", include_str!("zh.toml")),
];

/// A pattern per phrase list, and the words of `lead`.
pub(crate) struct Phrases {
    /// The user states a constraint ("always", "never").
    pub(crate) constraint: Regex,
    /// The sentence begins with a prohibition, unless it continues as in `idle_after_no`.
    pub(crate) forbids_from_the_start: Regex,
    /// Words after a "no" that forbids nothing.
    pub(crate) idle_after_no: Regex,
    /// The sentence states a decision.
    pub(crate) decision: Regex,
    /// A short sentence with this ending states a decision.
    pub(crate) decision_end: Regex,
    /// A short sentence with this beginning states a decision.
    pub(crate) decision_begin: Regex,
    /// A sentence with this ending states a decision, even if it also weighs options.
    pub(crate) decision_tail: Regex,
    /// The user states a decision.
    pub(crate) decision_of_user: Regex,
    /// Words after a "let's" that decides nothing.
    pub(crate) idle_after_lets: Regex,
    /// The matter is undecided, or was decided elsewhere.
    pub(crate) undecided: Regex,
    /// The sentence corrects an earlier statement.
    pub(crate) correction: Regex,
    /// The user puts a task off.
    pub(crate) later: Regex,
    /// Words in lower case that only lead to a clause, as in "ok, and please …".
    pub(crate) lead: BTreeSet<String>,
    /// The sentence begins like a question, which often has no question mark.
    pub(crate) question_begin: Regex,
    /// The sentence begins like a request put as a question.
    pub(crate) request_begin: Regex,
    /// Words that make such a request a constraint too.
    pub(crate) strict: Regex,
    /// A question of the model that only the user can answer.
    pub(crate) to_user: Regex,
    /// The message is about further steps.
    pub(crate) plan: Regex,
}

/// Returns the phrases of all languages.
pub(crate) fn phrases() -> &'static Phrases {
    &PHRASES
}

static PHRASES: LazyLock<Phrases> = LazyLock::new(|| {
    let lists = lists();
    let regex = |name: &str| alternatives(lists.get(name).map_or(&[], Vec::as_slice));
    Phrases {
        constraint: regex("constraint"),
        forbids_from_the_start: regex("forbids_from_the_start"),
        idle_after_no: regex("idle_after_no"),
        decision: regex("decision"),
        decision_end: regex("decision_end"),
        decision_begin: regex("decision_begin"),
        decision_tail: regex("decision_tail"),
        decision_of_user: regex("decision_of_user"),
        idle_after_lets: regex("idle_after_lets"),
        undecided: regex("undecided"),
        correction: regex("correction"),
        later: regex("later"),
        lead: lists.get("lead").into_iter().flatten().cloned().collect(),
        question_begin: regex("question_begin"),
        request_begin: regex("request_begin"),
        strict: regex("strict"),
        to_user: regex("to_user"),
        plan: regex("plan"),
    }
});

fn lists() -> BTreeMap<String, Vec<String>> {
    let mut lists: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (_, text) in LANGUAGES {
        // A test parses every file, so an invalid one never ships.
        let language: BTreeMap<String, Vec<String>> = toml::from_str(text).unwrap_or_default();
        for (name, phrases) in language {
            lists.entry(name).or_default().extend(phrases);
        }
    }
    lists
}

/// A pattern for an apostrophe, as keyboards and editors write it.
const APOSTROPHE: &str = "['’`´]";

/// Builds a pattern for any of the phrases: whole words, any case, any apostrophe.
///
/// Many people type "dont" for "don't". Only this contraction is matched without an apostrophe,
/// because others would become different words ("we'll" and "well").
fn alternatives(phrases: &[String]) -> Regex {
    let each: Vec<String> = phrases
        .iter()
        .map(|phrase| {
            let side = |c: Option<char>| if c.is_some_and(is_word) { r"\b" } else { "" };
            let words: Vec<String> = phrase
                .split_whitespace()
                .map(|word| {
                    regex::escape(word)
                        .replace('\'', APOSTROPHE)
                        .replace(&format!("n{APOSTROPHE}t"), &format!("n{APOSTROPHE}?t"))
                })
                .collect();
            format!(
                "{}{}{}",
                side(phrase.chars().next()),
                words.join(r"\s+"),
                side(phrase.chars().next_back())
            )
        })
        .collect();
    // An empty class never matches, so a missing list finds nothing.
    let pattern = if each.is_empty() {
        "[^\\s\\S]".to_owned()
    } else {
        format!("(?i)(?:{})", each.join("|"))
    };
    Regex::new(&pattern).unwrap_or_else(|_| NEVER.clone())
}

/// Returns whether a phrase with this character at its end must end there as a word.
fn is_word(c: char) -> bool {
    // Chinese has no spaces between words, so its phrases are found anywhere.
    (c.is_alphanumeric() || c == '_') && !matches!(c, '\u{3400}'..='\u{9fff}')
}

#[expect(clippy::unwrap_used, reason = "the pattern is a constant")]
static NEVER: LazyLock<Regex> = LazyLock::new(|| Regex::new("[^\\s\\S]").unwrap());

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [&str; 18] = [
        "constraint",
        "forbids_from_the_start",
        "idle_after_no",
        "decision",
        "decision_end",
        "decision_begin",
        "decision_tail",
        "decision_of_user",
        "idle_after_lets",
        "undecided",
        "correction",
        "later",
        "lead",
        "question_begin",
        "request_begin",
        "strict",
        "to_user",
        "plan",
    ];

    #[test]
    fn every_language_has_lists_of_known_names_that_are_not_empty() {
        for (language, text) in LANGUAGES {
            let lists: BTreeMap<String, Vec<String>> = toml::from_str(text).unwrap();
            for (name, phrases) in &lists {
                assert!(NAMES.contains(&name.as_str()), "{language}: {name}");
                assert!(!phrases.is_empty(), "{language}: {name}");
            }
        }
        let all = lists();
        assert!(NAMES.iter().all(|name| all.contains_key(*name)));
    }

    #[test]
    fn a_phrase_is_found_as_whole_words_in_any_case_and_with_any_apostrophe() {
        let regex = alternatives(&["don't".to_owned(), "decision:".to_owned()]);
        assert!(regex.is_match("DON’T do it"));
        assert!(regex.is_match("Decision:go"));
        assert!(regex.is_match("dont do it") && regex.is_match("don`t"));
        assert!(!regex.is_match("don'ts"));
        assert!(!alternatives(&[]).is_match("anything"));
        assert!(!alternatives(&["we'll use".to_owned()]).is_match("well use"));
    }

    #[test]
    fn a_phrase_without_spaces_between_its_words_is_found_within_others() {
        let regex = alternatives(&["不要".to_owned()]);
        assert!(regex.is_match("请不要修改"));
    }
}
