//! Explains a score, part by part.

use super::SkillIndex;
use super::build::FieldWords;
use crate::document::SkillField;
use crate::explanation::{Explanation, ScorePart, Sign};
use crate::phrase::PhraseMatch;
use crate::request::RequestWords;
use crate::score::Score;

impl SkillIndex {
    /// Explains the score of a document for `request`; `None` if there is no such document.
    pub fn explain(&self, document: usize, request: &str) -> Option<Explanation> {
        let text = self.documents.get(document)?;
        let scores = self.scores(request);
        let score = scores.into_iter().find(|score| score.document == document);
        let score = score.unwrap_or(Score {
            document,
            ..Score::default()
        });
        let request = RequestWords::new(request);
        let fields = SkillField::ALL.map(|field| (field, FieldWords::new(text, field)));
        let word_factor = self.word_factor(document);
        let mut parts = Vec::new();
        let mut unknown = Vec::new();
        for term in &request.terms {
            let frequencies: Vec<(SkillField, f64)> = (fields.iter())
                .filter_map(|(field, words)| {
                    let count = words.counts.get(term)?;
                    Some((
                        *field,
                        self.weighted_frequency(*field, *count, words.length),
                    ))
                })
                .collect();
            let all: f64 = frequencies.iter().map(|(_, frequency)| frequency).sum();
            if all == 0.0 {
                unknown.push(term.clone());
                continue;
            }
            let value = word_factor * self.rarity(term) * self.saturate(f64::from(all as f32));
            // A word's points saturate over all fields together, so each field gets its share of
            // the result.
            for (field, frequency) in frequencies {
                let value = value * frequency / all;
                parts.push((Sign::Word(term.clone(), field), value));
            }
        }
        let reduction = score.words * (score.coverage_factor(&self.weights) - 1.0);
        parts.push((Sign::Coverage, reduction));
        let at = u32::try_from(document).ok()?;
        if let Some(hits) = self.triggers.find(&request).get(&at) {
            for (phrase, value) in self.counting_phrases(at, hits) {
                parts.push((Sign::Phrase(phrase.text.clone()), value));
            }
        }
        parts.push((Sign::Name, score.name));
        parts.push((Sign::Examples, score.examples));
        let against = self.counter_phrases.find(&request);
        let whole = against.get(&at).into_iter().flatten();
        let whole = whole.filter(|hit| hit.how >= PhraseMatch::Whole);
        if let Some(hit) = whole.min_by(|a, b| a.phrase.text.cmp(&b.phrase.text)) {
            let sign = Sign::CounterPhrase(hit.phrase.text.clone());
            parts.push((sign, -score.counter_phrase));
        }
        parts.push((Sign::Errand, -score.errand));
        let parts = parts.into_iter().filter(|(_, value)| *value != 0.0);
        Some(Explanation {
            score,
            parts: parts
                .map(|(sign, value)| ScorePart { sign, value })
                .collect(),
            unknown,
        })
    }
}
