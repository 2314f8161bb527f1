//! How many questions show which difference between two arms on the same questions.
//!
//! The formula for McNemar's test is that of Connor, "Sample size for testing differences in
//! proportions for the paired-sample design", Biometrics 43, 1987.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::normal::{Z95, quantile};

/// The probability with which a trial should find a difference that exists.
pub const POWER: f64 = 0.8;
/// The share of questions on which two arms differ, if nothing is known. Two arms with 60 % and 70 %
/// that err independently differ on 46 %; models that share errors differ on fewer.
pub const ASSUMED_DISCORDANT: f64 = 0.3;

/// What a number of questions can show.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Power {
    /// The number of questions.
    pub questions: usize,
    /// The share of questions on which two arms are assumed to differ.
    pub discordant: f64,
    /// The smallest difference in accuracy that is found in four of five trials; null if not even the
    /// largest possible one is.
    pub smallest: Option<f64>,
    /// The questions needed for differences of 0.05, 0.1, 0.15 and 0.2.
    pub needed: Vec<Needed>,
}

/// The questions needed for a difference.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Needed {
    /// The difference in accuracy.
    pub difference: f64,
    /// The number of questions.
    pub questions: usize,
}

/// Returns what `questions` questions can show.
pub fn power(questions: usize, discordant: f64) -> Power {
    let differences = [0.05, 0.1, 0.15, 0.2];
    let needed = differences.into_iter().filter_map(|difference| {
        Some(Needed {
            difference,
            questions: questions_for(difference, discordant)?,
        })
    });
    // In steps of a thousandth, since more decimals mean nothing.
    let possible = (1..=1_000_u16).map(|step| f64::from(step) / 1_000.0);
    let mut shown = possible.filter(|&difference| {
        questions_for(difference, discordant).is_some_and(|needed| needed <= questions)
    });
    Power {
        questions,
        discordant,
        smallest: shown.next(),
        needed: needed.collect(),
    }
}

/// Returns how many questions show a difference in accuracy at the level 0.05 in four of five
/// trials. `None` if the arms cannot differ by that much on a share `discordant` of questions.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "not negative; the cast saturates"
)]
pub fn questions_for(difference: f64, discordant: f64) -> Option<usize> {
    let difference = difference.abs();
    if difference == 0.0 || difference > discordant || discordant > 1.0 {
        return None;
    }
    let spread = (discordant - difference * difference).max(0.0).sqrt();
    let root = Z95 * discordant.sqrt() + quantile(POWER) * spread;
    Some((root / difference).powi(2).ceil() as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::float;
    use crate::stats::mcnemar::PairTable;
    use crate::stats::random::Random;

    #[test]
    fn more_questions_show_smaller_differences() {
        // Connor's formula by hand: (1.96 √0.3 + 0.8416 √0.29)² / 0.01.
        assert_eq!(questions_for(0.1, 0.3), Some(234));
        assert_eq!(questions_for(0.4, 0.3), None);
        assert_eq!(questions_for(0.0, 0.3), None);
        let (few, many) = (power(50, 0.3), power(500, 0.3));
        assert!(few.smallest > many.smallest);
        assert_eq!(power(1, 0.3).smallest, None);
        assert_eq!(few.needed.len(), 4);
    }

    #[test]
    fn a_trial_of_the_computed_size_finds_the_difference_four_times_in_five() {
        let questions = questions_for(0.1, 0.3).unwrap();
        let mut random = Random::new(5);
        let found = (0..1_000).filter(|_| {
            let mut table = PairTable::default();
            for _ in 0..questions {
                match random.unit() {
                    unit if unit < 0.1 => table.only_first += 1,
                    unit if unit < 0.3 => table.only_second += 1,
                    _ => table.both += 1,
                }
            }
            // Without the correction, as the formula assumes.
            let (first, second) = (float(table.only_first), float(table.only_second));
            (second - first).powi(2) / (first + second) > Z95 * Z95
        });
        let share = float(found.count()) / 1_000.0;
        assert!((share - POWER).abs() < 0.04, "{share}");
    }
}
