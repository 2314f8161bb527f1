//! How far a verdict was tested.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How far a verdict was tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Authority {
    /// Every planned turn of both seats was admitted, and a judge ruled.
    Full,
    /// As `Full`, but the judge ruled differently when the sides were swapped, or a debater's own
    /// tool judged because no planned judge replied.
    Unstable,
    /// As `Full`, but by the built-in model, which is too small to settle a question.
    BuiltInModel,
    /// A judge ruled, but a planned turn is missing.
    Partial,
    /// No side argued against the answer, or no judge ruled on it.
    Uncontested,
}

impl Authority {
    /// Returns the name used in files and messages.
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
