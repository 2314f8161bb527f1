//! Phrases of all documents.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::SkillIndex;
use crate::document::SkillText;
use crate::phrase::{Phrase, PhraseMatch};
use crate::request::RequestWords;
use crate::words::Word;

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

/// Whether `request` calls the skill `name` by its name: several words anywhere, a single one that is
/// all of the request or is next to the word "skill". In "add a debate column" it is a mere word.
pub(super) fn names(name: &Phrase, request: &RequestWords) -> bool {
    if !name.is_verbatim(&request.words) {
        return false;
    }
    if !name.is_single_word() {
        return true;
    }
    let says_skill = |word: &Word| word.stem == "skill";
    let is_beside = |pair: &[Word]| match pair {
        [one, other] => {
            (says_skill(one) && name.is_verbatim(std::slice::from_ref(other)))
                || (says_skill(other) && name.is_verbatim(std::slice::from_ref(one)))
        }
        _ => false,
    };
    name.find(&request.words) == Some(PhraseMatch::Entire)
        || request.words.windows(2).any(is_beside)
}

impl SkillIndex {
    /// What a phrase that calls for a document is worth by itself.
    pub(super) fn phrase_value(&self, document: u32, hit: &PhraseHit<'_>) -> f64 {
        let left = self.left_beside_examples(document as usize);
        let part = match hit.how {
            PhraseMatch::Loose => self.weights.loose_phrase * left,
            PhraseMatch::Whole if hit.phrase.is_single_word() => self.weights.single_word * left,
            PhraseMatch::Whole => left,
            // What a request begins with is what it asks for, whatever it is about.
            PhraseMatch::Leading | PhraseMatch::Entire => 1.0,
        };
        self.weights.phrase * part
    }

    /// The phrases that count, the better first, each with what it adds: two of them, since many
    /// phrases say one thing in other words.
    pub(super) fn counting_phrases<'a>(
        &self,
        document: u32,
        hits: &[PhraseHit<'a>],
    ) -> Vec<(&'a Phrase, f64)> {
        let mut all: Vec<_> = hits
            .iter()
            .map(|hit| (hit.phrase, self.phrase_value(document, hit)))
            .collect();
        all.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.text.cmp(&b.0.text)));
        let parts = [1.0, self.weights.second_phrase].into_iter();
        let counting = all.into_iter().zip(parts);
        counting
            .map(|((phrase, value), part)| (phrase, value * part))
            .collect()
    }

    pub(super) fn phrases_value(&self, document: u32, hits: &[PhraseHit<'_>]) -> f64 {
        let counting = self.counting_phrases(document, hits);
        counting.iter().map(|(_, value)| value).sum()
    }

    /// What counter-phrases take away: a whole one all, another nothing.
    pub(super) fn counter_value(&self, hits: &[PhraseHit<'_>]) -> f64 {
        match hits.iter().any(|hit| hit.how >= PhraseMatch::Whole) {
            true => self.weights.counter_phrase,
            false => 0.0,
        }
    }
}
