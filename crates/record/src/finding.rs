//! Findings: broken rules and their severity.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::id::TurnId;
use crate::text::plain_word;

/// The severity of a finding.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Only recorded.
    Warning,
    /// The seat is asked again once; then the reply is admitted and the finding shown.
    Error,
    /// The reply is unusable: the seat is asked again once; then the turn is lost.
    Fatal,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Warning => "warning",
            Self::Error => "error",
            Self::Fatal => "fatal",
        })
    }
}

/// A broken rule: which one, where, and how to fix it.
///
/// `path` and `span` are null if the reply is not in a file yet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Finding {
    /// The rule, such as `attack-target`.
    #[serde(deserialize_with = "plain_word")]
    pub code: String,
    /// Its severity.
    pub severity: Severity,
    /// The turn in which it was broken.
    #[schemars(with = "String")]
    pub turn: TurnId,
    /// The place in the moves, such as `objections[1].target`; empty for the whole reply.
    #[serde(rename = "move")]
    pub at: String,
    /// The file, if the reply is in one.
    pub path: Option<String>,
    /// Line, column and length in that file, 1-based, in characters.
    pub span: Option<[u32; 3]>,
    /// What is wrong.
    pub message: String,
    /// How to fix it.
    pub hint: String,
}

/// Returns a place in the moves in plain words; empty for the whole reply.
///
/// ```
/// use agon_record::finding::describe_place;
/// assert_eq!(describe_place("arguments[2].grounds[0]"), "argument 3, ground 1");
/// assert_eq!(describe_place("position_now"), "position now");
/// assert_eq!(describe_place(""), "");
/// ```
pub fn describe_place(at: &str) -> String {
    let is_path = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "_[].".contains(c);
    if !at.chars().all(is_path) {
        return at.to_owned();
    }
    let parts = at.split('.').filter(|part| !part.is_empty());
    let parts: Vec<_> = parts.map(describe_place_part).collect();
    parts.join(", ")
}

/// One part of a place in the moves, such as `grounds[0]`.
fn describe_place_part(part: &str) -> String {
    let (name, number) = match part.split_once('[') {
        Some((name, rest)) => (name, rest.trim_end_matches(']').parse::<usize>().ok()),
        None => (part, None),
    };
    let Some(number) = number.map(|number| number.saturating_add(1)) else {
        return name.replace('_', " ");
    };
    let one = match name {
        // No name: the reply of a formal turn is a single argument.
        "" => "argument",
        "responses" => "answer",
        "none_found" => "nothing found",
        "because" => "reason",
        "open" => "open question",
        "assumed_by_both" => "assumption",
        "decisive" | "evidence" => "id",
        "looked_at" => "place looked at",
        name => name.strip_suffix('s').unwrap_or(name),
    };
    format!("{} {number}", one.replace('_', " "))
}
