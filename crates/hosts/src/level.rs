//! How bad it is where a file is not as a host reads it.

use schemars::JsonSchema;
use serde::Serialize;

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum LintLevel {
    /// A host drops the file, refuses it or reads it otherwise than it was meant.
    Error,
    /// Every host takes it; the specification or a reader does not.
    Warning,
}

impl LintLevel {
    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
        }
    }
}
