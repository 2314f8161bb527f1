//! Finds the constraints that the user stated ("always", "never").

use regex::Regex;

use super::Quotation;
use super::statements::Statements;
use crate::prose::{Quotes, content_stems, phrases, sentences};
use crate::{Entry, EntryKind};

/// Longest sentence that counts as a rule, in bytes. Longer ones are pasted text.
const MAX_SENTENCE: usize = 1_200;

/// Returns the user's constraints, word for word, in order and without duplicates.
pub(super) fn constraints(entries: &[&Entry], quotes: &mut Quotes) -> Vec<Quotation> {
    let mut found = Statements::default();
    for entry in entries {
        let EntryKind::Prompt(text) = &entry.kind else {
            continue;
        };
        for sentence in sentences(text.as_str()) {
            let is_rule = sentence.text.len() <= MAX_SENTENCE
                && !sentence.is_question()
                && (phrases().constraint.is_match(sentence.text) || forbids(sentence.text));
            if !is_rule {
                continue;
            }
            let of = content_stems(sentence.text);
            found.revise(&of, sentence.text, entry.turn);
            let words = quotes.quote(text, sentence.text);
            // A rule stated twice in the same words is listed once, at its latest place.
            found.add(Quotation::new(entry, words), of);
        }
    }
    found.into_quotations()
}

/// Returns whether a clause starts with a forbidding "no", as in "one file, and no packages".
fn forbids(sentence: &str) -> bool {
    sentence
        .split([',', ';', ':', '(', '–', '—'])
        .any(starts_with_prohibition)
}

fn starts_with_prohibition(clause: &str) -> bool {
    const BEFORE: [&str; 8] = ["and", "but", "so", "also", "please", "ok", "yes", "again"];
    let mut rest = clause.trim_start();
    while let Some((first, after)) = rest.split_once(' ')
        && BEFORE.contains(&first.to_lowercase().as_str())
    {
        rest = after.trim_start();
    }
    let begins = phrases().forbids_from_the_start.find(rest);
    let Some(begins) = begins.filter(|it| it.start() == 0) else {
        return false;
    };
    let after = rest.get(begins.end()..).unwrap_or_default();
    after.starts_with(' ') && !begins_with(&phrases().idle_after_no, after)
}

/// Returns whether a text begins with one of the phrases.
pub(super) fn begins_with(phrases: &Regex, text: &str) -> bool {
    let found = phrases.find(text);
    found.is_some_and(|it| {
        text.get(..it.start())
            .is_some_and(|gap| gap.trim().is_empty())
    })
}
