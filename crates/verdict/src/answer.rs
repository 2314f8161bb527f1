//! Answers to questions about a debate, and the points they cite.

use std::collections::BTreeSet;

use agon_record::id::{NodeId, Seat};
use agon_record::mention::mentions;
use agon_record::state::State;
use agon_record::text::sanitise_line;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The schema name and version of an answer document.
pub const ANSWER_SCHEMA: &str = "agon.answer/1";

// Fits the longest of 26 titles in two real debates (79 characters).
/// Maximum length of a point's title, in characters.
const NAME: usize = 80;

/// A point that an answer cites.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Cited")]
pub struct CitedPoint {
    /// The point's id.
    pub id: NodeId,
    /// The seat that made the point.
    #[schemars(with = "String")]
    pub seat: Seat,
    /// The point's title, or the beginning of its text.
    pub title: String,
}

/// The points that an answer cites.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AnswerCheck {
    /// The cited points that exist, in the order of the debate.
    pub cited: Vec<CitedPoint>,
    /// Cited ids that belong to no point.
    pub unknown: Vec<String>,
}

/// Looks up the points that `answer` names.
pub fn check_cited_points(state: &State, answer: &str) -> AnswerCheck {
    let named: BTreeSet<NodeId> = mentions(answer).into_iter().map(|one| one.id).collect();
    let mut checked = AnswerCheck::default();
    for id in named {
        match state.node(id) {
            Some(node) => checked.cited.push(CitedPoint {
                id,
                seat: node.seat(),
                title: sanitise_line(node.point.short_text(), NAME),
            }),
            None => checked.unknown.push(id.to_string()),
        }
    }
    checked
}

/// An answer to a question about a debate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AnswerDoc {
    /// Always `agon.answer/1`.
    #[schemars(extend("const" = ANSWER_SCHEMA))]
    pub schema: String,
    /// The debate's unique name.
    pub id: String,
    /// The debate's folder name.
    pub debate: String,
    /// The question.
    pub question: String,
    /// The answer.
    pub answer: String,
    /// The points that the answer names.
    pub cited: Vec<CitedPoint>,
    /// Ids in the answer that belong to no point, even after a second attempt.
    pub unknown: Vec<String>,
    /// Whether the tool received the complete record instead of a summary of the points.
    pub whole_record: bool,
    /// The tool that answered.
    pub tool: String,
    /// The requested model; null if the tool chose it.
    pub model: Option<String>,
    /// The cost of the answer.
    pub usage: AnswerUsage,
}

/// The cost of an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AnswerUsage {
    /// Calls.
    pub calls: u32,
    /// Input and output tokens.
    pub tokens: u64,
    /// Time for all replies, in milliseconds.
    pub took_ms: u64,
}
