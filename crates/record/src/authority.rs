//! How much of the planned debate stands behind an answer.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How much of the planned debate stands behind an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Authority {
    /// Every planned turn of both seats was admitted, and a judge ruled.
    Full,
    /// So it was, but the ruling turned when the sides were swapped, or it is that of a debater's
    /// own tool in place of the planned judges, which were lost.
    Unstable,
    /// So it was, but by the built-in model, which is too small to settle a question.
    BuiltInModel,
    /// A judge ruled, but a planned turn is missing.
    Partial,
    /// Nobody argued against the answer, or no judge ruled on it.
    Uncontested,
}

impl Authority {
    /// The name used in files and messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Unstable => "unstable",
            Self::BuiltInModel => "built_in_model",
            Self::Partial => "partial",
            Self::Uncontested => "uncontested",
        }
    }
}
