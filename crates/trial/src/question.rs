//! The questions of a trial: JSON lines, each with a question and its right answer.

use std::collections::BTreeSet;

use agon_caller::{Code, Failure};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::arm::Arm;
use crate::value::{expression_value, number_in};

/// The schema of a question.
pub const QUESTION_SCHEMA: &str = "agon.trial_question/1";

// A debate's topic has at most 16 KiB; this leaves room for the options and what to answer.
/// Maximum length of a question with its options and passage, in bytes.
const MAX_BYTES: usize = 14 * 1024;
/// Maximum number of options, one for each letter.
pub const MAX_OPTIONS: usize = 26;
/// Maximum number of errors that are printed.
const MAX_ERRORS: usize = 20;

/// A question with its right answer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// The name of the question, unique in the file.
    pub id: String,
    /// The question.
    #[serde(alias = "question")]
    pub text: String,
    /// The options, 2 to 26; empty if `checker` grades the answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<String>,
    /// The right answer: the text of an option or its letter; otherwise what the checker expects.
    pub answer: String,
    /// How an answer without options is graded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checker: Option<Checker>,
    /// The passage that the question is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<String>,
    /// Whether only the arm `evidence` gets the passage.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hidden: bool,
    /// Whether the options keep their order, for example because one refers to another.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub fixed_order: bool,
    /// Whether the question is one of the fixed ones that show whether debates change between trials.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub anchor: bool,
    /// The canary of the data set, by which its publisher finds it in training data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub canary: Option<String>,
}

/// How an answer without options is graded.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Checker {
    /// The same text, apart from case, spaces and the punctuation around it.
    Text,
    /// A number, up to a tolerance.
    Number {
        /// The largest allowed difference.
        #[serde(default)]
        tolerance: f64,
    },
    /// An expression with `+ - * /` and brackets that has the value `answer` and uses exactly these
    /// numbers, each once.
    Expression {
        /// The numbers.
        numbers: Vec<i64>,
    },
}

impl Question {
    /// Returns the number of the right option; `None` without options.
    pub fn right_option(&self) -> Option<usize> {
        let same = |option: &String| option.trim() == self.answer.trim();
        let by_text = self.options.iter().position(same);
        by_text.or_else(|| letter_number(self.answer.trim()).filter(|&at| at < self.options.len()))
    }

    /// Returns the passage that the arms other than `evidence` get.
    pub fn open_context(&self) -> Option<&str> {
        self.context.as_deref().filter(|_| !self.hidden)
    }

    /// Returns the passage that debates of `arm` get as a source.
    ///
    /// The topic of a debate is one line, so a passage of several lines, such as code, is a source in
    /// every debate.
    pub fn source(&self, arm: Arm) -> Option<&str> {
        let passage = self.context.as_deref()?;
        let is_source = match arm {
            Arm::Evidence => true,
            _ => arm.is_debate() && !self.hidden && passage.trim().contains('\n'),
        };
        is_source.then_some(passage)
    }

    /// Returns whether `evidence` gets the passage in another way than `duel`.
    pub fn has_evidence(&self) -> bool {
        self.source(Arm::Evidence).is_some() && self.source(Arm::Duel).is_none()
    }

    /// Returns whether `arm` asks it.
    pub(crate) fn is_asked_by(&self, arm: Arm) -> bool {
        arm != Arm::Evidence || self.has_evidence()
    }

    pub(crate) fn check(&self) -> Result<(), String> {
        let options = self.options.iter().map(|option| option.trim());
        let different: BTreeSet<&str> = options.collect();
        let texts = self.options.iter().chain(&self.context).map(String::len);
        if self.id.trim().is_empty() {
            return Err("`id` is empty".to_owned());
        }
        if self.text.trim().is_empty() {
            return Err("`text` is empty".to_owned());
        }
        if self.text.len() + texts.sum::<usize>() > MAX_BYTES {
            return Err(format!("the question is longer than {MAX_BYTES} bytes"));
        }
        if !self.options.is_empty() {
            return if self.options.len() < 2 || self.options.len() > MAX_OPTIONS {
                Err(format!("a question has 2 to {MAX_OPTIONS} options"))
            } else if different.len() < self.options.len() || different.contains("") {
                Err("two options are equal, or one is empty".to_owned())
            } else if self.checker.is_some() {
                Err("a question has options or a checker, not both".to_owned())
            } else if self.right_option().is_none() {
                Err(format!("no option is `{}`", self.answer))
            } else {
                Ok(())
            };
        }
        match &self.checker {
            None => Err("a question needs `options` or a `checker`".to_owned()),
            Some(Checker::Text) if self.answer.trim().is_empty() => {
                Err("`answer` is empty".to_owned())
            }
            Some(Checker::Text) => Ok(()),
            Some(Checker::Number { tolerance }) if *tolerance < 0.0 => {
                Err("`tolerance` is negative".to_owned())
            }
            Some(Checker::Number { .. } | Checker::Expression { .. }) => {
                match number_in(&self.answer).or_else(|| expression_value(&self.answer)) {
                    Some(_) => Ok(()),
                    None => Err(format!("`answer` is not a number: {}", self.answer)),
                }
            }
        }
    }
}

/// Returns the number of an option's letter, such as 1 for `B` and `b`.
pub(crate) fn letter_number(text: &str) -> Option<usize> {
    let mut chars = text.chars();
    let letter = chars.next().filter(char::is_ascii_alphabetic)?;
    let is_alone = chars.next().is_none();
    is_alone.then(|| (letter.to_ascii_uppercase() as usize).wrapping_sub('A' as usize))
}

/// Reads questions from JSON lines; `name` is the file in errors. Skips empty lines.
///
/// # Errors
///
/// If there is no question; or with all errors, each with its line.
pub fn parse(text: &str, name: &str) -> Result<Vec<Question>, Failure> {
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    let (mut questions, mut errors) = (Vec::<Question>::new(), Vec::new());
    let mut ids = BTreeSet::new();
    for (line, text) in (1..).zip(text.lines()) {
        if text.trim().is_empty() {
            continue;
        }
        let read = serde_json::from_str::<Question>(text).map_err(|error| error.to_string());
        let checked = read.and_then(|question| {
            question.check()?;
            match ids.insert(question.id.clone()) {
                true => Ok(question),
                false => Err(format!("the id `{}` is used twice", question.id)),
            }
        });
        match checked {
            Ok(question) => questions.push(question),
            Err(what) => errors.push(format!("{name}:{line}: {what}")),
        }
    }
    let refuse = |message: String| Failure::new(Code::InvalidParameter, message).parameter("file");
    if !errors.is_empty() {
        let count = errors.len();
        let noun = if count == 1 { "error" } else { "errors" };
        errors.truncate(MAX_ERRORS);
        if count > MAX_ERRORS {
            errors.push(format!("and {} more", count - MAX_ERRORS));
        }
        let lines = errors.join("\n");
        let message = format!("{name} has {count} {noun}; nothing was started\n{lines}");
        return Err(refuse(message).hint("correct these lines, then run the same command again"));
    }
    match questions.is_empty() {
        true => Err(refuse(format!("{name} has no questions"))),
        false => Ok(questions),
    }
}

/// Returns questions as JSON lines.
///
/// # Errors
///
/// Never for questions that were read: they are plain data.
pub fn to_lines(questions: &[Question]) -> Result<String, Failure> {
    let mut text = String::new();
    for question in questions {
        let line = serde_json::to_string(question);
        text.push_str(&line.map_err(|error| Failure::from_error(Code::Json, &error))?);
        text.push('\n');
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_with_an_error_is_named() {
        let text = r#"{"id": "a", "text": "?", "options": ["x", "y"], "answer": "x"}
{"id": "a", "text": "?", "options": ["x", "y"], "answer": "B"}
{"id": "b", "text": "?", "options": ["x", "y"], "answer": "z"}
{"id": "c", "text": "?", "answer": "4"}
{"id": "d", "text": "?", "answer": "many", "checker": {"kind": "number"}}
{"id": "e", "text": "?", "options": ["x"], "answer": "x"}
{"id": "f", "txt": "?"}"#;
        let message = parse(text, "q.jsonl").unwrap_err().message;
        for wanted in [
            "has 6 errors",
            ":2: the id `a` is used twice",
            ":3: no option is `z`",
            ":4: a question needs",
            ":5: `answer` is not a number",
            ":6: a question has 2 to 26 options",
            ":7: unknown field `txt`",
        ] {
            assert!(message.contains(wanted), "{wanted}: {message}");
        }
        assert!(parse("\n", "q.jsonl").is_err());
    }

    #[test]
    fn the_right_option_is_named_by_its_text_or_letter() {
        let question = |answer: &str| Question {
            options: vec!["B".to_owned(), "no".to_owned(), "maybe".to_owned()],
            answer: answer.to_owned(),
            ..Question::default()
        };
        // The text goes first.
        assert_eq!(question("B").right_option(), Some(0));
        assert_eq!(question("c").right_option(), Some(2));
        assert_eq!(question("Z").right_option(), None);
    }

    #[test]
    fn questions_are_the_same_after_they_are_written_and_read() {
        let text = r#"{"id":"n","text":"?","answer":"24","checker":{"kind":"expression","numbers":[1,2]},"canary":"c"}"#;
        let questions = parse(text, "q").unwrap();
        assert_eq!(to_lines(&questions).unwrap().trim(), text);
    }
}
