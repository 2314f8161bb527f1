//! Finds sentences that state a decision.

use regex::Regex;

use super::Quotation;
use super::constraint::{asks, begins_with};
use super::statements::Statements;
use crate::prose::{Quotes, content_stems, phrases, sentences};
use crate::{Entry, EntryKind};

const MAX_SENTENCE: usize = 1_200;

/// Returns the sentences that state a decision, word for word, in order and without duplicates.
pub(super) fn decisions(entries: &[&Entry], quotes: &mut Quotes) -> Vec<Quotation> {
    let mut found = Statements::default();
    for entry in entries {
        let text = match &entry.kind {
            EntryKind::Prompt(text) | EntryKind::Text(text) => text,
            EntryKind::Compaction(compaction) => match &compaction.summary {
                Some(summary) => summary,
                None => continue,
            },
            _ => continue,
        };
        let is_user = matches!(entry.kind, EntryKind::Prompt(_));
        let mut before = 0;
        for sentence in sentences(text.as_str()) {
            let from = std::mem::replace(&mut before, sentence.start);
            let is_decision = sentence.text.len() <= MAX_SENTENCE
                && !sentence.is_question()
                && !(is_user && asks(sentence.text).is_some())
                && states_decision(sentence.text, is_user);
            if !is_decision {
                continue;
            }
            // "Done deal." only confirms the preceding sentence, so quote both.
            let is_tail = sentence.text.split_whitespace().count() <= MAX_TAIL_WORDS;
            let end = sentence.start + sentence.text.len();
            let whole = text.as_str().get(from..end).filter(|_| is_tail);
            let whole = whole.filter(|it| !phrases().undecided.is_match(it));
            let words = whole.map_or(sentence.text, str::trim);
            let of = content_stems(sentence.text);
            found.revise(&of, sentence.text, entry.turn);
            let words = quotes.quote(text, words);
            if !found.has(&words) {
                found.add(Quotation::new(entry, words), of);
            }
        }
    }
    found.into_quotations()
}

/// Maximum number of words of a sentence that only confirms the preceding one.
const MAX_TAIL_WORDS: usize = 3;

/// Returns whether a sentence states a decision.
fn states_decision(sentence: &str, is_user: bool) -> bool {
    let phrases = phrases();
    let of_user = || {
        let mut found = phrases.decision_of_user.find_iter(sentence);
        found.any(|it| {
            let after = sentence.get(it.end()..).unwrap_or_default();
            !begins_with(&phrases.idle_after_lets, after)
        })
    };
    if is_user && of_user() {
        return true;
    }
    let mut tails = phrases.decision_tail.find_iter(sentence);
    if tails.any(|it| it.start() > 0 && is_end_of_clause(sentence, it.end())) {
        return true;
    }
    (phrases.decision.is_match(sentence) || is_short_decision(sentence))
        && !phrases.undecided.is_match(sentence)
}

/// Returns whether a clause ends at byte `at`, so that the rest is a reason.
fn is_end_of_clause(sentence: &str, at: usize) -> bool {
    let rest = sentence.get(at..).unwrap_or_default().trim_start();
    rest.is_empty() || rest.starts_with(['.', '!', ':', ';', ','])
}

/// Returns whether a sentence ends with one of the phrases and has words before it.
fn ends_with(phrases: &Regex, sentence: &str) -> bool {
    let words = sentence.trim_end_matches(['.', '!', ' ']);
    let mut found = phrases.find_iter(words);
    found.any(|it| it.end() == words.len() && it.start() > 0)
}

/// Maximum number of words of a sentence that states a decision by its form alone.
const MAX_SHORT_WORDS: usize = 12;

/// Returns whether a sentence has the form "Last entry, then." or "UTF-8 it is".
fn is_short_decision(sentence: &str) -> bool {
    let words = sentence.trim_end_matches(['.', '!', ' ']);
    if words.split_whitespace().count() > MAX_SHORT_WORDS {
        return false;
    }
    let ends = ends_with(&phrases().decision_end, words);
    let begins = phrases().decision_begin.find(words);
    ends || begins.is_some_and(|it| it.start() == 0)
}
