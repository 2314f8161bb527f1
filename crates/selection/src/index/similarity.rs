//! Similarity of documents, and of parts of a document.

use std::collections::BTreeSet;

use super::SkillIndex;
use crate::document::{SkillField, SkillText};
use crate::request::RequestWords;
use crate::words::words;

impl SkillIndex {
    /// Returns the similarity of two documents, from 0 to 1: the cosine of their words, weighted by rarity.
    /// It is 0 if there is no such document.
    pub fn similarity(&self, one: usize, other: usize) -> f64 {
        let terms = |at: usize| {
            self.documents
                .get(at)
                .map(document_terms)
                .unwrap_or_default()
        };
        let (one, other) = (terms(one), terms(other));
        let size = (self.weight(one.iter()) * self.weight(other.iter())).sqrt();
        match size > 0.0 {
            true => (self.weight(one.intersection(&other)) / size).min(1.0),
            false => 0.0,
        }
    }

    /// Returns the share of the words common to a document and `request` that are in its section `part`,
    /// weighted by rarity, from 0 to 1. It is 0 if there are no common words.
    pub fn share(&self, request: &str, document: usize, part: &str) -> f64 {
        let texts = self.documents.get(document).map(|it| {
            let fields = [SkillField::Headings, SkillField::Body];
            fields.map(|field| it.texts(field).join("\n")).join("\n")
        });
        let terms = RequestWords::new(request).terms;
        let weight = |text: &str| -> f64 {
            let stems = content_stems(text);
            let common = terms.iter().filter(|term| stems.contains(*term));
            common.map(|term| self.rarity(term)).sum()
        };
        let whole = weight(&texts.unwrap_or_default());
        match whole > 0.0 {
            true => (weight(part) / whole).min(1.0),
            false => 0.0,
        }
    }

    fn weight<'a>(&self, terms: impl Iterator<Item = &'a String>) -> f64 {
        terms.map(|term| self.rarity(term).powi(2)).sum()
    }
}

fn document_terms(document: &SkillText) -> BTreeSet<String> {
    let texts = SkillField::ALL.map(|field| document.texts(field).join("\n"));
    content_stems(&texts.join("\n"))
}

fn content_stems(text: &str) -> BTreeSet<String> {
    let content = words(text).into_iter().filter(|word| word.is_content);
    content.map(|word| word.stem).collect()
}
