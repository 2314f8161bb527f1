//! Why a file is not a role.

/// Why a file is not a role.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {what}: {hint}")]
pub struct RoleError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong.
    pub what: String,
    /// How to fix it.
    pub hint: String,
}

impl RoleError {
    pub(super) fn new(line: usize, what: impl Into<String>, hint: impl Into<String>) -> Self {
        Self {
            line,
            what: what.into(),
            hint: hint.into(),
        }
    }
}
