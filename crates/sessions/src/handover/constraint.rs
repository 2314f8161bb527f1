//! Finds the constraints that the user stated ("always", "never").

use regex::Regex;

use super::Quotation;
use super::statements::Statements;
use crate::patterns::forbids_an_action;
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
                && states_rule(sentence.text);
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

/// Returns whether a sentence states a rule, and not only a question or a request.
fn states_rule(sentence: &str) -> bool {
    let is_strict = |text: &str| phrases().strict.is_match(text) || forbids(text);
    match asks(sentence) {
        None => {
            phrases().constraint.is_match(sentence)
                || forbids(sentence)
                || forbids_an_action(sentence)
        }
        Some(Asking::Request) => is_strict(sentence),
        // "why does it never end, and dont touch the tests": only a later clause can be a rule.
        Some(Asking::Question) => clauses(sentence)
            .skip(1)
            .any(|clause| asks(clause).is_none() && is_strict(clause)),
    }
}

/// What a sentence without a question mark asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asking {
    /// Information, as in "what about the dead code".
    Question,
    /// Work, as in "can you also mention the rule".
    Request,
}

/// Returns what a sentence asks for, if it begins like a question.
pub(super) fn asks(sentence: &str) -> Option<Asking> {
    let rest = without_lead(sentence);
    let begins = |phrases: &Regex| phrases.find(rest).is_some_and(|it| it.start() == 0);
    let phrases = phrases();
    if begins(&phrases.request_begin) {
        Some(Asking::Request)
    } else if begins(&phrases.question_begin) || rest.trim_end().ends_with(['吗', '呢']) {
        Some(Asking::Question)
    } else {
        None
    }
}

fn clauses(sentence: &str) -> impl Iterator<Item = &str> {
    sentence.split([',', ';', ':', '(', '–', '—', '，', '；', '：'])
}

/// Returns whether a clause starts with a forbidding "no", as in "one file, and no packages".
fn forbids(sentence: &str) -> bool {
    clauses(sentence).any(starts_with_prohibition)
}

/// Returns a clause without the words that only lead to it, as in "ok, and please …".
fn without_lead(clause: &str) -> &str {
    let mut rest = clause.trim_start();
    while let Some((first, after)) = rest.split_once(' ')
        && phrases()
            .lead
            .contains(&first.trim_end_matches([',', ':']).to_lowercase())
    {
        rest = after.trim_start();
    }
    rest
}

fn starts_with_prohibition(clause: &str) -> bool {
    let rest = without_lead(clause);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_is_found_without_apostrophes_and_in_every_language() {
        for rule in [
            "dont touch crates/fmt any more, thats marias",
            "don’t touch it",
            "do not touch it",
            "it doesnt need a lock file",
            "we wont support windows",
            "you must not rename it",
            "never push",
            "only edit the lexer",
            "leave crates/fmt alone",
            "hands off crates/fmt",
            "and ask me before you add variants to LexError",
            "can you fix it without new packages",
            "could you please never push",
            "does it build now, and dont touch the tests",
            "fass crates/fmt nicht mehr an",
            "bitte nur den Lexer ändern",
            "frag mich, bevor du etwas installierst",
            "no toques crates/fmt",
            "pregúntame antes de añadir variantes",
            "ne touche plus à crates/fmt",
            "demande-moi avant d'ajouter une dépendance",
            "non toccare crates/fmt",
            "não mexa em crates/fmt",
            "不要修改 crates/fmt",
            "添加依赖之前先问我",
        ] {
            assert!(states_rule(rule), "{rule}");
        }
    }

    #[test]
    fn a_question_or_a_request_is_no_rule_even_without_a_question_mark() {
        for other in [
            "can you also mention the unicode rule for idents",
            "does the formatter keep comments that end at eof",
            "ok what about the limit",
            "good, why does it never end",
            "could you use the table",
            "kannst du auch die Regel erwähnen",
            "warum muss das so sein",
            "puedes mantener la tabla",
            "peux-tu garder le tableau",
            "puoi usare la tabella",
            "você pode manter a tabela",
            "能不能保持原来的格式",
            "now the docs",
            "kein Problem",
        ] {
            assert!(!states_rule(other), "{other}");
        }
    }
}
