//! How far the strengths of a graph can be relied on.

use agon_argue::Status;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How far strengths can be relied on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum GraphStatus {
    /// The graph has no cycle.
    Exact,
    /// It has, and all settled.
    Converged,
    /// A cycle never settles.
    Oscillating,
    /// A cycle had not settled when the steps were used up.
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
    /// Whether the strengths are those that the semantics defines.
    pub fn is_settled(self) -> bool {
        match self {
            Self::Exact | Self::Converged => true,
            Self::Oscillating | Self::Limit => false,
        }
    }

    /// The name used in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Converged => "converged",
            Self::Oscillating => "oscillating",
            Self::Limit => "limit",
        }
    }
}
