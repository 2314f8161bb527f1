//! How well a skill fits a request.

use std::cmp::Ordering;

use crate::weights::SignWeights;

/// How well a skill fits a request, by what adds up to it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Score {
    /// The document, by its place in the index.
    pub document: usize,
    /// What words add, by BM25F, before [`Self::coverage`] makes it less.
    pub words: f64,
    /// The part of the request's words that it has, by their rarity, from 0 to 1.
    pub coverage: f64,
    /// What phrases that call for it add.
    pub phrases: f64,
    /// What its name in the request adds.
    pub name: f64,
    /// What example requests add.
    pub examples: f64,
    /// What a counter-phrase takes away.
    pub counter_phrase: f64,
    /// What is taken away since the request is an errand.
    pub errand: f64,
    /// All of it together.
    pub total: f64,
}

impl Score {
    /// The score whose total is what its parts come to.
    pub(crate) fn add_up(self, weights: &SignWeights) -> Self {
        let words = self.words * self.coverage_factor(weights);
        Self {
            total: words + self.phrases + self.name + self.examples
                - self.counter_phrase
                - self.errand,
            ..self
        }
    }

    /// What is left of the words' part where the request is about more than the document knows.
    pub(crate) fn coverage_factor(&self, weights: &SignWeights) -> f64 {
        1.0 - weights.coverage * (1.0 - self.coverage)
    }

    /// The better first; of equals the one that stands first.
    pub(crate) fn compare(&self, other: &Self) -> Ordering {
        let by_total = other.total.total_cmp(&self.total);
        by_total.then(self.document.cmp(&other.document))
    }
}
