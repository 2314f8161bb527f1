//! The files of a trial, besides those of its batch.

use std::path::{Path, PathBuf};

use agon_caller::{Code, Failure, write_failure};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::arm::Arm;
use crate::merge::{merge_plans, merge_questions};
use crate::question::{self, Question};
use crate::votes::VotesBasis;

/// The schema of `trial.json`.
pub const TRIAL_SCHEMA: &str = "agon.trial/1";
/// The schema of a line of `plan.jsonl`.
pub const PLANNED_SCHEMA: &str = "agon.trial_row/1";

/// Maximum size of a file of a trial, in bytes.
const MAX_BYTES: u64 = 1 << 30;

/// The settings of a trial that do not change: `trial.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TrialDoc {
    /// Always `agon.trial/1`.
    #[schemars(extend("const" = TRIAL_SCHEMA))]
    pub schema: String,
    /// The name of the data set.
    pub dataset: String,
    /// Its licence, if it is of others.
    pub licence: Option<String>,
    /// The seed.
    pub seed: u64,
    /// The arms of all runs.
    pub arms: Vec<Arm>,
    /// The number of answers in a vote; null until it is known, or without a vote.
    pub votes: Option<u32>,
    /// Why a vote has that number of answers; null if `votes` is.
    pub votes_basis: Option<VotesBasis>,
    /// The tools that debate, and those that judge.
    pub tools: Vec<String>,
    /// The models of `tools`; null for the default of a tool.
    pub models: Vec<Option<String>>,
    /// The efforts of `tools`; null for the usual one.
    pub efforts: Vec<Option<String>>,
    /// The rounds of a duel; null for the usual number.
    pub rounds: Option<u16>,
    /// Whether a duel has one round with low effort.
    pub quick: bool,
}

/// A row of a trial: a line of `plan.jsonl`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PlannedRow {
    /// Always `agon.trial_row/1`.
    #[schemars(extend("const" = PLANNED_SCHEMA))]
    pub schema: String,
    /// The identity of its result in `results.jsonl`.
    pub identity: String,
    /// The question.
    pub question: String,
    /// The arm.
    pub arm: Arm,
    /// The number of the answer in a vote, from 1.
    pub sample: u32,
}

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
