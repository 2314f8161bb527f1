//! Earlier verdicts that the seats of a debate are shown.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::authority::Authority;
use crate::piece::single_line;

// Three of maximum length take at most 1,600 tokens of every prompt. Tested by
// `what_is_told_is_bounded` in `prompt/src/precedents.rs`.
/// Maximum number of earlier verdicts that the seats are shown.
pub const MAX_PRECEDENTS: usize = 3;

// Enough for most: in the debate of `agon demo`, answers have at most 166 characters and questions
// 147.
/// Maximum number of characters shown of a question or answer.
pub const MAX_ANSWER: usize = 240;
// Enough for most: the reasons of the verdicts in the debate of `agon demo` have 355 and 382
// characters.
/// Maximum number of characters shown of a reason.
pub const MAX_REASON: usize = 600;

/// The verdict of an earlier debate when this one opened.
///
/// Prompts show it as data; it is not evidence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Precedent {
    /// The earlier debate's folder name.
    pub debate: String,
    /// Its unique id; `None` if another tool maintains it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The day of the verdict, such as `2026-11-21`.
    pub day: String,
    /// The topic of the debate.
    pub topic: String,
    /// The answer.
    pub answer: String,
    /// Why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// The condition under which the answer changes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unless: Option<String>,
    /// How far the verdict was tested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub authority: Option<Authority>,
    /// The later changes to its source, in a few words.
    pub source: String,
}

impl Precedent {
    /// Truncates its texts to about 300 tokens in total.
    #[must_use]
    pub fn truncate_texts(self) -> Self {
        Self {
            topic: single_line(&self.topic, MAX_ANSWER),
            answer: single_line(&self.answer, MAX_ANSWER),
            why: self.why.map(|why| single_line(&why, MAX_REASON)),
            unless: self.unless.map(|unless| single_line(&unless, MAX_ANSWER)),
            source: single_line(&self.source, MAX_ANSWER),
            ..self
        }
    }
}
