//! The parts of an interview: the questions of one turn, and what their answers are checked
//! against.

use agon_record::moves::Side;
use agon_record::options::Options;

use crate::field::AnswerField;

/// The questions of a seat in one turn, and what its answers are checked against.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interview {
    /// The options of the two sides.
    pub(crate) options: Options,
    /// The topic.
    pub(crate) topic: String,
    /// Example questions with answers that precede each question.
    pub(crate) examples: &'static [[&'static str; 2]],
    /// The questions, in order.
    pub(crate) questions: Vec<Question>,
    /// Earlier texts of the debate; an answer that repeats one of them is left out.
    pub(crate) said_before: Vec<String>,
    /// The number of earlier interviews in this turn; each interview uses different seeds.
    pub(crate) again: u8,
}

/// A short question in plain words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The part of the moves that the answer fills. A question is skipped if its part already has
    /// an answer.
    pub(crate) field: AnswerField,
    /// The text, with a `{}` for each of `fills`.
    pub words: &'static str,
    /// The texts to insert: an option of the topic, or a side's words.
    pub fills: Vec<String>,
    /// The side whose option the answer must name first; `None` if it may name either.
    pub(crate) about: Option<Side>,
    /// Whether the answer must praise or criticize its subject; `None` if it may do either.
    pub(crate) tone: Option<Tone>,
    /// The words of which the answer chooses one, the proposer's option first; `None` if the answer
    /// is a sentence.
    pub(crate) choices: Option<[String; 2]>,
    /// The question is asked only if the verdict is for this side.
    pub(crate) after: Option<Side>,
}

/// Whether a sentence praises or criticizes something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tone {
    /// It names an advantage.
    Good,
    /// It names a drawback.
    Bad,
}

impl Tone {
    /// Returns the opposite tone.
    pub(crate) fn opposite(self) -> Self {
        match self {
            Self::Good => Self::Bad,
            Self::Bad => Self::Good,
        }
    }
}

impl Interview {
    /// Returns the questions in order; they are asked until every part has an answer.
    pub fn questions(&self) -> &[Question] {
        &self.questions
    }
}

impl Question {
    /// Returns the question in the form in which the model is asked.
    pub(crate) fn text(&self) -> String {
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
