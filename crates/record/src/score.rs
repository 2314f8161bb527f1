//! Scores in whole thousandths, so that sums are exact.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, Neg, Sub};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A score in thousandths; an argument's score is between -1 and 1.
///
/// Serialized as a plain number; deserialized from any number, with rounding.
///
/// ```
/// # use agon_record::score::Score;
/// let score: Score = serde_json::from_str("0.35")?;
/// assert_eq!((score.thousandths(), score.to_string()), (350, "+0.350".to_owned()));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(i32);

impl Score {
    /// Zero.
    pub const ZERO: Self = Self(0);
    /// The highest score of a single argument; its negation is the lowest.
    pub const ONE: Self = Self(1_000);
    /// The largest change of a score in a rescoring.
    pub const MAX_STEP: Self = Self(500);
    /// Sums within this distance of zero count as zero.
    pub const TOLERANCE: Self = Self(10);

    /// Creates a score of `thousandths`.
    pub const fn new(thousandths: i32) -> Self {
        Self(thousandths)
    }

    /// Returns the score as whole thousandths.
    pub const fn thousandths(self) -> i32 {
        self.0
    }

    /// Returns the score nearest to `number`.
    pub fn from_f64(number: f64) -> Self {
        // Safe, because the cast saturates and JSON has no NaN.
        Self((number * 1_000.0).round() as i32)
    }

    /// Returns the score as a number.
    pub fn to_f64(self) -> f64 {
        f64::from(self.0) / 1_000.0
    }

    /// Returns the absolute value.
    pub const fn abs(self) -> Self {
        Self(self.0.saturating_abs())
    }

    /// Returns whether the score counts as zero in a sum.
    pub fn is_zero_within_tolerance(self) -> bool {
        self.abs() <= Self::TOLERANCE
    }

    /// Returns whether a single argument may have this score.
    pub fn is_in_range(self) -> bool {
        self.abs() <= Self::ONE
    }
}

impl Add for Score {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl Sub for Score {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

impl Neg for Score {
    type Output = Self;

    fn neg(self) -> Self {
        Self(self.0.saturating_neg())
    }
}

impl Sum for Score {
    fn sum<I: Iterator<Item = Self>>(scores: I) -> Self {
        scores.fold(Self::ZERO, Add::add)
    }
}

/// With its sign and three decimals, such as `+0.350`.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = match self.0 {
            0 => "",
            1.. => "+",
            _ => "-",
        };
        let size = self.0.unsigned_abs();
        write!(f, "{sign}{}.{:03}", size / 1_000, size % 1_000)
    }
}

impl Serialize for Score {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.to_f64())
    }
}

impl<'de> Deserialize<'de> for Score {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        f64::deserialize(deserializer).map(Self::from_f64)
    }
}

/// Reads the score of an argument.
///
/// A score out of range stays out of range, however close it is: rounding must not hide the fault.
pub(crate) fn deserialize_argument_score<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Score, D::Error> {
    let number = f64::deserialize(deserializer)?;
    let score = Score::from_f64(number);
    let beyond = Score::new(Score::ONE.thousandths() + 1);
    Ok(match number.abs() > 1.0 && score.is_in_range() {
        true if number > 0.0 => beyond,
        true => -beyond,
        false => score,
    })
}

impl JsonSchema for Score {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Score".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "number" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_score_reads_back_as_it_was_written(thousandths in -2_000..2_000i32) {
            let score = Score::new(thousandths);
            let text = serde_json::to_string(&score).unwrap();
            prop_assert_eq!(serde_json::from_str::<Score>(&text).unwrap(), score);
        }
    }

    #[test]
    fn numbers_are_rounded_to_thousandths_and_huge_ones_stay_out_of_range() {
        let read = |text| serde_json::from_str::<Score>(text).ok();
        assert_eq!(read("0.3"), Some(Score::new(300)));
        assert_eq!(read("-1"), Some(Score::new(-1_000)));
        assert_eq!(read("0.12345"), Some(Score::new(123)));
        assert!(!read("1e300").unwrap().is_in_range());
        assert_eq!(read("\"0.3\""), None);
        assert_eq!(read("NaN"), None);
    }

    #[test]
    fn a_score_that_is_given_out_of_range_is_not_rounded_into_it() {
        let read =
            |text| deserialize_argument_score(&mut serde_json::Deserializer::from_str(text)).ok();
        for (text, thousandths) in [
            ("1.0000001", 1_001),
            ("-1.0004", -1_001),
            ("1.2", 1_200),
            ("1", 1_000),
            ("-1.0", -1_000),
            ("0.9999", 1_000),
            ("0.0004", 0),
        ] {
            assert_eq!(read(text), Some(Score::new(thousandths)), "{text}");
        }
        assert_eq!(read("\"0.3\""), None);
    }

    #[test]
    fn ten_thousandths_are_still_zero() {
        assert!(Score::new(-10).is_zero_within_tolerance());
        assert!(!Score::new(11).is_zero_within_tolerance());
    }
}
