//! A broken rule, and how bad that is.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::id::TurnId;

/// How much a finding matters.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Recorded.
    Warning,
    /// Asked again once, then admitted with the finding shown.
    Error,
    /// Nothing usable: asked again once, then the turn is lost.
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

/// A broken rule: which, where, and what to do about it.
///
/// `path` and `span` are null for a reply that is not yet written to a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Finding {
    /// The rule, such as `attack-target`.
    pub code: String,
    /// How much it matters.
    pub severity: Severity,
    /// The turn in which it was broken.
    #[schemars(with = "String")]
    pub turn: TurnId,
    /// The place in the moves, such as `objections[1].target`; empty for the whole reply.
    #[serde(rename = "move")]
    pub at: String,
    /// The file, when it is written.
    pub path: Option<String>,
    /// Line, column and length there, 1-based, in characters.
    pub span: Option<[u32; 3]>,
    /// What is wrong.
    pub message: String,
    /// What would be right.
    pub hint: String,
}
