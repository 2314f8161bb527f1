//! Tables of the phrases and names of all documents.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::SkillIndex;
use crate::document::SkillText;
use crate::phrase::{Phrase, PhraseMatch};
use crate::request::RequestWords;
use crate::words::Word;

/// Phrases of documents, by the stem that a request must contain.
#[derive(Clone, Debug, Default)]
pub(super) struct PhraseTable(HashMap<String, Vec<(u32, Phrase)>>);

/// A phrase found in a request.
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

    /// Returns the phrases found in `request`, by document.
    pub(super) fn find(&self, request: &RequestWords) -> BTreeMap<u32, Vec<PhraseHit<'_>>> {
        let mut found: BTreeMap<u32, Vec<PhraseHit<'_>>> = BTreeMap::new();
        for (document, phrase) in self.phrases_with_key_in(request) {
            if let Some(how) = phrase.find(&request.words) {
                found
                    .entry(*document)
                    .or_default()
                    .push(PhraseHit { phrase, how });
            }
        }
        found
    }

    /// Returns the documents that `request` calls by name, in a table of names.
    pub(super) fn find_named(&self, request: &RequestWords) -> BTreeSet<u32> {
        let named = self.phrases_with_key_in(request);
        let named = named.filter(|(_, name)| names_skill(name, request));
        named.map(|(document, _)| *document).collect()
    }

    /// Returns the documents with a one-word phrase that `request` forbids.
    pub(super) fn find_forbidden(&self, request: &RequestWords) -> BTreeSet<u32> {
        let single = self.phrases_with_key_in(request);
        let single = single.filter(|(_, phrase)| phrase.is_single_word());
        let forbidden = single.filter(|(_, phrase)| phrase.is_forbidden(&request.words));
        forbidden.map(|(document, _)| *document).collect()
    }

    /// Returns the phrases whose key is in `request`.
    fn phrases_with_key_in(&self, request: &RequestWords) -> impl Iterator<Item = &(u32, Phrase)> {
        let stems = request.words.iter().map(|word| word.stem.as_str());
        let stems: BTreeSet<&str> = stems.collect();
        let known = stems.into_iter().filter_map(|stem| self.0.get(stem));
        known.flatten()
    }
}

/// Returns whether `request` calls a skill by `name`, ignoring case, hyphens and blanks. A name of
/// several words counts anywhere. A name of one word counts only next to the word "skill" or as the
/// whole request: "add a debate column" does not call a skill.
fn names_skill(name: &Phrase, request: &RequestWords) -> bool {
    let places = name.find_written(&request.words);
    if !name.is_single_word() {
        return !places.is_empty();
    }
    let says_skill = |at: usize| {
        let word: Option<&Word> = request.words.get(at);
        word.is_some_and(|word| word.stem == "skill")
    };
    let is_beside = |at: usize| says_skill(at + 1) || at.checked_sub(1).is_some_and(says_skill);
    !places.is_empty() && name.is_whole_request(&request.words) || places.into_iter().any(is_beside)
}

impl SkillIndex {
    /// Returns the points of a single phrase that calls for a document.
    pub(super) fn phrase_value(&self, document: u32, hit: &PhraseHit<'_>) -> f64 {
        let factor = self.word_factor(document as usize);
        let part = match hit.how {
            PhraseMatch::Loose => self.weights.loose_phrase * factor,
            PhraseMatch::Whole if hit.phrase.is_single_word() => self.weights.single_word * factor,
            PhraseMatch::Whole => factor,
            // The beginning of a request says what the user wants, so the phrase counts in full.
            PhraseMatch::Leading | PhraseMatch::Entire | PhraseMatch::Exact => 1.0,
        };
        self.weights.phrase * part
    }

    /// Returns the two best phrases with their points. More do not count, because many phrases say the
    /// same thing in other words.
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

    /// Returns the points that counter-phrases take away: all for a whole match, otherwise none.
    pub(super) fn counter_value(&self, hits: &[PhraseHit<'_>]) -> f64 {
        match hits.iter().any(|hit| hit.how >= PhraseMatch::Whole) {
            true => self.weights.counter_phrase,
            false => 0.0,
        }
    }
}
