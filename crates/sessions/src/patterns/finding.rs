//! Findings and their evidence.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::prose::Quotes;
use crate::{Entry, Location, RawText};

/// A failure pattern of a context.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pattern {
    /// The context has more tokens than the model handles well.
    Tokens,
    /// Something false entered the context, and later work builds on it.
    Poisoning,
    /// A rule or fact in the middle of the context is forgotten.
    LostInTheMiddle,
    /// Two statements contradict each other.
    Clash,
    /// The model works on a task that the user did not ask for.
    Confusion,
    /// Large loaded texts are never used.
    Distraction,
}

/// The severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// The work suffers or may suffer.
    Amber,
    /// The results from this context are unreliable.
    Red,
}

/// A cure for a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cure {
    /// Write lasting rules into a file.
    Write,
    /// Load only what the next step needs.
    Select,
    /// Compact the context, and keep rules and decisions word for word.
    Compress,
    /// Continue in a new session with a hand-over.
    Isolate,
}

/// The role of a piece of evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EvidenceRole {
    /// The rule, the failure, the first statement or the request.
    Cause,
    /// The breach, the false claim or the second statement.
    Effect,
}

/// A piece of evidence.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PatternEvidence {
    /// Its role.
    pub role: EvidenceRole,
    /// The entry's index.
    pub entry: u64,
    /// Its place in the record.
    pub location: Location,
    /// The turn.
    pub turn: u32,
    /// Its time, if recorded.
    pub time: Option<Timestamp>,
    /// The words, redacted, on one line of at most [`PatternEvidence::MAX_WORDS`] characters.
    pub words: String,
}

impl PatternEvidence {
    /// Maximum number of characters of the words.
    pub const MAX_WORDS: usize = 240;

    pub(super) fn from_text(
        role: EvidenceRole,
        entry: &Entry,
        text: &RawText,
        words: &str,
        quotes: &mut Quotes,
    ) -> Self {
        let words = quotes.excerpt(text, words, Self::MAX_WORDS);
        Self::new(role, entry, words)
    }

    /// Creates evidence from words that are not an entry's text, such as arguments.
    pub(super) fn from_words(
        role: EvidenceRole,
        entry: &Entry,
        words: &str,
        quotes: &mut Quotes,
    ) -> Self {
        let words = quotes.quote_argument(words, Self::MAX_WORDS);
        Self::new(role, entry, words)
    }

    fn new(role: EvidenceRole, entry: &Entry, words: String) -> Self {
        Self {
            role,
            entry: entry.index,
            location: entry.location.clone(),
            turn: entry.turn,
            time: entry.time,
            words,
        }
    }
}

/// A problem, or a likely one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PatternFinding {
    /// Its pattern.
    pub pattern: Pattern,
    /// Its severity.
    pub severity: Severity,
    /// The rule's confidence, from 0 to 1.
    pub confidence: f64,
    /// Its cure.
    pub cure: Cure,
    /// A sentence of Agon's about what happened, without words of the session.
    pub reason: String,
    /// Its evidence, causes first.
    pub evidence: Vec<PatternEvidence>,
    /// Whether it is still in the model's context; `false` after a compaction.
    pub is_current: bool,
}

impl PatternFinding {
    /// Returns the first piece of evidence with this role.
    pub fn first(&self, role: EvidenceRole) -> Option<&PatternEvidence> {
        self.evidence.iter().find(|it| it.role == role)
    }

    /// Returns the entries that identify the finding.
    pub(super) fn ends(&self) -> (Pattern, Option<u64>, Option<u64>) {
        let entry = |role| self.first(role).map(|it| it.entry);
        (
            self.pattern,
            entry(EvidenceRole::Cause),
            entry(EvidenceRole::Effect),
        )
    }
}
