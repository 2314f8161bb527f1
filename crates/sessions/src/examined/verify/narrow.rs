//! Determines whether an act is outside a rule's scope: another level or place, or within a limit.

use std::collections::BTreeSet;

use super::super::words::{content_words, share_stem};

/// Rows of mutually exclusive words. A rule about one word of a row does not cover another.
const ROWS: &[&[&str]] = &[
    &["trace", "debug", "info", "warn", "error"],
    &["apply", "plan", "destroy", "validate"],
    &[
        "prod",
        "production",
        "live",
        "staging",
        "test",
        "sandbox",
        "local",
    ],
    &["main", "master", "develop", "feature"],
    &["install", "uninstall"],
];
/// Words that narrow a rule, with the options that such an act has.
const NARROWING: &[(&str, &[&str])] = &[
    ("force", &["force", " -f", " +"]),
    ("forced", &["force", " -f", " +"]),
    ("amend", &["amend"]),
    ("squash", &["squash"]),
    ("rebase", &["rebase"]),
    ("recursive", &["recursive", " -r"]),
];
/// Places that local edits cannot change.
const REMOTE: &[&str] = &[
    "cluster",
    "production",
    "prod",
    "server",
    "database",
    "datenbank",
    "serveur",
    "servidor",
    "bucket",
    "registry",
    "dns",
];
const AT_MOST: &[&str] = &[
    "under",
    "below",
    "at most",
    "less than",
    "no more than",
    "max",
    "maximum",
    "up to",
    "unter",
    "höchstens",
    "maximal",
    "weniger als",
    "moins de",
    "au plus",
    "maximum",
    "menos de",
    "máximo",
    "como mucho",
    "no máximo",
    "meno di",
    "al massimo",
    "hoogstens",
    "не более",
    "до",
    "以内",
    "以下",
];
const AT_LEAST: &[&str] = &[
    "at least",
    "over",
    "above",
    "more than",
    "minimum",
    "no less than",
    "mindestens",
    "über",
    "au moins",
    "plus de",
    "al menos",
    "más de",
    "pelo menos",
    "almeno",
    "minstens",
    "не менее",
    "以上",
];

/// Returns whether the act has another word of a row than the rule.
pub(super) fn has_other_word_of_row(rule: &str, act: &str) -> bool {
    let (of_rule, of_act) = (content_words(rule), content_words(act));
    let act_lower = act.to_lowercase();
    let is_other = ROWS.iter().any(|row| {
        let named = words_in_row(row, &of_rule);
        let met = words_in_row(row, &of_act);
        !named.is_empty() && !met.is_empty() && named.is_disjoint(&met)
    });
    let lacks_narrowing = NARROWING.iter().any(|(word, signs)| {
        of_rule.contains(*word) && !signs.iter().any(|it| act_lower.contains(it))
    });
    is_other || lacks_narrowing
}

fn words_in_row<'r>(row: &[&'r str], words: &BTreeSet<String>) -> BTreeSet<&'r str> {
    row.iter()
        .copied()
        .filter(|it| words.contains(*it))
        .collect()
}

/// Returns whether the rule is about a remote place that the edit does not name.
pub(super) fn is_about_remote_place(rule: &str, edit: &str) -> bool {
    let (of_rule, of_edit) = (content_words(rule), content_words(edit));
    let places = REMOTE
        .iter()
        .filter(|place| of_rule.iter().any(|it| share_stem(it, place)));
    let mut places = places.peekable();
    places.peek().is_some() && places.all(|place| !of_edit.iter().any(|it| share_stem(it, place)))
}

/// Returns whether the act has a number within the rule's limit.
pub(super) fn is_within_limit(rule: &str, act: &str) -> bool {
    let lower = rule.to_lowercase();
    let limit = |words: &[&str]| {
        words.iter().find_map(|word| {
            let (_, rest) = lower.split_once(&format!("{word} "))?;
            first_number(rest.get(..rest.len().min(24)).unwrap_or(rest))
        })
    };
    let Some(number) = last_number(act) else {
        return false;
    };
    limit(AT_MOST).is_some_and(|most| number <= most)
        || limit(AT_LEAST).is_some_and(|least| number >= least)
}

fn numbers(text: &str) -> impl DoubleEndedIterator<Item = u64> {
    text.split(|c: char| !c.is_ascii_digit())
        .filter_map(|it| it.parse().ok())
}

fn first_number(text: &str) -> Option<u64> {
    numbers(text).next()
}

fn last_number(text: &str) -> Option<u64> {
    numbers(text).next_back()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_level_and_a_push_without_force_are_outside_of_the_rule() {
        assert!(has_other_word_of_row(
            "never log skus at info",
            "log.debug(sku)"
        ));
        assert!(has_other_word_of_row(
            "no force pushes",
            "git push -u origin a"
        ));
        assert!(!has_other_word_of_row(
            "no force pushes",
            "git push --force"
        ));
        assert!(!has_other_word_of_row("never push to main", "git push"));
    }

    #[test]
    fn a_number_within_the_limit_keeps_the_rule() {
        assert!(is_within_limit(
            "keep it under 300 lines",
            "it has 214 lines"
        ));
        assert!(!is_within_limit(
            "keep it under 300 lines",
            "it has 412 lines"
        ));
        assert!(!is_within_limit("no changes", "it has 412 lines"));
    }
}
