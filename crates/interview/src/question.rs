//! What an interview is made of: the questions of one turn, and what their answers are checked
//! against.

use agon_record::moves::Side;
use agon_record::options::Options;

use crate::field::AnswerField;

/// What a seat is asked in one turn, and what its answers are checked against.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interview {
    /// What the two sides stand for.
    pub(crate) options: Options,
    /// What is debated.
    pub(crate) topic: String,
    /// Questions with their answers that are told before each question, as an example.
    pub(crate) examples: &'static [[&'static str; 2]],
    /// The questions, in order.
    pub(crate) questions: Vec<Question>,
    /// What was said in the debate before: an answer that says it again is left out.
    pub(crate) said_before: Vec<String>,
    /// How often the seat was asked all this before: each time with other seeds.
    pub(crate) again: u8,
}

/// A short question in plain words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// What the answer becomes. A question whose field has an answer already is not asked.
    pub(crate) field: AnswerField,
    /// The words, with one of `fills` in place of each `{}`.
    pub words: &'static str,
    /// The texts for these places: an option of the topic, or what a side said.
    pub fills: Vec<String>,
    /// The side whose option the answer speaks of, before it speaks of the other; none where it may
    /// name either.
    pub(crate) about: Option<Side>,
    /// Whether the answer speaks well or badly of what the question is about; none where it may do
    /// either.
    pub(crate) tone: Option<Tone>,
    /// The words between which the answer chooses: what the proposer stands for, then what the
    /// challenger stands for; none where it is a sentence.
    pub(crate) choices: Option<[String; 2]>,
    /// It is asked only where the verdict is for this side.
    pub(crate) after: Option<Side>,
}

/// Whether a sentence speaks well or badly of something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tone {
    /// It names an advantage.
    Good,
    /// It names a drawback.
    Bad,
}

impl Tone {
    /// The other one.
    pub(crate) fn opposite(self) -> Self {
        match self {
            Self::Good => Self::Bad,
            Self::Bad => Self::Good,
        }
    }
}

impl Interview {
    /// The questions, in order: as many of them are asked as it takes to answer each field once.
    pub fn questions(&self) -> &[Question] {
        &self.questions
    }
}

impl Question {
    /// The question as the model is asked it.
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
