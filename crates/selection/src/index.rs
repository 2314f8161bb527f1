//! Documents, ready to be compared with requests.

mod alike;
mod build;
mod explain;
mod phrases;

use std::collections::HashMap;

use self::phrases::PhraseTable;
use crate::document::SkillText;
use crate::request::RequestWords;
use crate::score::Score;
use crate::weights::SignWeights;

/// Documents, ready to be compared with requests.
#[derive(Clone, Debug)]
pub struct SkillIndex {
    documents: Vec<SkillText>,
    weights: SignWeights,
    postings: HashMap<String, Vec<Posting>>,
    triggers: PhraseTable,
    counter_phrases: PhraseTable,
    average_lengths: [f64; 5],
}

/// That a document has a word.
#[derive(Clone, Copy, Debug)]
struct Posting {
    document: u32,
    /// How often, by the weights and lengths of its fields.
    frequency: f32,
}

impl SkillIndex {
    /// The index of these documents.
    pub fn new(documents: Vec<SkillText>) -> Self {
        Self::with_weights(documents, SignWeights::default())
    }

    /// The documents, by their places.
    pub fn documents(&self) -> &[SkillText] {
        &self.documents
    }

    /// What each sign counts here.
    pub fn weights(&self) -> &SignWeights {
        &self.weights
    }

    /// How well each document fits `request`, the best first; those that have none of its words are
    /// left out.
    pub fn scores(&self, request: &str) -> Vec<Score> {
        let request = RequestWords::new(request);
        let mut scores: Vec<Score> = (0..self.documents.len())
            .map(|document| Score {
                document,
                ..Score::default()
            })
            .collect();
        let mut all = 0.0;
        for term in &request.terms {
            let rarity = self.rarity(term);
            all += rarity;
            for posting in self.postings.get(term).into_iter().flatten() {
                if let Some(score) = scores.get_mut(posting.document as usize) {
                    score.words += rarity * self.saturate(posting.frequency.into());
                    score.coverage += rarity;
                }
            }
        }
        for (document, found) in self.triggers.find(&request) {
            if let Some(score) = scores.get_mut(document as usize) {
                score.phrases = self.phrases_value(&found);
            }
        }
        for (document, found) in self.counter_phrases.find(&request) {
            if let Some(score) = scores.get_mut(document as usize) {
                score.counter_phrase = self.counter_value(&found);
            }
        }
        scores.retain(|score| score.words > 0.0 || score.phrases > 0.0);
        for score in &mut scores {
            if request.is_errand {
                score.errand = self.weights.errand;
            }
            score.coverage = if all > 0.0 { score.coverage / all } else { 0.0 };
            *score = score.clone().add_up(&self.weights);
        }
        scores.sort_by(Score::compare);
        scores
    }

    /// Those of `scores`, the best first, that are good enough to be given: none where no skill
    /// fits.
    pub fn candidates(&self, scores: &[Score]) -> Vec<Score> {
        let best = scores.first().map_or(0.0, |score| score.total);
        let least = self.weights.threshold.max(best * self.weights.nearness);
        let good = scores.iter().filter(|score| score.total >= least);
        good.cloned().collect()
    }

    /// How much a word says: 1 where no document has it, near 0 where all do.
    fn rarity(&self, term: &str) -> f64 {
        let all = self.documents.len() as f64;
        let having = self.postings.get(term).map_or(0.0, |all| all.len() as f64);
        let weight = |having: f64| (1.0 + (all - having + 0.5) / (having + 0.5)).ln();
        weight(having) / weight(0.0)
    }

    fn saturate(&self, frequency: f64) -> f64 {
        frequency / (self.weights.saturation + frequency)
    }
}

#[cfg(test)]
mod tests;
