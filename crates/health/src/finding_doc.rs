//! What was found in a session, as the document has it.

use schemars::JsonSchema;
use serde::Serialize;

use super::state::ContextState;

/// Ways in which the context went bad.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SessionFindingsDoc {
    /// How many there are; of one pattern at most 12 are counted.
    pub count: usize,
    /// Those of them that the model still has: nothing was compacted since.
    pub current: usize,
    /// The worst of them, at most 10.
    pub shown: Vec<SessionFindingDoc>,
    /// Bytes of text that were loaded since the last compaction and could have been used since.
    pub loaded: u64,
    /// Bytes of it that nothing later refers to: a figure, and no finding.
    pub unused: u64,
    /// Things of the record that were looked at: the last 50 MB.
    pub entries: usize,
    /// Things before those, which were not looked at.
    pub dropped: u64,
}

/// Something that went wrong, or may have.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SessionFindingDoc {
    /// `tokens`, `poisoning`, `lost_in_the_middle`, `clash`, `confusion` or `distraction`.
    pub pattern: &'static str,
    /// How bad it is: `amber` or `red`.
    pub severity: ContextState,
    /// How sure the rule is, from 0 to 1.
    pub confidence: f64,
    /// Whether the model still has it: nothing was compacted since.
    pub is_current: bool,
    /// What to do: `write`, `select`, `compress` or `isolate`.
    pub cure: &'static str,
    /// What happened, in a sentence.
    pub reason: String,
    /// The turn in which it shows.
    pub turn: Option<u32>,
    /// Where it shows in the record: a line, or a row.
    pub place: Option<String>,
    /// The words that show it, without secrets.
    pub words: String,
    /// Where it began, if that is elsewhere.
    pub cause: Option<SessionEvidenceDoc>,
    /// Further places that show it, which are not given.
    pub more_places: usize,
}

/// A place of a record, with its words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SessionEvidenceDoc {
    /// The turn.
    pub turn: u32,
    /// A line, or a row.
    pub place: String,
    /// The words, without secrets.
    pub words: String,
}
