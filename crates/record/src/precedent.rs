//! Earlier verdicts that a debate is told of.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::authority::Authority;
use crate::piece::single_line;

// Three of them at their longest are at most 1,600 tokens of every prompt. Held by
// `what_is_told_is_bounded` in `prompt/src/precedents.rs`.
/// The most earlier verdicts that a debate is told of.
pub const MAX_PRECEDENTS: usize = 3;

// The answers in the debate of `agon demo` have at most 166 characters, its questions 147.
/// Characters of the longest question or answer that is told.
pub const MAX_ANSWER: usize = 240;
// The reasons of the verdicts in the debate of `agon demo` have 355 and 382 characters.
/// Characters of the longest reason that is told.
pub const MAX_REASON: usize = 600;

/// The verdict of an earlier debate, as it stood when this one opened.
///
/// It is told as data, and is no evidence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Precedent {
    /// The earlier debate's folder name.
    pub debate: String,
    /// Its unique name; none when another tool keeps it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The day of the verdict, such as `2026-11-21`.
    pub day: String,
    /// What was debated.
    pub topic: String,
    /// The answer.
    pub answer: String,
    /// Why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// The condition under which it changes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unless: Option<String>,
    /// How much of the planned debate stood behind it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub authority: Option<Authority>,
    /// What became of the source it rests on, in a few words.
    pub source: String,
}

impl Precedent {
    /// The same with texts that are bounded: about 300 tokens at the most.
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
