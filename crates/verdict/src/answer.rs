//! Answers to questions about a debate, and the points that they cite.

use std::collections::BTreeSet;

use agon_record::id::{NodeId, Seat};
use agon_record::mention::mentions;
use agon_record::state::State;
use agon_record::text::sanitise_line;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The name and version of the document with an answer.
pub const ANSWER_SCHEMA: &str = "agon.answer/1";

// The longest of 26 titles of two real debates has 79 characters.
/// Characters of a point's name.
const NAME: usize = 80;

/// A point that an answer cites.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Cited")]
pub struct CitedPoint {
    /// The point.
    pub id: NodeId,
    /// Whose it is.
    #[schemars(with = "String")]
    pub seat: Seat,
    /// What it is called, or how it begins.
    pub title: String,
}

/// What an answer rests on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AnswerCheck {
    /// The points it names, in the order of the debate.
    pub cited: Vec<CitedPoint>,
    /// What has the form of a point's id, and is the id of none.
    pub unknown: Vec<String>,
}

/// Looks up what `answer` names.
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
    /// The points it names.
    pub cited: Vec<CitedPoint>,
    /// What it names that nobody said, also when asked again.
    pub unknown: Vec<String>,
    /// Whether the whole record was shown, and not its points in brief.
    pub whole_record: bool,
    /// The tool that answered.
    pub tool: String,
    /// Its model; null where it chose.
    pub model: Option<String>,
    /// What the answer cost.
    pub usage: AnswerUsage,
}

/// What an answer cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AnswerUsage {
    /// Calls.
    pub calls: u32,
    /// Tokens, in and out.
    pub tokens: u64,
    /// Time for the answers, in milliseconds.
    pub took_ms: u64,
}
