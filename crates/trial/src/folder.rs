//! The files of a trial, besides those of its batch.

use std::path::{Path, PathBuf};

use agon_caller::{Code, Failure, write_failure};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::merge::{merge_plans, merge_questions};
use crate::question::{self, Question};
use crate::stored::{PlannedRow, TrialDoc};

/// Maximum size of a file of a trial, in bytes.
const MAX_BYTES: u64 = 1 << 30;

/// The folder of a trial.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrialFolder(PathBuf);

impl TrialFolder {
    /// Returns the trial in `path`, which need not exist.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self(path.into())
    }

    /// Returns its path.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Reads `trial.json`; `None` if there is none.
    ///
    /// # Errors
    ///
    /// If it cannot be read or has another form.
    pub fn read_trial(&self) -> Result<Option<TrialDoc>, Failure> {
        let path = self.0.join("trial.json");
        if !path.exists() {
            return Ok(None);
        }
        let text = read(&path)?;
        parse(&path, &text).map(Some)
    }

    /// Reads `trial.json`, the questions and the plan.
    ///
    /// # Errors
    ///
    /// If the folder has no trial, or a file cannot be read.
    pub fn read_all(&self) -> Result<(TrialDoc, Vec<Question>, Vec<PlannedRow>), Failure> {
        let trial = self.read_trial()?.ok_or_else(|| {
            let message = format!("there is no trial in {}", self.0.display());
            Failure::new(Code::NoFile, message).hint("name the folder that `agon trial` printed")
        })?;
        let questions = self.0.join("questions.jsonl");
        let name = questions.display().to_string();
        let questions = question::parse(&read(&questions)?, &name)?;
        let path = self.0.join("plan.jsonl");
        let text = read(&path)?;
        let lines = text.lines().filter(|line| !line.is_empty());
        let plan = lines
            .map(|line| parse(&path, line))
            .collect::<Result<_, _>>()?;
        Ok((trial, questions, plan))
    }

    /// Adds `questions` and the rows of `plan` to those of earlier runs, writes `trial.json`, and
    /// returns the whole plan. Earlier votes of another size are not part of it.
    ///
    /// # Errors
    ///
    /// If a file cannot be read or written.
    pub fn add(
        &self,
        trial: &TrialDoc,
        questions: &[Question],
        plan: Vec<PlannedRow>,
    ) -> Result<Vec<PlannedRow>, Failure> {
        let (before, old_questions, old_plan) = match self.0.join("plan.jsonl").exists() {
            true => {
                let (trial, questions, plan) = self.read_all()?;
                (trial.votes, questions, plan)
            }
            false => (None, Vec::new(), Vec::new()),
        };
        let questions = merge_questions(&old_questions, questions);
        let keep_votes = before == trial.votes;
        let plan = merge_plans(old_plan, plan, &old_questions, &questions, keep_votes);
        self.write("questions.jsonl", &question::to_lines(&questions)?)?;
        self.write("trial.json", &encode(trial)?)?;
        // Last: the other files are complete if there is a plan.
        let lines = plan.iter().map(encode).collect::<Result<Vec<_>, _>>()?;
        self.write("plan.jsonl", &lines.concat())?;
        Ok(plan)
    }

    fn write(&self, name: &str, text: &str) -> Result<(), Failure> {
        let path = self.0.join(name);
        let durable = agon_files::Durable::Yes;
        agon_files::replace(&path, text.as_bytes(), 0o644, durable)
            .map_err(|error| write_failure(&error))
    }
}

fn encode(value: &impl Serialize) -> Result<String, Failure> {
    let line = serde_json::to_string(value);
    let line = line.map_err(|error| Failure::from_error(Code::Json, &error))?;
    Ok(line + "\n")
}

fn read(path: &Path) -> Result<String, Failure> {
    agon_files::read_to_string(path, MAX_BYTES).map_err(|error| {
        let message = format!("cannot read {}: {error}", path.display());
        Failure::new(Code::Store, message)
    })
}

fn parse<T: DeserializeOwned>(path: &Path, text: &str) -> Result<T, Failure> {
    serde_json::from_str(text).map_err(|error| {
        let message = format!("{} is damaged: {error}", path.display());
        Failure::new(Code::Damaged, message)
    })
}
