//! McNemar's test of two arms on the same questions (McNemar, "Note on the sampling error of the
//! difference between correlated proportions or percentages", Psychometrika 12, 1947).

use std::f64::consts::LN_2;

use libm::erfc;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::bootstrap;
use super::proportion::wilson;
use super::{Interval, float};

/// How two arms answered the same questions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PairTable {
    /// Questions that both answered right.
    pub both: usize,
    /// Questions that only the first arm answered right.
    pub only_first: usize,
    /// Questions that only the second arm answered right.
    pub only_second: usize,
    /// Questions that neither answered right.
    pub neither: usize,
}

impl PairTable {
    /// Counts pairs: whether the first and whether the second arm was right.
    pub fn of(pairs: &[(bool, bool)]) -> Self {
        let mut table = Self::default();
        for pair in pairs {
            *match pair {
                (true, true) => &mut table.both,
                (true, false) => &mut table.only_first,
                (false, true) => &mut table.only_second,
                (false, false) => &mut table.neither,
            } += 1;
        }
        table
    }

    /// Returns the number of questions.
    pub fn count(&self) -> usize {
        self.both + self.only_first + self.only_second + self.neither
    }

    /// Returns the exact two-sided p-value: a binomial test of the questions on which the arms
    /// differ. 1 if there is none.
    pub fn exact_p(&self) -> f64 {
        let discordant = self.only_first + self.only_second;
        let fewer = self.only_first.min(self.only_second);
        // The logarithm of `discordant` over k, from the one before.
        let mut log_choose = 0.0;
        let mut sum = 0.0;
        for k in 0..=fewer {
            if k > 0 {
                log_choose += (float(discordant + 1 - k) / float(k)).ln();
            }
            sum += (log_choose - float(discordant) * LN_2).exp();
        }
        (2.0 * sum).min(1.0)
    }

    /// Returns the chi-squared statistic with the continuity correction of Edwards (1948), and its
    /// p-value. For more than 25 discordant questions it agrees well with [`PairTable::exact_p`].
    pub fn chi_squared(&self) -> (f64, f64) {
        let discordant = float(self.only_first + self.only_second);
        if discordant == 0.0 {
            return (0.0, 1.0);
        }
        // The correction brings a difference towards 0, not past it.
        let difference = (float(self.only_first.abs_diff(self.only_second)) - 1.0).max(0.0);
        let statistic = difference * difference / discordant;
        (statistic, erfc((statistic / 2.0).sqrt()))
    }
}

/// Returns the difference in accuracy, second minus first, with its interval over questions.
pub fn difference(pairs: &[(bool, bool)], seed: u64) -> Interval {
    let values: Vec<f64> = pairs
        .iter()
        .map(|&(first, second)| f64::from(u8::from(second)) - f64::from(u8::from(first)))
        .collect();
    let found = bootstrap::mean_interval(&values, seed);
    if found.low < found.high {
        return found;
    }
    // Resamples do not vary if the arms differ on no question, or on all in the same way. Other
    // questions may be unlike these with the probability of the score interval.
    let margin = wilson(0, values.len()).high;
    Interval {
        low: (found.value - margin).max(-1.0),
        high: (found.value + margin).min(1.0),
        ..found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arms_that_never_differ_are_not_different() {
        let table = PairTable::of(&[(true, true), (false, false)]);
        assert_eq!(table.exact_p(), 1.0);
        assert_eq!(table.chi_squared(), (0.0, 1.0));
        assert_eq!(table.count(), 2);
        let none = difference(&[(true, true); 50], 1);
        assert!(
            none.value == 0.0 && none.low < -0.05 && none.high > 0.05,
            "{none:?}"
        );
    }

    #[test]
    fn a_hundred_thousand_questions_have_a_p_value() {
        let table = PairTable {
            only_first: 49_000,
            only_second: 51_000,
            ..PairTable::default()
        };
        let (exact, (_, approximate)) = (table.exact_p(), table.chi_squared());
        assert!(
            (exact / approximate - 1.0).abs() < 0.01,
            "{exact} {approximate}"
        );
    }
}
