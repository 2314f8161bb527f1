//! Severity of a finding.

use schemars::JsonSchema;
use serde::Serialize;

/// Severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum LintLevel {
    /// A host drops the file, rejects it or misreads it.
    Error,
    /// Every host accepts it, but the specification or a reader does not.
    Warning,
}

impl LintLevel {
    /// Returns its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
        }
    }
}
