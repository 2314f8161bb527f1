//! What is found, and by what it is shown.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::prose::Quotes;
use crate::{Entry, Location, RawText};

/// A way in which a context goes bad.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pattern {
    /// The context holds more tokens than the model was measured or is held to bear.
    Tokens,
    /// Something false entered and is built upon.
    Poisoning,
    /// What stands only in the middle third is asked for again or broken.
    LostInTheMiddle,
    /// Two statements exclude each other.
    Clash,
    /// Calls, paths or words of another task than the one asked for.
    Confusion,
    /// Much was loaded that nothing later refers to.
    Distraction,
}

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Work suffers, or may.
    Amber,
    /// What comes out of this context is not to be relied on.
    Red,
}

/// What to do about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cure {
    /// Write into a file what must last.
    Write,
    /// Load again only what the next step needs.
    Select,
    /// Make the context smaller, with what must stay word for word.
    Compress,
    /// Go on in a new session with a hand-over.
    Isolate,
}

/// What a place shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EvidenceRole {
    /// Where it began: the rule, the failure, the first statement, the task that was asked for.
    Cause,
    /// What shows that it went wrong: the breach, what was built, the second statement.
    Effect,
}

/// A place that shows it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PatternEvidence {
    /// What it shows.
    pub role: EvidenceRole,
    /// The entry's index.
    pub entry: u64,
    /// Where it stands in the record.
    pub location: Location,
    /// The turn.
    pub turn: u32,
    /// When it was, where that is recorded.
    pub time: Option<Timestamp>,
    /// The words, redacted, in one line of at most [`PatternEvidence::MAX_WORDS`] characters.
    pub words: String,
}

impl PatternEvidence {
    /// Characters of the words.
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

    /// PatternEvidence in words that stand in no text of their own, such as arguments.
    pub(super) fn from_words(
        role: EvidenceRole,
        entry: &Entry,
        words: &str,
        quotes: &mut Quotes,
    ) -> Self {
        let words = quotes.loose(words, Self::MAX_WORDS);
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

/// Something that went wrong, or may have.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PatternFinding {
    /// What it is.
    pub pattern: Pattern,
    /// How bad it is.
    pub severity: Severity,
    /// How sure the rule is, from 0 to 1.
    pub confidence: f64,
    /// What to do.
    pub cure: Cure,
    /// What happened, in a sentence of Agon's own without words of the session.
    pub reason: String,
    /// Places that show it, causes first.
    pub evidence: Vec<PatternEvidence>,
    /// Whether the model still has it: `false` where a compaction came after it.
    pub is_current: bool,
}

impl PatternFinding {
    /// The first place of this role.
    pub fn first(&self, role: EvidenceRole) -> Option<&PatternEvidence> {
        self.evidence.iter().find(|it| it.role == role)
    }

    /// The entries by which it is told from another finding.
    pub(super) fn ends(&self) -> (Pattern, Option<u64>, Option<u64>) {
        let entry = |role| self.first(role).map(|it| it.entry);
        (
            self.pattern,
            entry(EvidenceRole::Cause),
            entry(EvidenceRole::Effect),
        )
    }
}
