//! The statistics of a trial. Pure: the same numbers and seeds give the same results.

pub mod bootstrap;
pub mod calibration;
pub mod drift;
pub mod flips;
pub mod mcnemar;
pub mod normal;
pub mod power;
pub mod proportion;
pub mod random;
pub mod wins;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A value with the limits of its 95 % confidence interval.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Interval {
    /// The value that was measured.
    pub value: f64,
    /// The lower limit.
    pub low: f64,
    /// The upper limit.
    pub high: f64,
}

impl Interval {
    /// Returns whether `value` is between the limits.
    pub fn contains(&self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }
}

/// Converts a count.
#[expect(clippy::cast_precision_loss, reason = "counts are far less than 2^52")]
pub(crate) fn float(count: usize) -> f64 {
    count as f64
}

/// Returns the mean; 0 of nothing.
pub(crate) fn mean(values: &[f64]) -> f64 {
    match values.len() {
        0 => 0.0,
        count => values.iter().sum::<f64>() / float(count),
    }
}

#[cfg(test)]
mod scripted;
#[cfg(test)]
mod tables;
