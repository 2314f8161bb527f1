//! Scores of skills.

use agon_selection::Score;
use schemars::JsonSchema;
use serde::Serialize;

/// How well a skill matches a request.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ScoreDoc {
    /// The total score.
    pub total: f64,
    /// Contribution of words, before the reduction by coverage.
    pub words: f64,
    /// Share of the request's words that the skill has, weighted by rarity.
    pub coverage: f64,
    /// Contribution of trigger phrases.
    pub phrases: f64,
    /// Contribution of its name in the request.
    pub name: f64,
    /// Contribution of similar example requests; negative if similar requests call for no skill.
    pub examples: f64,
    /// Reduction by a counter-phrase.
    pub counter_phrase: f64,
    /// Reduction because the request begins with the verb of an errand, such as "fix".
    pub errand: f64,
}

impl ScoreDoc {
    pub(super) fn of(score: &Score) -> Self {
        Self {
            total: score.total,
            words: score.words,
            coverage: score.coverage,
            phrases: score.phrases,
            name: score.name,
            examples: score.examples,
            counter_phrase: score.counter_phrase,
            errand: score.errand,
        }
    }
}
