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
                && (phrases().decision.is_match(sentence.text) || is_short_decision(sentence.text))
                && !phrases().undecided.is_match(sentence.text);
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

/// The most words of a sentence that says by its form alone that something was decided.
const MAX_SHORT_WORDS: usize = 12;

/// Whether it is one such as "Last entry, then." or "UTF-8 it is".
fn is_short_decision(sentence: &str) -> bool {
    let words = sentence.trim_end_matches(['.', '!', ' ']);
    if words.split_whitespace().count() > MAX_SHORT_WORDS {
        return false;
    }
    let ends = phrases()
        .decision_end
        .find_iter(words)
        .any(|it| it.end() == words.len() && it.start() > 0);
    let begins = phrases().decision_begin.find(words);
    ends || begins.is_some_and(|it| it.start() == 0)
}
