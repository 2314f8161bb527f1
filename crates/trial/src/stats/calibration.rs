//! Whether a confidence means what it says.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::bootstrap;
use super::{Interval, float};

/// The number of bins of equal width.
const BINS: usize = 10;

/// The calibration of an arm.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Calibration {
    /// The number of answers with a confidence.
    pub count: usize,
    /// The Brier score: the mean squared difference between the confidence and the outcome (Brier,
    /// Monthly Weather Review 78, 1950). 0 is best; 0.25 is that of a constant 0.5.
    pub brier: Interval,
    /// The expected calibration error: the mean difference between confidence and accuracy over ten
    /// bins (Naeini, Cooper and Hauskrecht, AAAI 2015). 0 is best. It is biased upwards with few
    /// answers.
    pub expected_error: f64,
    /// The bins that have answers.
    pub bins: Vec<Bin>,
}

/// The answers whose confidence is in one bin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Bin {
    /// How many there are.
    pub count: usize,
    /// Their mean confidence.
    pub confidence: f64,
    /// The share of right answers.
    pub accuracy: f64,
}

/// Computes the calibration of answers: each confidence, from 0 to 1, and whether the answer is
/// right.
pub fn calibration(answers: &[(f64, bool)], seed: u64) -> Calibration {
    let outcome = |right: bool| f64::from(u8::from(right));
    let squares: Vec<f64> = answers
        .iter()
        .map(|&(confidence, right)| (confidence - outcome(right)).powi(2))
        .collect();
    let mut bins = [Bin::default(); BINS];
    for &(confidence, right) in answers {
        if let Some(bin) = bins.get_mut(bin_of(confidence)) {
            bin.count += 1;
            bin.confidence += confidence;
            bin.accuracy += outcome(right);
        }
    }
    let filled = bins.into_iter().filter(|bin| bin.count > 0);
    let bins: Vec<Bin> = filled
        .map(|bin| Bin {
            count: bin.count,
            confidence: bin.confidence / float(bin.count),
            accuracy: bin.accuracy / float(bin.count),
        })
        .collect();
    let weighted = bins
        .iter()
        .map(|bin| float(bin.count) * (bin.confidence - bin.accuracy).abs());
    Calibration {
        count: answers.len(),
        brier: bootstrap::mean_interval(&squares, seed),
        expected_error: weighted.sum::<f64>() / float(answers.len().max(1)),
        bins,
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "from 0 to 9 after the clamp"
)]
fn bin_of(confidence: f64) -> usize {
    (confidence * float(BINS))
        .floor()
        .clamp(0.0, float(BINS - 1)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_confidence_that_is_met_has_no_error() {
        // Eight of ten right at 0.8, all wrong at 0.
        let mut answers: Vec<_> = (0..10).map(|at| (0.8, at < 8)).collect();
        answers.extend([(0.0, false); 5]);
        let good = calibration(&answers, 1);
        assert!(good.expected_error < 1e-12, "{good:?}");
        assert!((good.brier.value - 1.6 / 15.0).abs() < 1e-12);
        let sure = calibration(&[(1.0, false), (1.0, true)], 1);
        assert!((sure.expected_error - 0.5).abs() < 1e-12);
        assert_eq!(sure.bins.len(), 1);
        assert_eq!(calibration(&[], 1).count, 0);
    }
}
