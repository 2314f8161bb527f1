//! The part of the document about the next step.

use schemars::JsonSchema;
use serde::Serialize;

/// The next step with its content. Lists have at most 20 rows; `more` counts the others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct NextStepDoc {
    /// `write` lasting rules into a file, `select` what to load, `compress` the context, or `isolate`:
    /// continue in a new session with a hand-over.
    pub step: &'static str,
    /// The patterns that it remedies, worst first.
    pub patterns: Vec<&'static str>,
    /// For `write`, the lines, forgotten rules first. For `compress`, lines to keep word for word.
    /// For
    /// `isolate`, the user's requests and constraints, and decisions.
    pub lines: Vec<QuotedLineDoc>,
    /// For `isolate`, the open tasks.
    pub tasks: Vec<String>,
    /// For `select`, files to load. For `isolate`, cited files that still exist.
    pub load: Vec<SessionPlaceDoc>,
    /// For `select`, unused loaded texts, largest first.
    pub leave: Vec<String>,
    /// For `compress`, turns that a summary can replace.
    pub spans: Vec<SummableTurnsDoc>,
    /// Number of further rows of these lists.
    pub more: usize,
}

/// A quotation from the session, without secrets, shortened if long.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct QuotedLineDoc {
    /// The words.
    pub words: String,
    /// Its turn.
    pub turn: u32,
    /// Its place in the record.
    pub place: String,
    /// Whether the user wrote it; otherwise the model or a summary.
    pub is_of_user: bool,
    /// The turn in which later words may have changed it.
    pub revised_in: Option<u32>,
}

/// A file of the project.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SessionPlaceDoc {
    /// Its path, relative to the project folder if inside it.
    pub path: String,
    /// The cited lines.
    pub lines: Vec<u64>,
    /// Whether the session changed it.
    pub is_changed: bool,
}

/// A range of turns that a summary can replace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SummableTurnsDoc {
    /// The first turn.
    pub first: u32,
    /// The last turn.
    pub last: u32,
    /// Bytes of text in these turns.
    pub bytes: u64,
}
