//! Index of documents for comparison with requests.

mod build;
mod explain;
mod phrases;
mod similarity;

use std::collections::{BTreeSet, HashMap};
use std::sync::OnceLock;

use self::phrases::PhraseTable;
use crate::document::SkillText;
use crate::examples::ExampleModel;
use crate::phrase::PhraseMatch;
use crate::request::RequestWords;
use crate::score::Score;
use crate::weights::SignWeights;

/// Index of documents for comparison with requests.
#[derive(Clone, Debug)]
pub struct SkillIndex {
    documents: Vec<SkillText>,
    weights: SignWeights,
    postings: HashMap<String, Vec<Posting>>,
    triggers: PhraseTable,
    counter_phrases: PhraseTable,
    names: PhraseTable,
    examples: Option<LearnedExamples>,
    average_lengths: [f64; 5],
}

/// A model learned from example requests. It is learned at the first request, so that listing the
/// documents does not have to wait.
#[derive(Clone, Debug)]
struct LearnedExamples {
    model: OnceLock<ExampleModel>,
    /// Requests that call for none of the documents.
    ordinary: Vec<String>,
    /// The document of each label; `None` for requests that call for no skill.
    documents: Vec<Option<usize>>,
}

impl LearnedExamples {
    /// Returns the model, which is learned at the first call.
    fn model(&self, documents: &[SkillText]) -> &ExampleModel {
        self.model.get_or_init(|| {
            let texts = |label: &Option<usize>| {
                let document = label.and_then(|at| documents.get(at));
                let texts = match document {
                    Some(document) => [&document.examples, &document.triggers].to_vec(),
                    None => vec![&self.ordinary],
                };
                texts.into_iter().flatten().map(String::as_str).collect()
            };
            let labels: Vec<Vec<&str>> = self.documents.iter().map(texts).collect();
            ExampleModel::new(&labels)
        })
    }
}

/// Occurrence of a word in a document.
#[derive(Clone, Copy, Debug)]
struct Posting {
    document: u32,
    /// Frequency, weighted by the fields' weights and lengths.
    frequency: f32,
}

// Every skill has some probability for every request, so points below this are chance.
/// Minimum points from example requests for a document without a word of the request.
const MIN_EXAMPLES: f64 = 0.05;

impl SkillIndex {
    /// Builds the index of these documents, with the default weights.
    pub fn new(documents: Vec<SkillText>) -> Self {
        Self::with_weights(documents, SignWeights::default())
    }

    /// Compares requests with the example requests of the documents too, and with `ordinary` requests
    /// that call for none of them. It learns from them at the first request, by naive Bayes.
    #[must_use]
    pub fn learn(mut self, ordinary: &[&str]) -> Self {
        let having = self.documents.iter().enumerate();
        let having = having.filter(|(_, document)| !document.examples.is_empty());
        let having = having.map(|(at, _)| Some(at));
        self.examples = Some(LearnedExamples {
            model: OnceLock::new(),
            ordinary: ordinary.iter().map(|&request| request.to_owned()).collect(),
            documents: [None].into_iter().chain(having).collect(),
        });
        self
    }

    /// Returns the documents. A [`Score`] has the index of one in this list.
    pub fn documents(&self) -> &[SkillText] {
        &self.documents
    }

    /// Returns the weights of the signs.
    pub fn weights(&self) -> &SignWeights {
        &self.weights
    }

    /// Returns the score of each document for `request`, the best first, without documents that have
    /// no word of it, are not named by it and have no examples like it.
    pub fn scores(&self, request: &str) -> Vec<Score> {
        let text = request;
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
        // An exact trigger phrase overrides counter-phrases and small tasks: "add gates" is not a
        // small task, and "execute the plan" does not ask for an execution plan.
        let mut exact = BTreeSet::new();
        for (document, found) in self.triggers.find(&request) {
            if let Some(score) = scores.get_mut(document as usize) {
                score.phrases = self.phrases_value(document, &found);
            }
            if found.iter().any(|hit| hit.how == PhraseMatch::Exact) {
                exact.insert(document);
            }
        }
        let against = self.counter_phrases.find(&request).into_iter();
        for (document, found) in against.filter(|(document, _)| !exact.contains(document)) {
            if let Some(score) = scores.get_mut(document as usize) {
                score.counter_phrase = self.counter_value(&found);
            }
        }
        for document in self.names.find_named(&request) {
            if let Some(score) = scores.get_mut(document as usize) {
                score.name = self.weights.name;
            }
        }
        if let Some(learned) = &self.examples {
            let likelihoods = learned.model(&self.documents).likelihoods(text);
            let none = likelihoods.first().copied().unwrap_or_default();
            for (document, likelihood) in learned.documents.iter().zip(likelihoods) {
                if let Some(score) = document.and_then(|at| scores.get_mut(at)) {
                    score.words *= self.weights.beside_examples;
                    score.examples =
                        self.weights.examples * likelihood - self.weights.ordinary * none;
                }
            }
            // "Do not debate this" resembles requests for a debate, so examples must not add
            // points.
            let mut forbidden = self.names.find_forbidden(&request);
            forbidden.extend(self.triggers.find_forbidden(&request));
            for document in forbidden {
                if let Some(score) = scores.get_mut(document as usize) {
                    score.examples = score.examples.min(0.0);
                }
            }
        }
        scores.retain(|score| {
            let sum = score.words + score.phrases + score.name;
            sum > 0.0 || score.examples >= MIN_EXAMPLES
        });
        for score in &mut scores {
            let is_exact = u32::try_from(score.document).is_ok_and(|at| exact.contains(&at));
            if request.is_errand && !is_exact {
                score.errand = self.weights.errand;
            }
            score.coverage = if all > 0.0 { score.coverage / all } else { 0.0 };
            *score = score.clone().with_sum(&self.weights);
        }
        scores.sort_by(Score::compare);
        scores
    }

    /// Returns the scores that are good enough to include the skill, best first; empty if no skill
    /// matches. `scores` are in the order of [`Self::scores`].
    pub fn candidates(&self, scores: &[Score]) -> Vec<Score> {
        let best = scores.first().map_or(0.0, |score| score.total);
        let least = self.weights.threshold.max(best * self.weights.nearness);
        let good = scores.iter().filter(|score| score.total >= least);
        good.cloned().collect()
    }

    /// Returns the rarity of a word, from near 0 (every document has it) to 1 (none has it).
    fn rarity(&self, term: &str) -> f64 {
        let all = self.documents.len() as f64;
        let having = self.postings.get(term).map_or(0.0, |all| all.len() as f64);
        let weight = |having: f64| (1.0 + (all - having + 0.5) / (having + 0.5)).ln();
        weight(having) / weight(0.0)
    }

    /// Returns the factor of words and phrases of this document, from 0 to 1.
    fn word_factor(&self, document: usize) -> f64 {
        let learned = self.examples.as_ref();
        match learned.is_some_and(|it| it.documents.contains(&Some(document))) {
            true => self.weights.beside_examples,
            false => 1.0,
        }
    }

    fn saturate(&self, frequency: f64) -> f64 {
        frequency / (self.weights.saturation + frequency)
    }
}

#[cfg(test)]
mod tests;
