//! From what is kept of a measurement to its document.

use agon_calibration::{Fall, LengthRecall, QuestionOutcome, RecallRate, Wording};
use agon_caller::{Caller, system};

use super::conclusions::conclusions;
use super::document::{
    CALIBRATION_SCHEMA, CalibrationDoc, CalibrationPlanDoc, CalibrationSpentDoc, DepthRecallDoc,
    FallDoc, LengthRecallDoc, MeasuredLimitDoc, OutcomeCountsDoc, PartRecallDoc, RecallDoc,
};
use super::estimate::cost_of_call;
use super::limits_row::MeasuredLimit;
use super::plan::Calibration;
use super::results::counted_tokens;

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

impl From<RecallRate> for RecallDoc {
    fn from(recall: RecallRate) -> Self {
        Self {
            found: recall.found,
            asked: recall.asked,
            share: recall.share(),
            low: recall.low,
            high: recall.high,
        }
    }
}

impl Calibration {
    /// What is planned, and what was measured so far.
    pub fn document(&self, caller: &Caller) -> CalibrationDoc {
        let today = system::format_time(system::now_ms());
        let today = today.chars().take(10).collect();
        CalibrationDoc::new(caller, self, today)
    }
}

impl CalibrationDoc {
    fn new(caller: &Caller, calibration: &Calibration, today: String) -> Self {
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
            spent: spending(calibration),
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
        document.conclusions = conclusions(&document, analysis.falls.is_too_low);
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

fn spending(calibration: &Calibration) -> CalibrationSpentDoc {
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
    let count = |wanted: QuestionOutcome| {
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
            found: count(QuestionOutcome::Found),
            near_miss: count(QuestionOutcome::NearMiss),
            wrong: count(QuestionOutcome::Wrong),
            unknown: count(QuestionOutcome::Unknown),
            missing: count(QuestionOutcome::Missing),
            refused: count(QuestionOutcome::Refused),
            empty: count(QuestionOutcome::Empty),
        },
        refused: refused.into_iter().next(),
    }
}

fn parts(parts: &[(Wording, bool, RecallRate)]) -> Vec<PartRecallDoc> {
    let part = |(wording, distractors, recall): &(Wording, bool, RecallRate)| PartRecallDoc {
        wording: wording.as_str(),
        distractors: *distractors,
        recall: (*recall).into(),
    };
    parts.iter().map(part).collect()
}

fn depths(calibration: &Calibration, depths: &[RecallRate]) -> Vec<DepthRecallDoc> {
    let depth = |(at, recall): (usize, &RecallRate)| DepthRecallDoc {
        depth: calibration.design.depth_share(at),
        recall: (*recall).into(),
    };
    depths.iter().enumerate().map(depth).collect()
}
