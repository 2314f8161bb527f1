//! Intervals of a proportion, and of the difference of two.

use super::normal::Z95;
use super::{Interval, float};

/// Returns the 95 % score interval of `hits` in `all` (Wilson, "Probable inference, the law of
/// succession, and statistical inference", JASA 22, 1927). From 0 to 1 if `all` is 0.
pub fn wilson(hits: usize, all: usize) -> Interval {
    if all == 0 {
        return Interval {
            value: 0.0,
            low: 0.0,
            high: 1.0,
        };
    }
    let (count, share) = (float(all), float(hits) / float(all));
    let square = Z95 * Z95;
    let middle = (share + square / (2.0 * count)) / (1.0 + square / count);
    let half = Z95 / (1.0 + square / count)
        * (share * (1.0 - share) / count + square / (4.0 * count * count)).sqrt();
    Interval {
        value: share,
        // With no or only hits, a limit is the share itself, apart from rounding.
        low: (middle - half).min(share).max(0.0),
        high: (middle + half).max(share).min(1.0),
    }
}

/// Returns the 95 % interval of the difference of two independent proportions, first minus second
/// (method 10 of Newcombe, "Interval estimation for the difference between independent
/// proportions", Statistics in Medicine 17, 1998).
pub fn difference(first: (usize, usize), second: (usize, usize)) -> Interval {
    let (one, two) = (wilson(first.0, first.1), wilson(second.0, second.1));
    let value = one.value - two.value;
    let distance = |a: f64, b: f64| (a * a + b * b).sqrt();
    Interval {
        value,
        low: value - distance(one.value - one.low, two.high - two.value),
        high: value + distance(one.high - one.value, two.value - two.low),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_intervals_are_those_of_newcombe() {
        // The examples of the papers of 1998: 81 of 263, and 56 of 70 against 48 of 80.
        let one = wilson(81, 263);
        assert!(
            (one.low - 0.2553).abs() < 5e-5 && (one.high - 0.3662).abs() < 5e-5,
            "{one:?}"
        );
        let two = difference((56, 70), (48, 80));
        assert!(
            (two.low - 0.0524).abs() < 5e-5 && (two.high - 0.3339).abs() < 5e-5,
            "{two:?}"
        );
        assert_eq!((wilson(0, 0).low, wilson(0, 0).high), (0.0, 1.0));
    }
}
