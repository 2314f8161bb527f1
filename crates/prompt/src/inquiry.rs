//! A question about a debate: what is shown for it, and what an answer to it is held to.

use std::collections::BTreeSet;

use agon_record::id::{NodeId, Seat, Stage, TurnId};
use agon_record::point::{Node, Point};
use agon_record::state::State;
use agon_record::tally;
use agon_record::text::sanitise_line;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::narrative::node_ids_in;
use crate::summary::summarize_rounds;
use crate::tokens::count_tokens;

/// The name and version of the document with an answer.
pub const ANSWER_SCHEMA: &str = "agon.answer/1";

// Three quarters of the 64,000 from which on an unknown model is thought to lose track
// (`agents/src/profile/model.rs`); the rest is for verdict, question and answer.
/// The most o200k tokens of a record that are shown.
pub const MAX_TOKENS: usize = 48_000;

// A title and a claim in the debate of `agon demo` have at most 187 characters together.
/// Characters of a point in brief.
const BRIEF: usize = 240;
// The longest of 26 titles of two real debates has 79 characters.
/// Characters of a point's name.
const NAME: usize = 80;

/// What is shown of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordExcerpt {
    /// The text.
    pub text: String,
    /// Whether it is the whole record.
    pub whole: bool,
}

/// What is shown of the record whose whole text is `transcript`: all of it, or where it has more
/// than `most` tokens a summary and its points in brief, those on which the verdict hangs and the
/// latest ones first.
pub fn excerpt_record(state: &State, transcript: String, most: usize) -> RecordExcerpt {
    // No token is shorter than a byte.
    if transcript.len() <= most || count_tokens(&transcript) <= most {
        return RecordExcerpt {
            text: transcript,
            whole: true,
        };
    }
    let mut text = String::new();
    if !state.is_scored() {
        let end = TurnId {
            stage: Stage::Verdict,
            seat: Seat::JUDGE,
        };
        text.push_str(&summarize_rounds(state, state.planned_rounds(), end));
        text.push_str("\n\n");
    }
    let nodes = state.nodes();
    let first = decisive_points(state);
    let mut order: Vec<usize> = (0..nodes.len()).rev().collect();
    order.sort_by_key(|&at| !nodes.get(at).is_some_and(|node| first.contains(&node.id)));
    let mut left = most.saturating_sub(count_tokens(&text));
    let mut kept = BTreeSet::new();
    let lines: Vec<String> = nodes.iter().map(|node| point_line(state, node)).collect();
    for at in order {
        let cost = lines.get(at).map_or(0, |line| count_tokens(line) + 1);
        if cost > left {
            break;
        }
        left -= cost;
        kept.insert(at);
    }
    if kept.len() < nodes.len() {
        let out = nodes.len() - kept.len();
        text.push_str(&format!("{out} further points are left out.\n"));
    }
    for at in kept {
        text.extend(lines.get(at).map(String::as_str));
        text.push('\n');
    }
    RecordExcerpt { text, whole: false }
}

/// The points that a verdict named.
fn decisive_points(state: &State) -> BTreeSet<NodeId> {
    let rulings = state.rulings();
    rulings
        .flat_map(|(_, ruling)| ruling.decisive.iter().copied())
        .collect()
}

/// A point in one line.
fn point_line(state: &State, node: &Node<'_>) -> String {
    let on = node.point.target();
    let on = on.map_or_else(String::new, |target| format!(" on {target}"));
    let score = tally::current_score(state, node.id);
    let score = score.map_or_else(String::new, |score| format!(", score {score}"));
    let said = match point_title(node) {
        Some(title) => format!("{title}: {}", node.point.main_text()),
        None => node.point.main_text().to_owned(),
    };
    let said = sanitise_line(&said, BRIEF);
    format!("{} {}{on}{score}: {said}", node.id, node.seat())
}

fn point_title<'a>(node: &Node<'a>) -> Option<&'a str> {
    match node.point {
        Point::Argument(argument) | Point::Alternative(argument) => Some(&argument.title),
        Point::Contention(contention) => Some(&contention.argument.title),
        Point::Objection(_) | Point::Response(_) | Point::Assessment(_) | Point::Agreement(_) => {
            None
        }
    }
}

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
    let named: BTreeSet<NodeId> = node_ids_in(answer).collect();
    let mut checked = AnswerCheck::default();
    for id in named {
        match state.node(id) {
            Some(node) => checked.cited.push(CitedPoint {
                id,
                seat: node.seat(),
                title: sanitise_line(point_title(&node).unwrap_or(node.point.main_text()), NAME),
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
