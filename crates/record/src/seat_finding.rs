//! What went wrong in the context of a seat, as it is recorded.

use serde::{Deserialize, Serialize};

use crate::id::AskKey;

/// A way in which the context of a seat went bad.
///
/// It is recorded and not looked for again: the rules change from version to version, and what a
/// debate came to does not.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SeatFinding {
    /// The ask in whose reply it shows.
    pub ask: AskKey,
    /// Which way it is.
    pub pattern: SeatPattern,
    /// What happened, as a fragment of Agon's own without words of the session.
    pub reason: String,
}

/// Ways in which a context goes bad, but for its length, which is recorded with each call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SeatPattern {
    /// Something false is built upon.
    Poisoning,
    /// What the user said was lost.
    LostInTheMiddle,
    /// Two sources exclude each other.
    Clash,
    /// Work on another task.
    Confusion,
    /// Much that nothing refers to.
    Distraction,
    /// One that a later version knows.
    #[serde(other)]
    Unknown,
}

impl SeatPattern {
    /// The words for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Poisoning => "poisoning",
            Self::LostInTheMiddle => "lost in the middle",
            Self::Clash => "clash",
            Self::Confusion => "confusion",
            Self::Distraction => "distraction",
            Self::Unknown => "a pattern of a later version",
        }
    }
}
