//! A measurement as a document.

use agon_calibration::{Analysis, Fall, LengthRecall, Outcome, Recall, Wording};
use agon_config::ContextLimit;
use schemars::JsonSchema;
use serde::Serialize;

use super::estimate::cost_of_call;
use super::limits_row::MeasuredLimit;
use super::plan::Calibration;
use super::results::counted_tokens;
use crate::caller::Caller;

/// The schema of [`CalibrationDoc`].
pub const CALIBRATION_SCHEMA: &str = "agon.calibration/1";

/// From which length of a prompt on a model begins to miss what stands in it: `agon.calibration/1`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct CalibrationDoc {
    schema: &'static str,
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

impl From<MeasuredLimit> for MeasuredLimitDoc {
    fn from(limit: MeasuredLimit) -> Self {
        Self {
            configuration: limit.setting_line(),
            row: limit.file_row(),
            model: limit.model,
            window: limit.window,
            onset: limit.onset,
            severe: limit.severe,
            source: limit.source,
            as_of: limit.as_of,
            confidence: limit.confidence.to_owned(),
        }
    }
}

impl From<Recall> for RecallDoc {
    fn from(recall: Recall) -> Self {
        Self {
            found: recall.found,
            asked: recall.asked,
            share: recall.share(),
            low: recall.low,
            high: recall.high,
        }
    }
}

impl CalibrationDoc {
    pub(super) fn new(caller: &Caller, calibration: &Calibration, today: String) -> Self {
        let analysis = calibration.analysis();
        let mut document = Self {
            schema: CALIBRATION_SCHEMA,
            tool: calibration.request.tool.to_string(),
            model: calibration.request.model_name().map(str::to_owned),
            effort: calibration.effort.name(),
            plan: plan(caller, calibration),
            is_complete: calibration.cells_left().is_empty(),
            stopped: None,
            lengths: Vec::new(),
            depths: Vec::new(),
            parts: Vec::new(),
            onset: None,
            severe: None,
            conclusions: Vec::new(),
            limit: None,
            written: None,
            spent: spent(calibration),
        };
        let Some(analysis) = analysis else {
            return document;
        };
        let tokens = counted_tokens(&analysis);
        let lengths = analysis.lengths.iter().zip(&tokens).enumerate();
        document.lengths = lengths
            .map(|(at, (length, tokens))| length_doc(calibration, at, length, *tokens))
            .collect();
        document.depths = depths(calibration, &analysis.depths);
        document.parts = parts(&analysis.parts);
        let fall = |fall: Fall| {
            Some(FallDoc {
                before: *tokens.get(fall.before)?,
                at: *tokens.get(fall.at)?,
                by: fall.by,
            })
        };
        document.onset = analysis.falls.onset.and_then(fall);
        document.severe = analysis.falls.severe.and_then(fall);
        document.conclusions = conclusions(&document, &analysis);
        let limit = MeasuredLimit::propose(calibration, &analysis, &today);
        document.limit = limit.map(MeasuredLimitDoc::from);
        document
    }
}

fn plan(caller: &Caller, calibration: &Calibration) -> CalibrationPlanDoc {
    let design = &calibration.design;
    let left = calibration.estimate();
    CalibrationPlanDoc {
        lengths: design.lengths().to_vec(),
        depths: design.depths(),
        seeds: design.seeds(),
        calls: design.cells().len(),
        questions: design.depths(),
        calls_left: left.calls,
        tokens_left: left.tokens(),
        cost_left: calibration.price.as_ref().map(|price| left.cost(price)),
        file: caller.display_path(&calibration.path),
    }
}

fn spent(calibration: &Calibration) -> CalibrationSpentDoc {
    let price = calibration.price.as_ref();
    let records = calibration.records.values();
    records.fold(CalibrationSpentDoc::default(), |sum, record| {
        let usage = &record.usage;
        let cost = cost_of_call(usage, price);
        CalibrationSpentDoc {
            calls: sum.calls + 1,
            input: sum.input.saturating_add(usage.input),
            cached: sum.cached.saturating_add(usage.cached),
            output: sum.output.saturating_add(usage.output),
            estimated: sum.estimated || usage.estimated,
            cost: match (sum.cost, cost) {
                (None, None) => None,
                (before, cost) => Some(before.unwrap_or_default() + cost.unwrap_or_default()),
            },
            took_ms: sum.took_ms.saturating_add(record.took_ms),
        }
    })
}

fn length_doc(
    calibration: &Calibration,
    at: usize,
    length: &LengthRecall,
    tokens: u64,
) -> LengthRecallDoc {
    let design = &calibration.design;
    let cells = design.cells().into_iter().filter(|it| it.length == at);
    let refused = cells.filter_map(|it| {
        let record = calibration.records.get(&design.cell_name(it))?;
        record.refused.clone()
    });
    let count = |wanted: Outcome| {
        let mut outcomes = length.outcomes.iter();
        outcomes.find(|it| it.0 == wanted).map_or(0, |it| it.1)
    };
    LengthRecallDoc {
        planned: length.planned,
        read: length.read,
        tokens,
        calls: length.calls,
        recall: length.recall.into(),
        fitted: length.fitted,
        design_effect: length.effect,
        parts: parts(&length.parts),
        depths: depths(calibration, &length.depths),
        outcomes: OutcomeCountsDoc {
            found: count(Outcome::Found),
            near_miss: count(Outcome::NearMiss),
            wrong: count(Outcome::Wrong),
            unknown: count(Outcome::Unknown),
            missing: count(Outcome::Missing),
            refused: count(Outcome::Refused),
            empty: count(Outcome::Empty),
        },
        refused: refused.into_iter().next(),
    }
}

fn parts(parts: &[(Wording, bool, Recall)]) -> Vec<PartRecallDoc> {
    let part = |(wording, distractors, recall): &(Wording, bool, Recall)| PartRecallDoc {
        wording: wording.as_str(),
        distractors: *distractors,
        recall: (*recall).into(),
    };
    parts.iter().map(part).collect()
}

fn depths(calibration: &Calibration, depths: &[Recall]) -> Vec<DepthRecallDoc> {
    let depth = |(at, recall): (usize, &Recall)| DepthRecallDoc {
        depth: calibration.design.depth_share(at),
        recall: (*recall).into(),
    };
    depths.iter().enumerate().map(depth).collect()
}

/// What it comes to, in sentences.
fn conclusions(document: &CalibrationDoc, analysis: &Analysis) -> Vec<String> {
    let mut sentences = Vec::new();
    let measured = document
        .lengths
        .iter()
        .filter(|it| it.recall.share.is_some());
    let longest = measured.clone().last().map_or(0, |it| it.tokens);
    let first = measured
        .clone()
        .next()
        .and_then(|it| it.fitted)
        .unwrap_or_default();
    if analysis.falls.is_too_low {
        sentences.push(format!(
            "Even at the shortest length {:.0} % were found: the model does not do what is asked, \
             and a fall of recall with length would say nothing.",
            100.0 * first
        ));
    } else {
        for (name, points, fall) in [
            ("onset", 10, &document.onset),
            ("severe", 30, &document.severe),
        ] {
            sentences.push(match fall {
                Some(fall) => format!(
                    "Recall falls by {:.0} points between {} and {} tokens: {name} (a fall of \
                     {points} points or more).",
                    100.0 * fall.by,
                    fall.before,
                    fall.at
                ),
                None => {
                    format!("No fall of {points} points ({name}) was found up to {longest} tokens.")
                }
            });
        }
    }
    for length in &document.lengths {
        if let Some(why) = &length.refused {
            sentences.push(format!(
                "Prompts of {} tokens are not taken: {why}.",
                length.planned
            ));
        } else if length.calls > 0 && length.recall.share.is_none() {
            sentences.push(format!(
                "No answer at {} tokens tells anything: {} questions were refused, {} answers were \
                 empty.",
                length.tokens, length.outcomes.refused, length.outcomes.empty
            ));
        }
    }
    if !document.is_complete {
        let plan = &document.plan;
        sentences.push(format!(
            "{} of {} calls are made; the others may change all of this.",
            document.spent.calls, plan.calls
        ));
    }
    sentences
}
