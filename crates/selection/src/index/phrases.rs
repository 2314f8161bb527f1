//! Phrases of all documents.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::SkillIndex;
use crate::document::SkillText;
use crate::phrase::{Phrase, PhraseMatch};
use crate::request::RequestWords;

/// Phrases of documents, by the word that a request must have.
#[derive(Clone, Debug, Default)]
pub(super) struct PhraseTable(HashMap<String, Vec<(u32, Phrase)>>);

/// A phrase that a request has.
#[derive(Clone, Copy, Debug)]
pub(super) struct PhraseHit<'a> {
    pub(super) phrase: &'a Phrase,
    pub(super) how: PhraseMatch,
}

impl PhraseTable {
    pub(super) fn new(documents: &[SkillText], phrases: impl Fn(&SkillText) -> &[String]) -> Self {
        let mut table: HashMap<String, Vec<(u32, Phrase)>> = HashMap::new();
        for (at, document) in (0u32..).zip(documents) {
            for phrase in phrases(document).iter().map(|text| Phrase::new(text)) {
                if let Some(key) = phrase.key() {
                    table.entry(key.to_owned()).or_default().push((at, phrase));
                }
            }
        }
        Self(table)
    }

    /// The phrases that `request` has, by their document.
    pub(super) fn find(&self, request: &RequestWords) -> BTreeMap<u32, Vec<PhraseHit<'_>>> {
        let mut found: BTreeMap<u32, Vec<PhraseHit<'_>>> = BTreeMap::new();
        let stems: BTreeSet<&str> = request
            .words
            .iter()
            .map(|word| word.stem.as_str())
            .collect();
        for (document, phrase) in stems
            .into_iter()
            .filter_map(|stem| self.0.get(stem))
            .flatten()
        {
            if let Some(how) = phrase.find(&request.words) {
                found
                    .entry(*document)
                    .or_default()
                    .push(PhraseHit { phrase, how });
            }
        }
        found
    }
}

impl SkillIndex {
    /// What a phrase that calls for a document is worth by itself.
    pub(super) fn phrase_value(&self, hit: &PhraseHit<'_>) -> f64 {
        let part = match hit.how {
            PhraseMatch::Loose => self.weights.loose_phrase,
            PhraseMatch::Whole if hit.phrase.is_single_word() => self.weights.single_word,
            PhraseMatch::Whole => 1.0,
        };
        self.weights.phrase * part
    }

    /// The phrases that count, the better first, each with what it adds: two of them, since many
    /// phrases say one thing in other words.
    pub(super) fn counting_phrases<'a>(&self, hits: &[PhraseHit<'a>]) -> Vec<(&'a Phrase, f64)> {
        let mut all: Vec<_> = hits
            .iter()
            .map(|hit| (hit.phrase, self.phrase_value(hit)))
            .collect();
        all.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.text.cmp(&b.0.text)));
        let parts = [1.0, self.weights.second_phrase].into_iter();
        let counting = all.into_iter().zip(parts);
        counting
            .map(|((phrase, value), part)| (phrase, value * part))
            .collect()
    }

    pub(super) fn phrases_value(&self, hits: &[PhraseHit<'_>]) -> f64 {
        let counting = self.counting_phrases(hits);
        counting.iter().map(|(_, value)| value).sum()
    }

    /// What counter-phrases take away: a whole one all, another nothing.
    pub(super) fn counter_value(&self, hits: &[PhraseHit<'_>]) -> f64 {
        match hits.iter().any(|hit| hit.how == PhraseMatch::Whole) {
            true => self.weights.counter_phrase,
            false => 0.0,
        }
    }
}
