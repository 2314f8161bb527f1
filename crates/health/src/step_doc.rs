//! The next step, as the document has it.

use schemars::JsonSchema;
use serde::Serialize;

/// What to do next, with what it needs. Lists have at most 20 rows; `more` counts the others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct NextStepDoc {
    /// `write` into a file what must last, `select` what to load again, `compress` the context, or
    /// `isolate`: go on in a new session with a hand-over.
    pub step: &'static str,
    /// The patterns for which it is the step, the worst first.
    pub patterns: Vec<&'static str>,
    /// Of `write`: the lines, what was lost first. Of `compress`: what must stay word for word. Of
    /// `isolate`: what the user asked, wants to be always so, and what was decided.
    pub lines: Vec<QuotedLineDoc>,
    /// Of `isolate`: what is to be done.
    pub tasks: Vec<String>,
    /// Of `select`: files that the next step needs. Of `isolate`: files that were cited and are there.
    pub load: Vec<SessionPlaceDoc>,
    /// Of `select`: what was loaded and nothing refers to, the largest first.
    pub leave: Vec<String>,
    /// Of `compress`: turns of which a summary is enough.
    pub spans: Vec<SummableTurnsDoc>,
    /// Rows of these lists that are not given.
    pub more: usize,
}

/// Words of the session, as they stand there but for secrets; shortened if they are long.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct QuotedLineDoc {
    /// The words.
    pub words: String,
    /// The turn in which they were said.
    pub turn: u32,
    /// Where they stand in the record.
    pub place: String,
    /// Whether the user said it; else the model or a summary did.
    pub is_of_user: bool,
    /// The turn in which later words may have changed it.
    pub revised_in: Option<u32>,
}

/// A file of the project.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SessionPlaceDoc {
    /// Its path, from the project's folder where it is in it.
    pub path: String,
    /// Its lines that were cited.
    pub lines: Vec<u64>,
    /// Whether the session changed it.
    pub is_changed: bool,
}

/// Turns in a row of which a summary is enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SummableTurnsDoc {
    /// The first.
    pub first: u32,
    /// The last.
    pub last: u32,
    /// Bytes of text in them.
    pub bytes: u64,
}
