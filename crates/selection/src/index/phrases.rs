//! Phrases and names of all documents.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::SkillIndex;
use crate::document::SkillText;
use crate::phrase::{Phrase, PhraseMatch};
use crate::request::RequestWords;
use crate::words::Word;

/// Phrases of documents, by the stem that a request must have.
#[derive(Clone, Debug, Default)]
pub(super) struct PhraseTable(HashMap<String, Vec<(u32, Phrase)>>);

/// A phrase that a request has.
#[derive(Clone, Copy, Debug)]
pub(super) struct PhraseHit<'a> {
    pub(super) phrase: &'a Phrase,
    pub(super) how: PhraseMatch,
}

impl PhraseTable {
    pub(super) fn new<'a, P>(
        documents: &'a [SkillText],
        phrases: impl Fn(&'a SkillText) -> P,
    ) -> Self
    where
        P: IntoIterator<Item = &'a String>,
    {
        let mut table: HashMap<String, Vec<(u32, Phrase)>> = HashMap::new();
        for (at, document) in (0u32..).zip(documents) {
            for phrase in phrases(document).into_iter().map(|text| Phrase::new(text)) {
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
        for (document, phrase) in self.with_key_in(request) {
            if let Some(how) = phrase.find(&request.words) {
                found
                    .entry(*document)
                    .or_default()
                    .push(PhraseHit { phrase, how });
            }
        }
        found
    }

    /// The documents that `request` calls by their name, in a table of names.
    pub(super) fn find_named(&self, request: &RequestWords) -> BTreeSet<u32> {
        let named = self.with_key_in(request);
        let named = named.filter(|(_, name)| is_called(name, request));
        named.map(|(document, _)| *document).collect()
    }

    /// The documents that have a phrase of one word which `request` forbids.
    pub(super) fn find_forbidden(&self, request: &RequestWords) -> BTreeSet<u32> {
        let single = self.with_key_in(request);
        let single = single.filter(|(_, phrase)| phrase.is_single_word());
        let forbidden = single.filter(|(_, phrase)| phrase.is_forbidden(&request.words));
        forbidden.map(|(document, _)| *document).collect()
    }

    /// The phrases whose key `request` has.
    fn with_key_in(&self, request: &RequestWords) -> impl Iterator<Item = &(u32, Phrase)> {
        let stems = request.words.iter().map(|word| word.stem.as_str());
        let stems: BTreeSet<&str> = stems.collect();
        let known = stems.into_iter().filter_map(|stem| self.0.get(stem));
        known.flatten()
    }
}

/// Whether `request` calls a skill by `name`, as it is written but for case, hyphens and blanks. A name
/// of several words counts anywhere, a name of one word only next to the word "skill" or where it is
/// all of the request: "add a debate column" calls no skill.
fn is_called(name: &Phrase, request: &RequestWords) -> bool {
    let places = name.find_written(&request.words);
    if !name.is_single_word() {
        return !places.is_empty();
    }
    let says_skill = |at: usize| {
        let word: Option<&Word> = request.words.get(at);
        word.is_some_and(|word| word.stem == "skill")
    };
    let is_beside = |at: usize| says_skill(at + 1) || at.checked_sub(1).is_some_and(says_skill);
    !places.is_empty() && name.is_all_of(&request.words) || places.into_iter().any(is_beside)
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
            PhraseMatch::Leading | PhraseMatch::Entire | PhraseMatch::Exact => 1.0,
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
