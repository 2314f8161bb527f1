//! Whether the strengths of a graph settled.

use agon_argue::Status;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Whether the strengths of a graph settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum GraphStatus {
    /// The graph has no cycle.
    Exact,
    /// The graph has cycles, and all strengths settled.
    Converged,
    /// The strengths in a cycle oscillate forever.
    Oscillating,
    /// The strengths in a cycle did not settle within the allowed steps.
    Limit,
}

impl From<Status> for GraphStatus {
    fn from(status: Status) -> Self {
        match status {
            Status::Exact => Self::Exact,
            Status::Converged { .. } => Self::Converged,
            Status::Oscillating { .. } => Self::Oscillating,
            Status::Limit { .. } => Self::Limit,
        }
    }
}

impl GraphStatus {
    /// Returns whether the strengths settled.
    pub fn is_settled(self) -> bool {
        match self {
            Self::Exact | Self::Converged => true,
            Self::Oscillating | Self::Limit => false,
        }
    }

    /// Returns the name used in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Converged => "converged",
            Self::Oscillating => "oscillating",
            Self::Limit => "limit",
        }
    }
}
