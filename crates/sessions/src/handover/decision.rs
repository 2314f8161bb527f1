//! What was decided, from lines that say so.

use super::Quotation;
use super::constraint::revise;
use crate::prose::{Quotes, content_stems, phrases, sentences};
use crate::{Entry, EntryKind};

const MAX_SENTENCE: usize = 1_200;

/// Sentences of the user's and the model's that say that something was decided, word for word,
/// each once, in their order.
pub(super) fn decisions(entries: &[&Entry], quotes: &mut Quotes) -> Vec<Quotation> {
    let mut found: Vec<Quotation> = Vec::new();
    let mut stems: Vec<Vec<String>> = Vec::new();
    for entry in entries {
        let text = match &entry.kind {
            EntryKind::Prompt(text) | EntryKind::Text(text) => text,
            EntryKind::Compaction(compaction) => match &compaction.summary {
                Some(summary) => summary,
                None => continue,
            },
            _ => continue,
        };
        for sentence in sentences(text.as_str()) {
            let is_decision = sentence.text.len() <= MAX_SENTENCE
                && !sentence.is_question()
                && phrases().decision.is_match(sentence.text)
                && !is_open(sentence.text);
            if !is_decision {
                continue;
            }
            let of = content_stems(sentence.text);
            revise(&mut found, &stems, &of, sentence.text, entry.turn);
            let words = quotes.quote(text, sentence.text);
            if found.iter().all(|it| it.words != words) {
                found.push(Quotation::new(entry, words));
                stems.push(of);
            }
        }
    }
    found
}

/// What is still to be decided was not.
fn is_open(sentence: &str) -> bool {
    let small = sentence.to_lowercase();
    [
        "to be decided",
        "not decided",
        "not yet decided",
        "undecided",
        "let me decide",
        "you decide",
        "have to decide",
        "need to decide",
        "before we decide",
        "haven't decided",
        "no decision",
        "decide whether",
        "decide if",
    ]
    .iter()
    .any(|it| small.contains(it))
}
