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
                && phrases().constraint.is_match(sentence.text);
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
