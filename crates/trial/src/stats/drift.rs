//! Whether debates change: the same fixed questions ("anchors") in an earlier and a later trial. The
//! debates are held again, so a change may be that of a side or of the judge.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Interval;
use super::mcnemar::PairTable;
use super::proportion::wilson;

/// The drift between two trials.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Drift {
    /// The anchors that both trials answered.
    pub anchors: usize,
    /// The share of anchors with another answer.
    pub changed: Interval,
    /// The exact p-value of McNemar's test of right answers, earlier against later.
    pub p: f64,
}

/// An answer, and whether it is right.
pub type Graded<'a> = (&'a str, bool);

/// Computes the drift over anchors: the earlier and the later answer to each.
pub fn drift(anchors: &[(Graded<'_>, Graded<'_>)]) -> Drift {
    let changed = anchors.iter().filter(|(before, after)| before.0 != after.0);
    let pairs: Vec<_> = anchors.iter().map(|(one, two)| (one.1, two.1)).collect();
    Drift {
        anchors: anchors.len(),
        changed: wilson(changed.count(), anchors.len()),
        p: PairTable::of(&pairs).exact_p(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debates_that_change_every_answer_have_drifted() {
        let same = [(("A", true), ("A", true)); 12];
        assert_eq!(drift(&same).changed.value, 0.0);
        let other = [(("A", true), ("B", false)); 12];
        let found = drift(&other);
        assert_eq!(found.changed.value, 1.0);
        assert!(found.p < 0.001);
    }
}
