//! The files of a formal debate, in a format shared with other tools.
//!
//! Each format is written and parsed in one module. Files of other tools keep their bytes: only
//! what changes is rewritten.

pub(crate) mod argument;
pub(crate) mod body;
pub(crate) mod debate;
pub(crate) mod front;
pub(crate) mod places;
pub(crate) mod scores;

use agon_record::event::Reply;
use agon_record::state::State;

/// A part of a file that cannot be parsed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FormalFault {
    /// The line, from 1; `None` if it concerns the whole file.
    pub(crate) line: Option<u32>,
    /// The problem.
    pub(crate) what: String,
    /// What to do about it.
    pub(crate) hint: String,
}

impl FormalFault {
    pub(crate) fn new(line: Option<u32>, what: impl AsRef<str>, hint: &str) -> Self {
        Self {
            line,
            what: agon_record::text::sanitise_line(what.as_ref(), 300),
            hint: hint.to_owned(),
        }
    }

    /// Returns a fault in JSON that begins after `before` in its file.
    pub(crate) fn from_json_error(before: &str, error: &serde_json::Error, hint: &str) -> Self {
        let line = front::line_number_at(before, before.len());
        let line = line.saturating_add(u32::try_from(error.line().max(1) - 1).unwrap_or(0));
        // Drop serde's position, which counts from the start of the object and not of the file.
        let what = error.to_string();
        let what = what.split(" at line ").next().unwrap_or_default();
        Self::new(Some(line), what, hint)
    }
}

/// Returns the text that another tool wrote at `path`; `Some(None)` if it is lost.
pub(crate) fn imported_text<'a>(state: &'a State, path: &str) -> Option<Option<&'a str>> {
    Some(match state.imported_files().get(path)? {
        Reply::Text(text) => Some(text),
        Reply::Blob { .. } => None,
    })
}
