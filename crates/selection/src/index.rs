//! Documents, ready to be compared with requests.

mod alike;
mod build;
mod explain;
mod phrases;

use std::collections::HashMap;
use std::sync::OnceLock;

use self::phrases::PhraseTable;
use crate::document::SkillText;
use crate::examples::ExampleModel;
use crate::phrase::Phrase;
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
    names: Vec<Phrase>,
    examples: Option<LearnedExamples>,
    average_lengths: [f64; 5],
}

/// What is learned from example requests, when the first request is compared with them. Listing the
/// documents does not wait for it.
#[derive(Clone, Debug)]
struct LearnedExamples {
    model: OnceLock<ExampleModel>,
    /// Requests that call for none of the documents.
    ordinary: Vec<String>,
    /// The document of each label; none for requests that call for no skill.
    documents: Vec<Option<usize>>,
}

impl LearnedExamples {
    /// The model, which is learned the first time.
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

/// That a document has a word.
#[derive(Clone, Copy, Debug)]
struct Posting {
    document: u32,
    /// How often, by the weights and lengths of its fields.
    frequency: f32,
}

// Every skill is a little likely for every request.
/// What example requests add at least where a document has no word of the request.
const MIN_EXAMPLES: f64 = 0.05;

impl SkillIndex {
    /// The index of these documents.
    pub fn new(documents: Vec<SkillText>) -> Self {
        Self::with_weights(documents, SignWeights::default())
    }

    /// Compares requests with the example requests of the documents too, and with `ordinary` requests
    /// that call for none of them.
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
        for (document, found) in self.triggers.find(&request) {
            if let Some(score) = scores.get_mut(document as usize) {
                score.phrases = self.phrases_value(document, &found);
            }
        }
        for (document, found) in self.counter_phrases.find(&request) {
            if let Some(score) = scores.get_mut(document as usize) {
                score.counter_phrase = self.counter_value(&found);
            }
        }
        for (score, name) in scores.iter_mut().zip(&self.names) {
            if phrases::names(name, &request) {
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
        }
        scores.retain(|score| {
            score.words > 0.0 || score.phrases > 0.0 || score.examples >= MIN_EXAMPLES
        });
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

    /// What is left of words and phrases for this document.
    fn left_beside_examples(&self, document: usize) -> f64 {
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
