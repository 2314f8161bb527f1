//! Explanation of a score.

use crate::document::SkillField;
use crate::score::Score;

/// Explanation of a document's score. The values of all [`ScorePart`]s add up to the total.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// The score.
    pub score: Score,
    /// The parts of the score that are not zero.
    pub parts: Vec<ScorePart>,
    /// Words of the request that the document does not have, as English stems.
    pub unknown: Vec<String>,
}

/// A part of a score.
#[derive(Clone, Debug, PartialEq)]
pub struct ScorePart {
    /// The sign that raises or lowers the score.
    pub sign: Sign,
    /// Its points; negative if it lowers the score.
    pub value: f64,
}

/// A reason for or against a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sign {
    /// A word of the request in a field of the document, as an English stem.
    Word(String, SkillField),
    /// The request has words that the document does not have.
    Coverage,
    /// A phrase that calls for it, as the document writes it.
    Phrase(String),
    /// Its name is in the request.
    Name,
    /// The request is like example requests of the document, or like requests that do not call for
    /// a skill.
    Examples,
    /// A phrase that speaks against it.
    CounterPhrase(String),
    /// The request begins with the verb of an errand.
    Errand,
}
