//! What would be asked, and what of it was answered before.

use std::collections::BTreeMap;
use std::path::PathBuf;

use agon_agents::profile::Price;
use agon_calibration::{Cell, Design, DesignError};
use agon_caller::profiles::profiles;
use agon_caller::{Caller, Failure, FailureKind, depth, settings, similar};
use agon_config::Settings;
use agon_record::spec::Effort;
use agon_seats::tools;

use super::estimate::{Estimate, price};
use super::record::{self, CallRecord, RecordHead};
use super::request::CalibrationRequest;
use crate::{LimitsDoc, known_limits};

/// Shares of the onset that is known of a model, at which it is measured unless lengths are named.
const SHARES: [(u64, u64); 5] = [(1, 8), (1, 4), (1, 2), (1, 1), (2, 1)];
/// The share of a window, in percent, that a prompt may fill: a tool has instructions of its own.
const WINDOW_PERCENT: u64 = 85;

/// A measurement: what is asked, and what is known of it so far.
#[derive(Debug)]
pub struct Calibration {
    pub(super) request: CalibrationRequest,
    pub(super) effort: Effort,
    pub(super) design: Design,
    pub(super) limits: LimitsDoc,
    pub(super) price: Option<Price>,
    pub(super) path: PathBuf,
    pub(super) head: RecordHead,
    pub(super) records: BTreeMap<String, CallRecord>,
}

impl Calibration {
    /// Looks what is to be asked and what was answered before; asks nothing and writes nothing.
    ///
    /// # Errors
    ///
    /// If the tool is not known, or what is asked for cannot be measured.
    pub fn prepare(caller: &Caller, request: CalibrationRequest) -> Result<Self, Failure> {
        depth::refuse_nested(caller)?;
        let settings = settings::read_settings(caller)?;
        let known = tools::profile_names(&settings)?;
        let name = request.tool.as_str();
        if !tools::is_tool_name(&known, name) {
            let known: Vec<_> = known.iter().map(String::as_str).collect();
            let message = format!("unknown tool `{name}`");
            return Err(Failure::new(FailureKind::Usage, "unknown_tool", message)
                .parameter("model")
                .hint(similar::unknown_tool_hint(name, &known)));
        }
        let own = own_model(&settings, &request)?;
        let limits = known_limits(&settings, request.model_name().or(own.as_deref()));
        let lengths = match request.lengths.is_empty() {
            true => default_lengths(&limits, request.depths),
            false => request.lengths.clone(),
        };
        let design =
            Design::new(&lengths, request.depths, request.seeds).map_err(|it| refusal(&it))?;
        let effort = request.effort.unwrap_or_default();
        let head = RecordHead::new(&request, effort, &design);
        let data = caller.data_dir().ok_or_else(|| {
            let message = "there is no home folder in which results could be kept";
            Failure::new(FailureKind::Config, "configuration", message).hint("set HOME")
        })?;
        let path = data.join("calibrations").join(head.file_name());
        let records = match request.again {
            true => BTreeMap::new(),
            false => record::read(&path, &head)?,
        };
        Ok(Self {
            price: price(&request.tool),
            effort,
            design,
            limits,
            path,
            head,
            records,
            request,
        })
    }

    /// The calls that are not made yet, and whose prompts may be taken.
    pub(super) fn cells_left(&self) -> Vec<Cell> {
        let refused = self.shortest_refused();
        let cells = self.design.cells().into_iter();
        let left = cells.filter(|it| {
            let is_taken = refused.is_none_or(|refused| it.length < refused);
            is_taken && !self.records.contains_key(&self.design.cell_name(*it))
        });
        left.collect()
    }

    /// The shortest length of which a prompt was not taken.
    pub(super) fn shortest_refused(&self) -> Option<usize> {
        let cells = self.design.cells().into_iter();
        let refused = cells.filter(|it| {
            let record = self.records.get(&self.design.cell_name(*it));
            record.is_some_and(|it| it.refused.is_some())
        });
        refused.map(|it| it.length).min()
    }

    /// How many calls are not made yet.
    pub fn calls_left(&self) -> usize {
        self.cells_left().len()
    }

    pub(super) fn estimate(&self) -> Estimate {
        Estimate::of_cells(&self.design, self.cells_left().iter())
    }
}

/// The model in this program that a tool is, where it is one and none is named.
fn own_model(settings: &Settings, request: &CalibrationRequest) -> Result<Option<String>, Failure> {
    let profiles = profiles(settings)?;
    let own = profiles.iter().find(|it| it.name == request.tool);
    let weights = own.and_then(|it| it.weights.as_ref());
    Ok(weights.map(|it| it.model.clone()))
}

/// Lengths around the onset that is known, within the window; in even steps where the facts of the
/// shortest take more than its share.
fn default_lengths(limits: &LimitsDoc, depths: usize) -> Vec<u64> {
    let most = limits.window.saturating_mul(WINDOW_PERCENT) / 100;
    let least = Design::min_tokens(depths);
    let share = |(times, of): (u64, u64)| (limits.onset.saturating_mul(times) / of).min(most);
    let lengths = SHARES.map(share);
    let [shortest, .., longest] = lengths;
    if shortest >= least {
        return lengths.to_vec();
    }
    let room = longest.saturating_sub(least);
    (0..=4).map(|step| least + room * step / 4).collect()
}

fn refusal(error: &DesignError) -> Failure {
    let (parameter, hint) = match error {
        DesignError::Depths { .. } => ("depths", "name fewer or more: --depths 9"),
        DesignError::Seeds { .. } => ("seeds", "name fewer or more: --seeds 3"),
        DesignError::TooShort { .. } => (
            "lengths",
            "name longer prompts, or fewer facts in each: --lengths 2k,4k --depths 5",
        ),
        DesignError::Lengths { .. } | DesignError::TooLong { .. } => {
            ("lengths", "name them so: --lengths 4k,16k,64k")
        }
    };
    Failure::from_error(FailureKind::Usage, "invalid_parameter", error)
        .parameter(parameter)
        .hint(hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lengths(onset: u64, window: u64) -> Vec<u64> {
        let limits = LimitsDoc {
            model: String::new(),
            window,
            is_window_known: true,
            onset,
            severe: window,
            source: String::new(),
            as_of: String::new(),
            confidence: String::new(),
        };
        default_lengths(&limits, 9)
    }

    #[test]
    fn lengths_are_shares_of_the_known_onset_within_the_window() {
        let wanted = [12_500, 25_000, 50_000, 100_000, 170_000];
        assert_eq!(lengths(100_000, 200_000), wanted);
        let wanted = [62_500, 125_000, 250_000, 500_000, 891_289];
        assert_eq!(lengths(500_000, 1_048_576), wanted);
        // A small one, whose facts would not fit into an eighth of it.
        let least = Design::min_tokens(9);
        let small = lengths(2_400, 8_000);
        assert_eq!((small[0], small[4]), (least, 4_800));
        let steps: Vec<u64> = small.windows(2).map(|two| two[1] - two[0]).collect();
        assert!(
            steps.iter().all(|step| step.abs_diff(steps[0]) <= 1),
            "{small:?}"
        );
    }
}
