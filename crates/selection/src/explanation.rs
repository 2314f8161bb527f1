//! Why a document has its score.

use crate::document::SkillField;
use crate::score::Score;

/// Why a document has its score: what all [`ScorePart`]s add up to is the total.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// The score.
    pub score: Score,
    /// What adds up to it.
    pub parts: Vec<ScorePart>,
    /// Words of the request that the document does not have.
    pub unknown: Vec<String>,
}

/// A part of a score.
#[derive(Clone, Debug, PartialEq)]
pub struct ScorePart {
    /// What it comes from.
    pub sign: Sign,
    /// How much it adds; what takes away is below 0.
    pub value: f64,
}

/// What a part of a score comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sign {
    /// A word of the request, as its stem, that stands in a field.
    Word(String, SkillField),
    /// That the request is about more than the document knows.
    Coverage,
    /// A phrase that calls for it, as the document writes it.
    Phrase(String),
    /// Its name.
    Name,
    /// Example requests of it that are like the request.
    Examples,
    /// A phrase that calls against it.
    CounterPhrase(String),
    /// The request begins with the verb of an errand.
    Errand,
}
