//! The part of the moves that an answer fills, as a value and as text in the transcript.

use std::fmt;
use std::str::FromStr;

use agon_record::id::NodeId;

/// A text that is not a valid field of a transcript.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FieldError;

/// The part of the moves that an answer fills.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum AnswerField {
    /// A position.
    Position,
    /// The claim of an argument, by its number.
    Claim(u8),
    /// An objection to a point, by its number.
    Objection(u8, NodeId),
    /// The claim of an argument for another answer, by its number.
    Alternative(u8),
    /// The answer to an objection.
    Response(NodeId),
    /// The ruling on a response.
    Assessment(NodeId),
    /// Which of two points decides; the proposer's first.
    Verdict(NodeId, NodeId),
    /// The reason for the verdict.
    Reason,
}

impl fmt::Display for AnswerField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Position => f.write_str("position"),
            Self::Claim(number) => write!(f, "claim {number}"),
            Self::Objection(number, target) => write!(f, "objection {number} {target}"),
            Self::Alternative(number) => write!(f, "alternative {number}"),
            Self::Response(objection) => write!(f, "response {objection}"),
            Self::Assessment(response) => write!(f, "assessment {response}"),
            Self::Verdict(one, other) => write!(f, "verdict {one} {other}"),
            Self::Reason => f.write_str("reason"),
        }
    }
}

impl FromStr for AnswerField {
    type Err = FieldError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let words: Vec<&str> = text.split(' ').collect();
        let number = |word: &str| word.parse::<u8>().map_err(|_| FieldError);
        let id = |word: &str| word.parse::<NodeId>().map_err(|_| FieldError);
        Ok(match words.as_slice() {
            ["position"] => Self::Position,
            ["claim", nth] => Self::Claim(number(nth)?),
            ["objection", nth, target] => Self::Objection(number(nth)?, id(target)?),
            ["alternative", nth] => Self::Alternative(number(nth)?),
            ["response", objection] => Self::Response(id(objection)?),
            ["assessment", response] => Self::Assessment(id(response)?),
            ["reason"] => Self::Reason,
            ["verdict", one, other] => Self::Verdict(id(one)?, id(other)?),
            _ => return Err(FieldError),
        })
    }
}
