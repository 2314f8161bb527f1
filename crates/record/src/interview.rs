//! An interview: a seat whose model is too small for a whole turn is asked one short question at a
//! time.
//!
//! The [`Interview`] says what is asked; the [`Transcript`] what was asked and answered. The
//! transcript, as text, is the reply that the record keeps, and moves are read from it: every
//! sentence in them is an answer of the model, up to where it takes back what it says
//! ([`upheld_part`]).

use std::fmt;
use std::str::FromStr;

use crate::id::NodeId;
use crate::moves::Side;
use crate::options::Options;

mod computing;
mod said;
mod transcript;

pub use computing::{
    has_tangible_word, has_word_of_computing, is_about_computing, is_name_in_computing,
};
pub use said::{takes_back, upheld_part};
pub use transcript::{InterviewAnswer, Transcript, TranscriptError};

/// The claim of a side without a usable answer.
pub const NO_USABLE_REASON: &str = "The model gave no usable reason.";

/// What a seat is asked, and what its answers are held to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interview {
    /// What the two sides stand for.
    pub options: Options,
    /// What is debated.
    pub topic: String,
    /// Questions with their answers that are told before each question, as an example.
    pub examples: &'static [[&'static str; 2]],
    /// The questions, in order.
    pub questions: Vec<InterviewQuestion>,
    /// What was said in the debate before: an answer that says it again is left out.
    pub said_before: Vec<String>,
    /// How often the seat was asked all this before: each time with other seeds.
    pub again: u8,
}

/// A short question in plain words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InterviewQuestion {
    /// What the answer becomes. A question whose field has an answer already is not asked.
    pub field: AnswerField,
    /// The words, with one of `fills` in place of each `{}`.
    pub words: &'static str,
    /// What stands in the words.
    pub fills: Vec<String>,
    /// The side whose option the answer speaks of, before it speaks of the other; none where it may
    /// name either.
    pub about: Option<Side>,
    /// Whether the answer speaks well or badly of what the question is about; none where it may do
    /// either.
    pub tone: Option<Tone>,
    /// The words between which the answer chooses: what the proposer stands for, then what the
    /// challenger stands for; none where it is a sentence.
    pub choices: Option<[String; 2]>,
    /// It is asked only where the verdict is for this side.
    pub after: Option<Side>,
}

/// Whether a sentence speaks well or badly of something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// It names an advantage.
    Good,
    /// It names a drawback.
    Bad,
}

impl Tone {
    /// The other one.
    pub fn opposite(self) -> Self {
        match self {
            Self::Good => Self::Bad,
            Self::Bad => Self::Good,
        }
    }
}

impl InterviewQuestion {
    /// The question as it is asked.
    pub fn text(&self) -> String {
        let mut fills = self.fills.iter();
        let mut text = String::new();
        for (nth, words) in self.words.split("{}").enumerate() {
            if nth > 0 {
                text.extend(fills.next().map(String::as_str));
            }
            text.push_str(words);
        }
        text
    }
}

/// What an answer becomes in the moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum AnswerField {
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
    /// Which of two points decides; that of the proposer first.
    Verdict(NodeId, NodeId),
    /// Why the verdict is for its side.
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
    type Err = TranscriptError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let words: Vec<&str> = text.split(' ').collect();
        let number = |word: &str| word.parse::<u8>().map_err(|_| TranscriptError);
        let id = |word: &str| word.parse::<NodeId>().map_err(|_| TranscriptError);
        Ok(match words.as_slice() {
            ["position"] => Self::Position,
            ["claim", nth] => Self::Claim(number(nth)?),
            ["objection", nth, target] => Self::Objection(number(nth)?, id(target)?),
            ["alternative", nth] => Self::Alternative(number(nth)?),
            ["response", objection] => Self::Response(id(objection)?),
            ["assessment", response] => Self::Assessment(id(response)?),
            ["reason"] => Self::Reason,
            ["verdict", one, other] => Self::Verdict(id(one)?, id(other)?),
            _ => return Err(TranscriptError),
        })
    }
}
