//! Recorded context problems of a seat.

use serde::{Deserialize, Serialize};

use crate::id::AskKey;

/// A problem found in the context of a seat.
///
/// It is recorded rather than computed again: the rules change between versions, but the result of
/// a debate must not.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SeatFinding {
    /// The ask whose reply shows it.
    pub ask: AskKey,
    /// The kind of problem.
    pub pattern: SeatPattern,
    /// A description in Agon's words, as a fragment that quotes nothing from the session.
    pub reason: String,
}

/// Kinds of context problems, except length, which is recorded with each call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SeatPattern {
    /// The model built on something false.
    Poisoning,
    /// Something the user said was overlooked.
    LostInTheMiddle,
    /// Two sources contradict each other.
    Clash,
    /// The model worked on another task.
    Confusion,
    /// A lot of content that nothing refers to.
    Distraction,
    /// A pattern that only a later version knows.
    #[serde(other)]
    Unknown,
}

impl SeatPattern {
    /// Its name in plain words.
    pub fn name(self) -> &'static str {
        match self {
            Self::Poisoning => "poisoning",
            Self::LostInTheMiddle => "lost in the middle",
            Self::Clash => "clash",
            Self::Confusion => "confusion",
            Self::Distraction => "distraction",
            Self::Unknown => "a pattern that only a later version knows",
        }
    }
}
