//! Compares two trials on the questions that both have.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use crate::arm::Arm;
use crate::outcome::Outcome;
use crate::question::Question;
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
    /// Whether the answers to the anchors have changed, for each arm that is a debate. The debates
    /// are held again, so the sides may have changed as well as the judge.
    pub drift: BTreeMap<String, Drift>,
}

/// Compares the trials `first` and `second`. Questions are the same if their id, text,
/// options, answer, checker and passage are.
pub fn compare(first: &Loaded, second: &Loaded) -> Comparison {
    let key = |loaded: &Loaded| -> BTreeMap<String, (Question, bool)> {
        let questions = loaded.questions.iter().cloned();
        let key = questions.map(|it| {
            let anchor = it.anchor;
            let same = Question {
                anchor: false,
                canary: None,
                ..it
            };
            (same.id.clone(), (same, anchor))
        });
        key.collect()
    };
    let (one, two) = (key(first), key(second));
    let is_same = |id: &str| match (one.get(id), two.get(id)) {
        (Some(one), Some(two)) => one.0 == two.0,
        _ => false,
    };
    let is_anchor = |id: &str| one.get(id).is_some_and(|question| question.1);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::tests::loaded;

    #[test]
    fn a_question_with_other_options_or_another_passage_is_another_question() {
        let question = |id: usize| Question {
            id: format!("q{id}"),
            text: "?".to_owned(),
            options: vec!["x".to_owned(), "y".to_owned()],
            ..Question::default()
        };
        let mut first = loaded();
        first.questions = (0..4).map(question).collect();
        let mut second = first.clone();
        second.questions[1].options.reverse();
        second.questions[2].context = Some("It is y.".to_owned());
        second.questions[3].anchor = true;
        let comparison = compare(&first, &second);
        assert_eq!(comparison.questions, 2);
        assert_eq!(comparison.arms[0].table.count(), 2);
    }
}
