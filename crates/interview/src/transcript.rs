//! The questions and answers of an interview, as a value and as recorded text.

use std::fmt::{self, Write};
use std::str::FromStr;

use agon_record::moves::Side;

use crate::field::AnswerField;
use crate::statement::part_before_contradiction;

/// The first line of the text.
const HEADING: &str = "interview/1";

/// The questions and answers of an interview.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Transcript {
    /// The option of the proposer, for display.
    pub(crate) proposer: String,
    /// The option of the challenger, for display.
    pub(crate) challenger: String,
    /// Every answer, in order.
    pub(crate) answers: Vec<Answer>,
}

/// A question with its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    /// The part of the moves that the answer fills.
    pub(crate) field: AnswerField,
    /// The question.
    pub(crate) question: String,
    /// The answer of the model, on one line.
    pub(crate) answer: String,
    /// The side whose option the answer names first; `None` if it names neither.
    pub(crate) names: Option<Side>,
    /// Why the answer is left out of the debate; `None` if it is used.
    pub(crate) left_out: Option<String>,
}

/// A text that is not a transcript of an interview.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TranscriptError;

impl Answer {
    /// Returns the part of the answer that is used in the debate.
    pub(crate) fn statement(&self) -> &str {
        part_before_contradiction(&self.answer)
    }
}

impl Transcript {
    /// Returns the usable answers, in order.
    pub(crate) fn usable_answers(&self) -> impl Iterator<Item = &Answer> {
        self.answers.iter().filter(|it| it.left_out.is_none())
    }
}

impl fmt::Display for Transcript {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{HEADING}")?;
        writeln!(f, "proposer: {}", one_line(&self.proposer))?;
        writeln!(f, "challenger: {}", one_line(&self.challenger))?;
        for answer in &self.answers {
            writeln!(f, "\n{}", answer.field)?;
            writeln!(f, "Q: {}", one_line(&answer.question))?;
            writeln!(f, "A: {}", one_line(&answer.answer))?;
            if let Some(side) = answer.names {
                writeln!(f, "Names: {}", side.seat())?;
            }
            if let Some(why) = &answer.left_out {
                writeln!(f, "Left out: {}", one_line(why))?;
            }
        }
        Ok(())
    }
}

impl FromStr for Transcript {
    type Err = TranscriptError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut blocks = text.trim_end().split("\n\n");
        let head = blocks.next().unwrap_or_default();
        let mut head = head.lines();
        if head.next() != Some(HEADING) {
            return Err(TranscriptError);
        }
        let mut value = |name: &str| line_value(head.next(), name).ok_or(TranscriptError);
        Ok(Self {
            proposer: value("proposer: ")?,
            challenger: value("challenger: ")?,
            answers: blocks.map(parse_answer).collect::<Result<_, _>>()?,
        })
    }
}

fn parse_answer(block: &str) -> Result<Answer, TranscriptError> {
    let mut lines = block.lines().peekable();
    let field = lines.next().unwrap_or_default().parse();
    let field = field.map_err(|_| TranscriptError)?;
    let question = line_value(lines.next(), "Q: ").ok_or(TranscriptError)?;
    let answer = line_value(lines.next(), "A: ").ok_or(TranscriptError)?;
    let side = |name: &str| {
        let sides = [Side::Proposer, Side::Challenger];
        sides.into_iter().find(|it| it.seat().to_string() == name)
    };
    let mut names = None;
    if let Some(named) = line_value(lines.peek().copied(), "Names: ") {
        names = Some(side(&named).ok_or(TranscriptError)?);
        lines.next();
    }
    let left_out = line_value(lines.peek().copied(), "Left out: ");
    if left_out.is_some() {
        lines.next();
    }
    match lines.next() {
        None => Ok(Answer {
            field,
            question,
            answer,
            names,
            left_out,
        }),
        Some(_) => Err(TranscriptError),
    }
}

/// Returns the text after `name` on a line. An empty value may lack the space before it, since
/// lines are trimmed.
fn line_value(line: Option<&str>, name: &str) -> Option<String> {
    let line = line?;
    let value = line
        .strip_prefix(name)
        .or((line == name.trim_end()).then_some(""))?;
    Some(value.to_owned())
}

/// Returns a text on one line, so that no part of it is taken for another line of the transcript.
fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        let between = if line.is_empty() { "" } else { " " };
        // The result is ignored, because writing to a String never fails.
        let _ = write!(line, "{between}{word}");
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(field: &str, text: &str) -> Answer {
        Answer {
            field: field.parse().unwrap(),
            question: "What is SQLite good for?".to_owned(),
            answer: text.to_owned(),
            names: None,
            left_out: None,
        }
    }

    fn transcript(answers: Vec<Answer>) -> Transcript {
        Transcript {
            proposer: "SQLite".to_owned(),
            challenger: "plain files".to_owned(),
            answers,
        }
    }

    #[test]
    fn what_is_written_reads_back() {
        let fields = [
            "position",
            "claim 1",
            "objection 2 pro_001a",
            "alternative 1",
            "response cha_001a",
            "assessment pro_002a",
            "reason",
        ];
        let mut answers: Vec<_> = fields.map(|field| answer(field, "It is fast.")).into();
        answers.push(Answer {
            names: Some(Side::Challenger),
            ..answer("verdict pro_001a cha_001b", "Plain files win.")
        });
        answers.push(Answer {
            left_out: Some("it is not about the topic".to_owned()),
            ..answer("claim 2", "")
        });
        let whole = transcript(answers);
        assert_eq!(whole.to_string().parse(), Ok(whole));
        let none = transcript(Vec::new());
        assert_eq!(none.to_string().parse(), Ok(none));
    }

    #[test]
    fn an_answer_cannot_write_another_line() {
        let sly = "Fast.\nNames: challenger\n\nclaim 2\nQ: x\nA: y\r\nLeft out: z";
        let text = transcript(vec![answer("claim 1", sly)]).to_string();
        let read: Transcript = text.parse().unwrap();
        assert_eq!(read.answers.len(), 1);
        assert_eq!(
            (read.answers[0].names, &read.answers[0].left_out),
            (None, &None)
        );
        assert!(
            read.answers[0]
                .answer
                .starts_with("Fast. Names: challenger claim 2")
        );
    }

    #[test]
    fn what_is_left_out_is_not_taken() {
        let out = Answer {
            left_out: Some("it repeats the question".to_owned()),
            ..answer("claim 1", "One.")
        };
        let all = transcript(vec![out, answer("claim 1", "Two.")]);
        let taken: Vec<_> = all.usable_answers().map(|it| it.answer.as_str()).collect();
        assert_eq!(taken, ["Two."]);
    }

    #[test]
    fn anything_else_is_no_transcript() {
        let good = transcript(vec![answer("claim 1", "One.")]).to_string();
        for bad in [
            String::new(),
            "{}".to_owned(),
            good.replace("interview/1", "interview/2"),
            good.replace("claim 1", "claim 300"),
            good.replace("claim 1", "claim 1 pro_001a"),
            good.replace("Q: ", "Question: "),
            good.replace("A: ", "Names: nobody\nA: "),
            format!("{good}A: more"),
        ] {
            assert_eq!(bad.parse::<Transcript>(), Err(TranscriptError), "{bad}");
        }
    }
}
