//! How good a context is, in a word.

use schemars::JsonSchema;
use serde::Serialize;

/// How good a context is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ContextState {
    /// It cannot be said: no model call was counted, or none since the last compaction.
    Unknown,
    /// Nothing is wrong.
    Green,
    /// It gets worse.
    Amber,
    /// It is bad.
    Red,
}

impl ContextState {
    /// How good a context with so many tokens is.
    pub(crate) fn of_fill(fill: u64, onset: u64, severe: u64) -> Self {
        if fill >= severe {
            Self::Red
        } else if fill >= onset {
            Self::Amber
        } else {
            Self::Green
        }
    }

    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Unknown => "unknown",
            Self::Green => "green",
            Self::Amber => "amber",
            Self::Red => "red",
        }
    }
}
