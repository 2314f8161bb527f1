//! Scores of skills for a request.

use std::cmp::Ordering;

use crate::weights::SignWeights;

/// How well a skill matches a request: the points of each sign, and their sum.
///
/// Points have no unit; [`SignWeights`] limits the points of each sign.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Score {
    /// Index of the document, from 0.
    pub document: usize,
    /// Points of its words by BM25F, at least 0, before [`Self::coverage`] lowers them.
    pub words: f64,
    /// Share of the request's words that it has, weighted by rarity, from 0 to 1.
    pub coverage: f64,
    /// Points of phrases that call for it, at least 0.
    pub phrases: f64,
    /// Points of its name in the request, at least 0.
    pub name: f64,
    /// Points of example requests; negative if the request resembles requests that do not call for
    /// a skill.
    pub examples: f64,
    /// Points that a counter-phrase takes away, at least 0.
    pub counter_phrase: f64,
    /// Points that an errand takes away, at least 0.
    pub errand: f64,
    /// The total.
    pub total: f64,
}

impl Score {
    /// Returns the score with the sum of its parts as its total.
    pub(crate) fn with_sum(self, weights: &SignWeights) -> Self {
        let words = self.words * self.coverage_factor(weights);
        Self {
            total: words + self.phrases + self.name + self.examples
                - self.counter_phrase
                - self.errand,
            ..self
        }
    }

    /// Returns the factor of the points of words, from 0 to 1; lower if the request has other words.
    pub(crate) fn coverage_factor(&self, weights: &SignWeights) -> f64 {
        1.0 - weights.coverage * (1.0 - self.coverage)
    }

    /// Orders better scores first, and equal ones by index.
    pub(crate) fn compare(&self, other: &Self) -> Ordering {
        let by_total = other.total.total_cmp(&self.total);
        by_total.then(self.document.cmp(&other.document))
    }
}
