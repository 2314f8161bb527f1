//! Problems in a form.

/// Something in a form that is invalid or missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The line, from 1.
    pub line: u32,
    /// What is wrong.
    pub message: String,
    /// How to fix it.
    pub hint: String,
}

impl Problem {
    /// Creates a problem in a line.
    pub fn in_line(line: u32, message: &str, hint: &str) -> Self {
        Self {
            line,
            message: message.to_owned(),
            hint: hint.to_owned(),
        }
    }
}
