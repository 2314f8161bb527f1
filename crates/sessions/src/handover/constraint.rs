//! What the user wants to be always or never so.

use super::Quotation;
use crate::prose::{Quotes, content_stems, phrases, sentences};
use crate::{Entry, EntryKind};

/// A sentence that is longer than this is not a rule but a pasted text.
const MAX_SENTENCE: usize = 1_200;

/// Sentences of the user's that say so, word for word, each once, in their order.
pub(super) fn constraints(entries: &[&Entry], quotes: &mut Quotes) -> Vec<Quotation> {
    let mut found: Vec<Quotation> = Vec::new();
    let mut stems: Vec<Vec<String>> = Vec::new();
    for entry in entries {
        let EntryKind::Prompt(text) = &entry.kind else {
            continue;
        };
        for sentence in sentences(text.as_str()) {
            let is_rule = sentence.text.len() <= MAX_SENTENCE
                && !sentence.is_question()
                && (phrases().constraint.is_match(sentence.text)
                    || forbids_from_the_start(sentence.text));
            if !is_rule {
                continue;
            }
            let of = content_stems(sentence.text);
            revise(&mut found, &stems, &of, sentence.text, entry.turn);
            let words = quotes.quote(text, sentence.text);
            // Said twice in the same words it is one rule; where it was said last counts.
            if let Some(at) = found.iter().position(|it| it.words == words) {
                found.remove(at);
                stems.remove(at);
            }
            found.push(Quotation::new(entry, words));
            stems.push(of);
        }
    }
    found
}

/// Whether it begins with a "no" that forbids what follows, as in "and no new packages".
fn forbids_from_the_start(sentence: &str) -> bool {
    let mut rest = sentence.trim_start();
    for word in [
        "and", "but", "so", "also", "please", "ok", "yes", "then", "again",
    ] {
        let after = rest.get(word.len()..).filter(|_| {
            rest.get(..word.len())
                .is_some_and(|first| first.eq_ignore_ascii_case(word))
        });
        if let Some(after) = after.filter(|it| it.starts_with([' ', ',', ':'])) {
            rest = after.trim_start_matches([' ', ',', ':']);
        }
    }
    let begins = phrases().forbids_from_the_start.find(rest);
    let Some(begins) = begins.filter(|it| it.start() == 0) else {
        return false;
    };
    let after = rest.get(begins.end()..).unwrap_or_default();
    let is_idle = phrases().idle_after_no.find(after).is_some_and(|it| {
        after
            .get(..it.start())
            .is_some_and(|gap| gap.trim().is_empty())
    });
    after.starts_with(' ') && !is_idle
}

/// Marks earlier rules about the same that these words take back or change.
pub(super) fn revise(
    earlier: &mut [Quotation],
    stems: &[Vec<String>],
    of: &[String],
    words: &str,
    turn: u32,
) {
    if !phrases().correction.is_match(words) {
        return;
    }
    for (it, its) in earlier.iter_mut().zip(stems) {
        let same = its.iter().filter(|it| of.contains(it)).count();
        let is_same_matter = same >= 2 && same * 2 >= its.len();
        if it.turn < turn && is_same_matter && it.revised_in.is_none() {
            it.revised_in = Some(turn);
        }
    }
}
