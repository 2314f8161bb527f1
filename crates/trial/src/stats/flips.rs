//! How often the judge rules for the other side when the sides are swapped, and whether that
//! predicts a wrong answer. (Zheng et al., "Judging LLM-as-a-judge with MT-Bench and Chatbot Arena",
//! NeurIPS 2023, call it position bias.)

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Interval;
use super::proportion::{difference, wilson};

/// The flips of an arm.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Flips {
    /// The debates whose judge was asked twice.
    pub asked: usize,
    /// The share of them in which the other side won the second time.
    pub rate: Interval,
    /// The share of wrong answers after a flip minus that without one; null if one of the two groups
    /// is empty. A flip predicts an error if the interval is above 0.
    pub predicts_error: Option<Interval>,
}

/// Counts the flips: for each debate, whether it flipped and whether its answer was wrong.
pub fn flips(debates: &[(bool, bool)]) -> Flips {
    let count = |flipped: bool, wrong: Option<bool>| {
        let of_it = debates
            .iter()
            .filter(|debate| debate.0 == flipped && wrong.is_none_or(|wrong| debate.1 == wrong));
        of_it.count()
    };
    let (with, without) = (count(true, None), count(false, None));
    Flips {
        asked: debates.len(),
        rate: wilson(with, debates.len()),
        predicts_error: (with > 0 && without > 0).then(|| {
            let wrong = |flipped| count(flipped, Some(true));
            difference((wrong(true), with), (wrong(false), without))
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flips_that_go_with_errors_predict_them() {
        let debates = [[(true, true); 10], [(false, false); 10]].concat();
        let found = flips(&debates);
        assert_eq!((found.asked, found.rate.value), (20, 0.5));
        assert!(found.predicts_error.unwrap().low > 0.0);
        assert_eq!(flips(&debates[..10]).predicts_error, None);
        assert_eq!(flips(&[]).asked, 0);
    }
}
