//! What could not be understood, or is missing.

/// Something that cannot be understood, or is missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The line, from 1.
    pub line: u32,
    /// What is wrong.
    pub message: String,
    /// What would be right.
    pub hint: String,
}

impl Problem {
    /// What is wrong in a line, and what would be right.
    pub fn at(line: u32, message: &str, hint: &str) -> Self {
        Self {
            line,
            message: message.to_owned(),
            hint: hint.to_owned(),
        }
    }
}
