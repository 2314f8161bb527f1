//! Builds the index.

use std::collections::{BTreeMap, HashMap};

use super::phrases::PhraseTable;
use super::{Posting, SkillIndex};
use crate::document::{SkillField, SkillText};
use crate::weights::SignWeights;
use crate::words::words;

impl SkillIndex {
    /// Builds the index of these documents with other weights.
    pub fn with_weights(documents: Vec<SkillText>, weights: SignWeights) -> Self {
        let fields: Vec<[FieldWords; 5]> = documents
            .iter()
            .map(|document| SkillField::ALL.map(|field| FieldWords::new(document, field)))
            .collect();
        let mut average_lengths = [0.0; 5];
        for (at, average) in average_lengths.iter_mut().enumerate() {
            // Skip documents without the field, which would lower the average.
            let lengths = fields.iter().filter_map(|all| all.get(at));
            let lengths: Vec<f64> = lengths.map(|it| it.length).filter(|it| *it > 0.0).collect();
            *average = lengths.iter().sum::<f64>() / lengths.len().max(1) as f64;
        }
        let mut index = Self {
            triggers: PhraseTable::new(&documents, |document| &document.triggers),
            counter_phrases: PhraseTable::new(&documents, |document| &document.counter_phrases),
            names: PhraseTable::new(&documents, |document| [&document.name]),
            examples: None,
            documents,
            weights,
            postings: HashMap::new(),
            average_lengths,
        };
        for (document, all) in (0u32..).zip(&fields) {
            let mut frequencies: BTreeMap<&str, f64> = BTreeMap::new();
            for (field, words) in SkillField::ALL.into_iter().zip(all) {
                for (stem, count) in &words.counts {
                    let frequency = index.weighted_frequency(field, *count, words.length);
                    *frequencies.entry(stem).or_default() += frequency;
                }
            }
            for (stem, frequency) in frequencies.into_iter().filter(|(_, it)| *it > 0.0) {
                let posting = Posting {
                    document,
                    frequency: frequency as f32,
                };
                let postings = index.postings.entry(stem.to_owned());
                postings.or_default().push(posting);
            }
        }
        index
    }

    /// Returns the weighted frequency of a word that occurs `count` times in a field of this length.
    pub(super) fn weighted_frequency(&self, field: SkillField, count: f64, length: f64) -> f64 {
        let average = self.average_lengths.get(field as usize).copied();
        let by_length = self.weights.length(field);
        let relative = match average.unwrap_or_default() {
            0.0 => 1.0,
            average => length / average,
        };
        self.weights.field(field) * count / (1.0 - by_length + by_length * relative)
    }
}

/// The content words of a field, and their total number.
pub(super) struct FieldWords {
    pub(super) counts: BTreeMap<String, f64>,
    pub(super) length: f64,
}

impl FieldWords {
    pub(super) fn new(document: &SkillText, field: SkillField) -> Self {
        let mut counts: BTreeMap<String, f64> = BTreeMap::new();
        let mut length = 0.0;
        for text in document.texts(field) {
            for word in words(text).into_iter().filter(|word| word.is_content) {
                *counts.entry(word.stem).or_default() += 1.0;
                length += 1.0;
            }
        }
        Self { counts, length }
    }
}
