//! Compares two trials on the questions that both have.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use crate::arm::Arm;
use crate::outcome::Outcome;
use crate::report::{Loaded, PairReport, pair_report, right_in_both};
use crate::stats::drift::{Drift, drift};

/// The schema of a comparison.
pub const COMPARISON_SCHEMA: &str = "agon.trial_comparison/1";

/// Two trials on the same questions.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Comparison {
    /// Always `agon.trial_comparison/1`.
    #[schemars(extend("const" = COMPARISON_SCHEMA))]
    pub schema: &'static str,
    /// The number of questions that both trials have.
    pub questions: usize,
    /// Each arm of both trials: the first trial against the second.
    pub arms: Vec<PairReport>,
    /// Whether the answers to the anchors have changed, for each arm that is a debate.
    pub drift: BTreeMap<String, Drift>,
}

/// Compares the trials `first` and `second`. Questions are the same if their id, text and answer
/// are.
pub fn compare(first: &Loaded, second: &Loaded) -> Comparison {
    let key = |loaded: &Loaded| -> BTreeMap<String, (String, String, bool)> {
        let questions = loaded.questions.iter().cloned();
        let key = questions.map(|it| (it.id, (it.text, it.answer, it.anchor)));
        key.collect()
    };
    let (one, two) = (key(first), key(second));
    let is_same = |id: &str| match (one.get(id), two.get(id)) {
        (Some(one), Some(two)) => (&one.0, &one.1) == (&two.0, &two.1),
        _ => false,
    };
    let is_anchor = |id: &str| one.get(id).is_some_and(|question| question.2);
    let of = |loaded: &Loaded, arm: Arm| -> Vec<Outcome> {
        let outcomes = loaded.outcomes.iter();
        let of_it = outcomes.filter(|it| it.arm == arm && is_same(&it.question));
        of_it.cloned().collect()
    };
    let mut comparison = Comparison {
        schema: COMPARISON_SCHEMA,
        questions: one.keys().filter(|id| is_same(id)).count(),
        arms: Vec::new(),
        drift: BTreeMap::new(),
    };
    for arm in Arm::ALL {
        let (before, after) = (of(first, arm), of(second, arm));
        let pairs = right_in_both(before.iter(), after.iter());
        if pairs.is_empty() {
            continue;
        }
        comparison
            .arms
            .push(pair_report(arm, arm, &pairs, first.trial.seed));
        let later: BTreeMap<&str, &Outcome> =
            after.iter().map(|it| (it.question.as_str(), it)).collect();
        let anchors = before.iter().filter(|it| is_anchor(&it.question));
        let anchors: Vec<_> = anchors
            .filter_map(|before| {
                let after = later.get(before.question.as_str())?;
                Some((answer(before)?, answer(after)?))
            })
            .collect();
        if arm.is_debate() && !anchors.is_empty() {
            comparison
                .drift
                .insert(arm.name().to_owned(), drift(&anchors));
        }
    }
    comparison
}

/// Returns the answer and whether it is right; `None` without a text.
fn answer(outcome: &Outcome) -> Option<(&str, bool)> {
    if outcome.texts.is_empty() {
        return None;
    }
    Some((
        outcome.answer.as_deref().unwrap_or_default(),
        outcome.is_right(),
    ))
}
