//! How well a skill fits a request.

use agon_selection::Score;
use schemars::JsonSchema;
use serde::Serialize;

/// How well a skill fits a request.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ScoreDoc {
    /// All of it together.
    pub total: f64,
    /// What words add, before coverage makes it less.
    pub words: f64,
    /// The part of the request's words that the skill has, by their rarity.
    pub coverage: f64,
    /// What phrases that call for it add.
    pub phrases: f64,
    /// What its name in the request adds.
    pub name: f64,
    /// What example requests like this one add; below 0 if it is like requests that call for none.
    pub examples: f64,
    /// What a counter-phrase takes away.
    pub counter_phrase: f64,
    /// What is taken away since the request begins with the verb of an errand.
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
