//! What the folder of a trial stores: its settings and its plan.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::arm::Arm;

/// The schema of `trial.json`.
pub const TRIAL_SCHEMA: &str = "agon.trial/1";
/// The schema of a line of `plan.jsonl`.
pub const PLANNED_SCHEMA: &str = "agon.trial_row/1";

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
    /// The efforts of `tools`; null for the default.
    pub efforts: Vec<Option<String>>,
    /// The rounds of a duel; null for the default.
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

/// Why a vote has as many answers as it has.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum VotesBasis {
    /// The user chose the number.
    Given,
    /// No arm is a debate.
    Usual,
    /// That many single answers use the tokens of a debate.
    Debate {
        /// The arm with the debates.
        arm: Arm,
        /// The mean tokens of one of its debates.
        debate_tokens: f64,
        /// The mean tokens of a single answer.
        answer_tokens: f64,
    },
}
