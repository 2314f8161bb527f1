//! What could not be understood.

/// Something that cannot be understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The line, from 1.
    pub line: u32,
    /// Characters of that line that are meant.
    pub length: u32,
    /// What is wrong.
    pub message: String,
    /// What would be right.
    pub hint: String,
    /// Whether ids of points would be right; a caller that knows them adds them.
    pub ids: bool,
}

impl Problem {
    /// What is wrong in a line, and what would be right.
    pub fn at(line: u32, message: &str, hint: &str) -> Self {
        Self {
            line,
            length: 1,
            message: message.to_owned(),
            hint: hint.to_owned(),
            ids: false,
        }
    }
}
