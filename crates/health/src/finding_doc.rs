//! The part of the document about the rules' findings.

use schemars::JsonSchema;
use serde::Serialize;

use super::state::ContextState;

/// Findings of the rules.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SessionFindingsDoc {
    /// Number of findings, at most 12 per pattern.
    pub count: usize,
    /// Number of findings still in the model's context.
    pub current: usize,
    /// The worst findings, at most 10.
    pub shown: Vec<SessionFindingDoc>,
    /// Bytes of text loaded since the last compaction, with a chance to be used.
    pub loaded: u64,
    /// Bytes of it that nothing later refers to. This is a figure, not a finding.
    pub unused: u64,
    /// Number of entries checked: those in the last 50 MB.
    pub entries: usize,
    /// Number of earlier entries, which were not checked.
    pub dropped: u64,
}

/// A problem, or a likely one.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SessionFindingDoc {
    /// `tokens`, `poisoning`, `lost_in_the_middle`, `clash`, `confusion` or `distraction`.
    pub pattern: &'static str,
    /// Its severity: `amber` or `red`.
    pub severity: ContextState,
    /// The rule's confidence, from 0 to 1.
    pub confidence: f64,
    /// Whether it is still in the model's context.
    pub is_current: bool,
    /// Its cure: `write`, `select`, `compress` or `isolate`.
    pub cure: &'static str,
    /// What happened, in a sentence.
    pub reason: String,
    /// Its turn.
    pub turn: Option<u32>,
    /// Its line or row in the record.
    pub place: Option<String>,
    /// The words that show it, without secrets.
    pub words: String,
    /// The cause, if elsewhere in the record.
    pub cause: Option<SessionEvidenceDoc>,
    /// Number of further places.
    pub more_places: usize,
}

/// A quoted place in the record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SessionEvidenceDoc {
    /// The turn.
    pub turn: u32,
    /// Its line or row.
    pub place: String,
    /// The words, without secrets.
    pub words: String,
}
