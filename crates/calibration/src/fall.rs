//! From which length on recall has fallen.

use crate::interval::{MISS, deviations, wilson};
use crate::recall::LengthRecall;

/// By how much recall falls at onset, of 1.
pub const ONSET_FALL: f64 = 0.1;
/// By how much it falls at severe.
pub const SEVERE_FALL: f64 = 0.3;
/// Recall at the shortest length below which a fall says nothing: the model does not do what is
/// asked even then.
pub const MIN_RECALL: f64 = 0.5;

/// A fall of recall below that at the shortest length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fall {
    /// The greatest length before it, from 0.
    pub before: usize,
    /// The length at which it is seen.
    pub at: usize,
    /// By how much the curve is below its beginning there.
    pub by: f64,
}

/// Where recall falls.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Falls {
    /// The first fall of [`ONSET_FALL`].
    pub onset: Option<Fall>,
    /// The first fall of [`SEVERE_FALL`].
    pub severe: Option<Fall>,
    /// Whether recall at the shortest length is too low for a fall to say anything.
    pub is_too_low: bool,
}

/// Looks for the falls. One is seen where the curve that never rises is lower by so much, and a
/// difference of 0 is ruled out: where nothing falls, that happens at any length in at most 5 % of
/// calibrations.
pub(crate) fn find_falls(lengths: &[LengthRecall]) -> Falls {
    let measured: Vec<usize> = (0..lengths.len())
        .filter(|at| lengths.get(*at).is_some_and(|it| it.fitted.is_some()))
        .collect();
    let first = measured.first().and_then(|at| lengths.get(*at));
    let Some((first, start)) = first.and_then(|it| Some((it, it.fitted?))) else {
        return Falls::default();
    };
    if start < MIN_RECALL {
        return Falls {
            is_too_low: true,
            ..Falls::default()
        };
    }
    let compared = measured.len().saturating_sub(1).max(1);
    // Only that recall is lower is looked for, so that one end of each interval counts.
    let deviations = deviations(2.0 * MISS / compared as f64);
    let fall = |wanted: f64| {
        measured.windows(2).find_map(|pair| {
            let &[before, at] = pair else { return None };
            let here = lengths.get(at)?;
            let by = start - here.fitted?;
            let is_sure = lowest_difference(first, here, deviations)? > 0.0;
            (by >= wanted && is_sure).then_some(Fall { before, at, by })
        })
    };
    Falls {
        onset: fall(ONSET_FALL),
        severe: fall(SEVERE_FALL),
        is_too_low: false,
    }
}

/// The lower end of the interval of how much recall at `later` is below that at `first`: method 11 of
/// R. Newcombe, "Interval estimation for the difference between independent proportions", Statistics
/// in Medicine 17, 1998.
fn lowest_difference(first: &LengthRecall, later: &LengthRecall, deviations: f64) -> Option<f64> {
    let ends = |it: &LengthRecall| {
        let [found, asked] = [it.recall.found, it.recall.asked].map(f64::from);
        wilson(found / it.effect, asked / it.effect, deviations)
    };
    let (high, low) = (first.recall.share()?, later.recall.share()?);
    let below = high - ends(first).0;
    let above = ends(later).1 - low;
    Some(high - low - below.hypot(above))
}
