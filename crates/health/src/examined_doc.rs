//! What a model found in a session, as the document has it.

use schemars::JsonSchema;
use serde::Serialize;

use super::state::ContextState;

/// What a model found in a session, as far as Agon verified it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ExaminedDoc {
    /// The tool that was asked.
    pub tool: String,
    /// Its model; none if the tool chose it.
    pub model: Option<String>,
    /// Parts in which the session was examined.
    pub parts: usize,
    /// Parts that were asked about this time.
    pub asked: usize,
    /// Parts whose answers were kept from before.
    pub from_before: usize,
    /// Parts of those asked about that have no answer.
    pub failed: usize,
    /// Tokens that this examination took.
    pub tokens: u64,
    /// Findings that the model proposed.
    pub proposed: usize,
    /// Those of them that Agon could not verify, by reason.
    pub dropped: Vec<DroppedFindingsDoc>,
    /// Findings that Agon verified.
    pub count: usize,
    /// These findings, at most 40, those that the model still has first.
    pub findings: Vec<ExaminedFindingDoc>,
}

/// Findings that were dropped for one reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct DroppedFindingsDoc {
    /// The reason in one word.
    pub reason: &'static str,
    /// The reason in a sentence.
    pub words: &'static str,
    /// How many were dropped for it.
    pub count: usize,
}

/// A finding of a model that Agon verified.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ExaminedFindingDoc {
    /// `poisoning`, `lost_in_the_middle`, `clash`, `confusion` or `distraction`.
    pub pattern: &'static str,
    /// How bad it is: `amber`.
    pub severity: ContextState,
    /// Whether the model still has it: nothing was compacted since.
    pub is_current: bool,
    /// What to do: `write`, `select` or `isolate`.
    pub cure: &'static str,
    /// What it is about.
    pub subject: String,
    /// Why it is one, in the examiner's words.
    pub why: String,
    /// The lines that show it, in the order of the session.
    pub evidence: Vec<ExaminedLineDoc>,
    /// What Agon verified, a sentence each.
    pub verified: Vec<&'static str>,
}

/// A line of a session, with its words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ExaminedLineDoc {
    /// What it shows: `failed`, `shown`, `claim`, `rule`, `act`, `one`, `other`, `request`, `load` or
    /// `answer`.
    pub role: &'static str,
    /// The turn.
    pub turn: u32,
    /// A line or a row of the record.
    pub place: String,
    /// The words, without secrets.
    pub words: String,
}
