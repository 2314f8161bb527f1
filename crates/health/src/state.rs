//! The state of a context.

use schemars::JsonSchema;
use serde::Serialize;

/// The state of a context.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ContextState {
    /// Unknown, because no model call has been counted since the start or the last compaction.
    Unknown,
    /// Healthy.
    Green,
    /// Getting worse.
    Amber,
    /// Unreliable.
    Red,
}

impl ContextState {
    /// Returns the state of a context with `fill` tokens.
    pub(crate) fn from_fill(fill: u64, onset: u64, severe: u64) -> Self {
        if fill >= severe {
            Self::Red
        } else if fill >= onset {
            Self::Amber
        } else {
            Self::Green
        }
    }

    /// Returns its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Unknown => "unknown",
            Self::Green => "green",
            Self::Amber => "amber",
            Self::Red => "red",
        }
    }
}
