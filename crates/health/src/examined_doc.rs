//! The part of the document about an examination.

use schemars::JsonSchema;
use serde::Serialize;

use super::state::ContextState;

/// An examination of a session by a model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ExaminedDoc {
    /// The tool.
    pub tool: String,
    /// Its model; null for the tool's default.
    pub model: Option<String>,
    /// Number of parts of the session.
    pub parts: usize,
    /// Number of parts asked about this time.
    pub asked: usize,
    /// Number of parts with an answer from before.
    pub from_before: usize,
    /// Number of parts without a usable answer.
    pub failed: usize,
    /// Tokens used by this examination.
    pub tokens: u64,
    /// Number of findings that the model proposed.
    pub proposed: usize,
    /// Proposed findings that Agon could not verify, by reason.
    pub dropped: Vec<DroppedFindingsDoc>,
    /// Number of verified findings.
    pub count: usize,
    /// The verified findings, at most 40, current ones first.
    pub findings: Vec<ExaminedFindingDoc>,
}

/// Findings that were dropped for one reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct DroppedFindingsDoc {
    /// The reason in one word.
    pub reason: &'static str,
    /// The reason in a sentence.
    pub words: &'static str,
    /// Number of findings dropped.
    pub count: usize,
}

/// A verified finding of a model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ExaminedFindingDoc {
    /// `poisoning`, `lost_in_the_middle`, `clash`, `confusion` or `distraction`.
    pub pattern: &'static str,
    /// Its severity: `amber`.
    pub severity: ContextState,
    /// Whether it is still in the model's context.
    pub is_current: bool,
    /// Its cure: `write`, `select` or `isolate`.
    pub cure: &'static str,
    /// Its subject.
    pub subject: String,
    /// The reason, in the examiner's words.
    pub why: String,
    /// Its evidence, in the order of the session.
    pub evidence: Vec<ExaminedLineDoc>,
    /// The checks it passed, one sentence each.
    pub verified: Vec<&'static str>,
}

/// A quoted line of a session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ExaminedLineDoc {
    /// Its role: `failed`, `shown`, `claim`, `rule`, `act`, `one`, `other`, `request`, `load` or
    /// `answer`.
    pub role: &'static str,
    /// The turn.
    pub turn: u32,
    /// Its line or row in the record.
    pub place: String,
    /// The quotation, without secrets.
    pub words: String,
}
