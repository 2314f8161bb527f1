//! How much of what stands in a prompt is found.

use crate::design::Wording;
use crate::interval::wilson;
use crate::score::QuestionOutcome;

/// How many were found of those that were asked, and from what to what the true share is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RecallRate {
    /// Values that were found.
    pub found: u32,
    /// Questions that were answered.
    pub asked: u32,
    /// The lower end of the 95 % interval.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

impl RecallRate {
    /// The share that was found; none where nothing was asked.
    pub fn share(&self) -> Option<f64> {
        (self.asked > 0).then(|| f64::from(self.found) / f64::from(self.asked))
    }

    /// Of these outcomes; `deviations` is the width of the interval, `effect` by how much answers of
    /// one prompt are alike: so many of them say as much as one.
    pub(crate) fn count<'a>(
        outcomes: impl Iterator<Item = &'a QuestionOutcome>,
        deviations: f64,
        effect: f64,
    ) -> Self {
        let (mut found, mut asked) = (0, 0);
        for outcome in outcomes.filter(|it| it.is_answer()) {
            asked += 1;
            found += u32::from(*outcome == QuestionOutcome::Found);
        }
        let (low, high) = wilson(
            f64::from(found) / effect,
            f64::from(asked) / effect,
            deviations,
        );
        Self {
            found,
            asked,
            low,
            high,
        }
    }
}

/// What was measured with prompts of one length.
#[derive(Clone, Debug, PartialEq)]
pub struct LengthRecall {
    /// The length, in tokens as planned.
    pub planned: u64,
    /// The tokens that the tool counted, by the median; none where it counts none.
    pub read: Option<u64>,
    /// Calls that were made.
    pub calls: u32,
    /// Recall in all. The intervals of all lengths hold together: the chance that each of them has
    /// the true value is at least 95 %.
    pub recall: RecallRate,
    /// Recall on the curve that never rises.
    pub fitted: Option<f64>,
    /// By how much answers of one prompt are alike, at least 1: the interval is as wide as if so
    /// many times fewer questions had been asked.
    pub effect: f64,
    /// Recall by wording, literal first, each without and with distractors, with intervals of
    /// their own.
    pub parts: [(Wording, bool, RecallRate); 4],
    /// Recall by depth.
    pub depths: Vec<RecallRate>,
    /// How often each outcome came.
    pub outcomes: [(QuestionOutcome, u32); 7],
}
