//! A measurement as a document.

use agon_config::ContextLimit;
use schemars::JsonSchema;
use serde::Serialize;

/// The schema of [`CalibrationDoc`].
pub const CALIBRATION_SCHEMA: &str = "agon.calibration/1";

/// From which length of a prompt on a model begins to miss what stands in it: `agon.calibration/1`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct CalibrationDoc {
    pub(super) schema: &'static str,
    /// The tool that was asked.
    pub tool: String,
    /// Its model, where one is named.
    pub model: Option<String>,
    /// How hard it thinks.
    pub effort: &'static str,
    /// What is asked.
    pub plan: CalibrationPlanDoc,
    /// Whether all calls were made whose prompts are taken.
    pub is_complete: bool,
    /// The bound that stopped the last run: `max_tokens` or `max_cost`.
    pub stopped: Option<&'static str>,
    /// What was measured, by length, the shortest first; empty before the first answer.
    pub lengths: Vec<LengthRecallDoc>,
    /// What was measured, by depth, over all lengths.
    pub depths: Vec<DepthRecallDoc>,
    /// What was measured, by wording and distractors, over all lengths.
    pub parts: Vec<PartRecallDoc>,
    /// The first fall of recall by 10 points.
    pub onset: Option<FallDoc>,
    /// The first fall of recall by 30 points.
    pub severe: Option<FallDoc>,
    /// What it comes to, in sentences.
    pub conclusions: Vec<String>,
    /// The limit that is proposed; none where no fall was found.
    pub limit: Option<MeasuredLimitDoc>,
    /// The configuration file that the limit was put into.
    pub written: Option<String>,
    /// What all calls have cost, also those of earlier runs.
    pub spent: CalibrationSpentDoc,
}

/// What is asked.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct CalibrationPlanDoc {
    /// Lengths of prompts, in tokens, at 4 bytes each.
    pub lengths: Vec<u64>,
    /// Depths at which facts stand, from the beginning of the text to its end.
    pub depths: usize,
    /// Repetitions with other texts.
    pub seeds: u32,
    /// All calls: a prompt for each length, wording, seed, without and with distractors.
    pub calls: usize,
    /// Questions in a prompt.
    pub questions: usize,
    /// Calls that are not made yet.
    pub calls_left: usize,
    /// The tokens that they take, at least: a tool adds what it has of its own.
    pub tokens_left: u64,
    /// What they cost in US dollars, where a price is known.
    pub cost_left: Option<f64>,
    /// The file that has what was answered.
    pub file: String,
}

/// How many values were found of those that were asked for.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct RecallDoc {
    /// Values that were found.
    pub found: u32,
    /// Questions that were answered: those in refused and empty answers are not among them.
    pub asked: u32,
    /// The share that was found.
    pub share: Option<f64>,
    /// The lower end of its 95 % interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// What was measured with prompts of one length.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct LengthRecallDoc {
    /// The length, in tokens, as planned.
    pub planned: u64,
    /// The tokens that the tool counted, with what it adds of its own, by the median.
    pub read: Option<u64>,
    /// The tokens that it counts as in what is proposed.
    pub tokens: u64,
    /// Calls that were answered.
    pub calls: u32,
    /// Recall; the intervals of all lengths hold together.
    pub recall: RecallDoc,
    /// Recall on the curve that never rises.
    pub fitted: Option<f64>,
    /// By how much the answers of one prompt are alike, from 1; the interval allows for it.
    pub design_effect: f64,
    /// By wording and distractors.
    pub parts: Vec<PartRecallDoc>,
    /// By depth.
    pub depths: Vec<DepthRecallDoc>,
    /// How often what came.
    pub outcomes: OutcomeCountsDoc,
    /// Why prompts of this length are not taken.
    pub refused: Option<String>,
}

/// Recall of questions in one wording, without or with distractors.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct PartRecallDoc {
    /// `literal`, in the words of the fact, or `paraphrased`.
    pub wording: &'static str,
    /// Whether facts stood beside that nearly are the ones asked for.
    pub distractors: bool,
    /// Recall, with an interval of its own.
    pub recall: RecallDoc,
}

/// Recall of facts at one depth.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct DepthRecallDoc {
    /// How deep in the text, from 0 to 1.
    pub depth: f64,
    /// Recall, with an interval of its own.
    pub recall: RecallDoc,
}

/// How often what came of a question.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct OutcomeCountsDoc {
    /// Its value.
    pub found: u32,
    /// The value of the fact that nearly answers it.
    pub near_miss: u32,
    /// Something else.
    pub wrong: u32,
    /// That the text does not say it.
    pub unknown: u32,
    /// Nothing, where other questions were answered.
    pub missing: u32,
    /// A refusal of the whole prompt; not counted in recall.
    pub refused: u32,
    /// An empty answer to the whole prompt; not counted in recall.
    pub empty: u32,
}

/// A fall of recall below that at the shortest length.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct FallDoc {
    /// The tokens of the greatest length before it.
    pub before: u64,
    /// The tokens of the length at which it is seen.
    pub at: u64,
    /// By how much the curve is lower there, of 1.
    pub by: f64,
}

/// A limit that is proposed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct MeasuredLimitDoc {
    /// The beginning of the model's name.
    pub model: Option<String>,
    /// Tokens of its window, where they are known.
    pub window: Option<u64>,
    /// Tokens from which on it gets worse.
    pub onset: u64,
    /// Tokens from which on it is much worse.
    pub severe: Option<u64>,
    /// Where the figures are from.
    pub source: String,
    /// The day.
    pub as_of: String,
    /// How far to trust them.
    pub confidence: String,
    /// The line for a configuration file.
    pub configuration: String,
    /// The row for the file of limits that comes with Agon.
    pub row: String,
}

/// What calls have cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct CalibrationSpentDoc {
    /// Calls.
    pub calls: usize,
    /// Tokens read, cached ones included.
    pub input: u64,
    /// Tokens read from a cache.
    pub cached: u64,
    /// Tokens written.
    pub output: u64,
    /// Whether some of the tokens are an estimate.
    pub estimated: bool,
    /// US dollars, where the tool says them or a price is known.
    pub cost: Option<f64>,
    /// How long the calls took, in milliseconds.
    pub took_ms: u64,
}

impl MeasuredLimitDoc {
    /// As the configuration has it.
    pub(super) fn setting(&self) -> ContextLimit {
        ContextLimit {
            model: self.model.clone().unwrap_or_default(),
            window: self.window,
            onset: Some(self.onset),
            severe: self.severe,
            source: Some(self.source.clone()),
            as_of: Some(self.as_of.clone()),
            confidence: Some(self.confidence.clone()),
        }
    }
}
