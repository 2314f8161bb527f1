//! Bootstrap intervals over questions.
//!
//! The interval is bias-corrected and accelerated (BCa: Efron, "Better bootstrap confidence
//! intervals", JASA 82, 1987). It resamples questions, not calls, so that all answers to a question
//! stay together.

use super::normal::{cdf, quantile};
use super::proportion::wilson;
use super::random::Random;
use super::{Interval, float, mean};

/// The number of resamples. The limits of an interval then have a standard error of about a
/// twentieth of the standard error of the value.
pub const RESAMPLES: usize = 2_000;

const ALPHA: f64 = 0.025;

/// Returns the 95 % interval of `statistic` over `rows`, with one row for each question.
///
/// With fewer than two rows, or if every resample has the same value, the limits are the value.
pub fn interval<T: Copy>(rows: &[T], seed: u64, statistic: impl Fn(&[T]) -> f64) -> Interval {
    interval_of(rows, seed, RESAMPLES, statistic)
}

/// Returns the 95 % interval of a mean.
pub fn mean_interval(values: &[f64], seed: u64) -> Interval {
    interval(values, seed, mean)
}

/// Returns the 95 % interval of the share of `true`. If all values are the same, resamples do not
/// vary, so the score interval takes their place.
pub fn share_interval(values: &[bool], seed: u64) -> Interval {
    let hits = values.iter().filter(|value| **value).count();
    if hits == 0 || hits == values.len() {
        return wilson(hits, values.len());
    }
    let values: Vec<f64> = values
        .iter()
        .map(|&value| f64::from(u8::from(value)))
        .collect();
    mean_interval(&values, seed)
}

fn interval_of<T: Copy>(
    rows: &[T],
    seed: u64,
    resamples: usize,
    statistic: impl Fn(&[T]) -> f64,
) -> Interval {
    let value = statistic(rows);
    let same = Interval {
        value,
        low: value,
        high: value,
    };
    if rows.len() < 2 {
        return same;
    }
    let mut random = Random::new(seed);
    let mut sample = rows.to_vec();
    let mut values: Vec<f64> = (0..resamples)
        .map(|_| {
            for place in &mut sample {
                if let Some(row) = random.choose(rows) {
                    *place = *row;
                }
            }
            statistic(&sample)
        })
        .filter(|value| value.is_finite())
        .collect();
    values.sort_by(f64::total_cmp);
    let (Some(first), Some(last)) = (values.first(), values.last()) else {
        return same;
    };
    if first == last {
        return same;
    }
    // The share of resamples below the value; those equal to it count half.
    let below = values.partition_point(|&one| one < value);
    let up_to = values.partition_point(|&one| one <= value);
    let bias = quantile(float(below + up_to) / 2.0 / float(values.len()));
    let acceleration = acceleration(rows, &statistic);
    let limit = |alpha: f64| {
        let z = bias + quantile(alpha);
        let level = cdf(bias + z / (1.0 - acceleration * z));
        // Every resample is on one side of the value: the percentile interval is the best there is.
        let level = if level.is_finite() { level } else { alpha };
        percentile(&values, level)
    };
    Interval {
        value,
        low: limit(ALPHA),
        high: limit(1.0 - ALPHA),
    }
}

/// Returns the acceleration, from the values without one row each (jackknife).
fn acceleration<T: Copy>(rows: &[T], statistic: impl Fn(&[T]) -> f64) -> f64 {
    let without: Vec<f64> = (0..rows.len())
        .map(|left_out| {
            let rest = rows.iter().enumerate().filter(|(at, _)| *at != left_out);
            statistic(&rest.map(|(_, row)| *row).collect::<Vec<_>>())
        })
        .collect();
    let middle = mean(&without);
    let power = |exponent| -> f64 {
        without
            .iter()
            .map(|one| (middle - one).powi(exponent))
            .sum()
    };
    let squares = power(2);
    match squares > 0.0 {
        true => power(3) / (6.0 * squares.powf(1.5)),
        false => 0.0,
    }
}

/// Returns the value at `level` of sorted values, between neighbours (type 7 of Hyndman and Fan,
/// 1996).
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "not negative and at most the number of values"
)]
fn percentile(sorted: &[f64], level: f64) -> f64 {
    let place = level.clamp(0.0, 1.0) * float(sorted.len().saturating_sub(1));
    let at = |at: usize| {
        sorted
            .get(at)
            .or(sorted.last())
            .copied()
            .unwrap_or_default()
    };
    let low = at(place.floor() as usize);
    let high = at(place.ceil() as usize);
    low + (high - low) * place.fract()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_interval_and_no_variation_gives_a_point() {
        let values: Vec<bool> = (0..60).map(|at| at % 3 > 0).collect();
        let one = share_interval(&values, 7);
        assert_eq!(one, share_interval(&values, 7));
        assert_ne!(one, share_interval(&values, 8));
        assert!(one.low < one.value && one.value < one.high);
        for values in [&[][..], &[2.0], &[2.0; 30]] {
            let point = mean_interval(values, 1);
            assert_eq!((point.low, point.high), (point.value, point.value));
        }
        let all = share_interval(&[true; 30], 1);
        assert!(all.value == 1.0 && all.low < 0.9 && all.high == 1.0);
    }

    #[test]
    fn a_skewed_statistic_has_a_skewed_interval() {
        let values: Vec<f64> = (0..40)
            .map(|at| f64::from(at).exp().ln_1p().powi(3))
            .collect();
        let ratio = interval(&values, 1, |sample| 1.0 / mean(sample));
        assert!(ratio.high - ratio.value > ratio.value - ratio.low);
    }
}
