//! What became of a verdict: whether its answer was taken, and why.
//!
//! The record keeps every decision, so that a later one does not hide an earlier one.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ulid::Ulid;

use crate::text::plain_word;

// A reason, not an essay: a page of 2,000 characters in any script.
/// Maximum size of a reason, in bytes.
pub const MAX_WHY_BYTES: usize = 8 * 1024;
// A person changes their mind a few times; a program in a loop must not fill the record.
/// Maximum number of decisions on one debate.
pub const MAX_DECISIONS: usize = 100;

/// Whether the answer of a verdict was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DecisionKind {
    /// The answer was taken.
    Taken,
    /// Parts of the answer were taken.
    Partly,
    /// The answer was not taken.
    NotTaken,
}

impl DecisionKind {
    /// Returns the words for people.
    pub fn words(self) -> &'static str {
        match self {
            Self::Taken => "taken",
            Self::Partly => "partly taken",
            Self::NotTaken => "not taken",
        }
    }
}

impl fmt::Display for DecisionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.words())
    }
}

/// A decision about a verdict, after redaction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decision {
    /// Whether the answer was taken.
    pub taken: DecisionKind,
    /// The reason.
    pub why: String,
    /// The AI tool that recorded it; `None` if the user did.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "optional_plain_word"
    )]
    pub by: Option<String>,
    /// When it was recorded (RFC 3339, UTC).
    pub at: String,
    /// How many secrets were redacted.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub redacted: u32,
}

/// A decision in the record of a debate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decided {
    /// The request it came from.
    pub item: Ulid,
    /// The decision.
    #[serde(flatten)]
    pub decision: Decision,
}

/// A decision about a verdict, in documents for programs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DecisionDoc {
    /// Whether the answer was taken: `taken`, `partly` or `not_taken`.
    pub taken: DecisionKind,
    /// The reason.
    pub why: String,
    /// The AI tool that recorded it; null if the user did.
    pub by: Option<String>,
    /// When it was recorded (RFC 3339).
    pub at: String,
}

impl From<&Decision> for DecisionDoc {
    fn from(decision: &Decision) -> Self {
        Self {
            taken: decision.taken,
            why: decision.why.clone(),
            by: decision.by.clone(),
            at: decision.at.clone(),
        }
    }
}

impl DecisionDoc {
    /// Returns the decision on one line, such as `not taken (2026-11-29, claude): too slow`.
    pub fn in_words(&self) -> String {
        let day: String = self.at.chars().take(10).collect();
        let by = self.by.as_deref().map(|by| format!(", {by}"));
        let (taken, by) = (self.taken, by.unwrap_or_default());
        format!("{taken} ({day}{by}): {}", self.why)
    }
}

fn is_zero(count: &u32) -> bool {
    *count == 0
}

fn optional_plain_word<'de, D>(deserializer: D) -> Result<Option<String>, D::Error>
where
    D: serde::Deserializer<'de>,
{
    plain_word(deserializer).map(Some)
}
