//! The report of a trial: computed from its folder, without a call.

use std::collections::{BTreeMap, BTreeSet};

use agon_batch::folder::BatchFolder;
use agon_batch::request::BatchRequest;
use agon_batch::results;
use agon_caller::{Caller, Failure};
use schemars::JsonSchema;
use serde::Serialize;

use crate::arm::Arm;
use crate::folder::TrialFolder;
use crate::grade::Grade;
use crate::outcome::{Outcome, outcomes};
use crate::question::Question;
use crate::stats::bootstrap::{interval, share_interval};
use crate::stats::calibration::{Calibration, calibration};
use crate::stats::flips::{Flips, flips};
use crate::stats::mcnemar::{PairTable, difference};
use crate::stats::power::{ASSUMED_DISCORDANT, Power, power};
use crate::stats::wins::{Win, Wins, wins};
use crate::stats::{Interval, float};
use crate::stored::TrialDoc;
use crate::votes::reference;

/// The schema of a report.
pub const REPORT_SCHEMA: &str = "agon.trial_report/1";

/// The report of a trial.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Report {
    /// Always `agon.trial_report/1`.
    #[schemars(extend("const" = REPORT_SCHEMA))]
    pub schema: &'static str,
    /// The settings of the trial.
    pub trial: TrialDoc,
    /// The number of questions.
    pub questions: usize,
    /// Whether every arm has answered every question.
    pub complete: bool,
    /// The arms.
    pub arms: Vec<ArmReport>,
    /// Every two arms, on the questions that both have answered.
    pub pairs: Vec<PairReport>,
    /// What this number of questions can show.
    pub power: Power,
}

/// The results of an arm.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ArmReport {
    /// The arm.
    pub arm: Arm,
    /// The questions that it has ended.
    pub questions: usize,
    /// Right answers.
    pub right: usize,
    /// Wrong answers.
    pub wrong: usize,
    /// Texts in which no answer was found.
    pub unreadable: usize,
    /// Questions without a text, because the call or the debate failed.
    pub failed: usize,
    /// Answers that are missing, because the call or the debate failed; those of a vote count one by
    /// one.
    pub lost: usize,
    /// The share of right answers in all questions, with a bootstrap interval over questions.
    pub accuracy: Interval,
    /// The mean tokens of a question.
    pub tokens: f64,
    /// The tokens as a multiple of those of the duel, or else of the first arm that is a debate, on
    /// the questions that both have ended; null without one.
    pub tokens_ratio: Option<f64>,
    /// The tokens for each right answer; null without one.
    pub tokens_per_right: Option<Interval>,
    /// The cost for each right answer in US dollars; null without one, or if a call has no price.
    pub cost_per_right: Option<Interval>,
    /// The mean calls of a question.
    pub calls: f64,
    /// The calibration; null if no answer names a confidence.
    pub calibration: Option<Calibration>,
    /// How often the judge changed sides; null without debates that were judged twice.
    pub flips: Option<Flips>,
    /// Who won; null without debates.
    pub wins: Option<Wins>,
}

/// Two arms on the same questions.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct PairReport {
    /// The first arm.
    pub first: Arm,
    /// The second arm.
    pub second: Arm,
    /// Whether the arms differ in the way to answer alone. `evidence` does not if it has read a
    /// passage that is hidden from the other arm.
    pub comparable: bool,
    /// The accuracy of the first arm on these questions.
    pub first_accuracy: f64,
    /// The accuracy of the second arm on these questions.
    pub second_accuracy: f64,
    /// How they answered.
    pub table: PairTable,
    /// The difference in accuracy, second minus first.
    pub difference: Interval,
    /// The p-value of McNemar's exact test; null if the arms are not comparable.
    pub exact_p: Option<f64>,
    /// The chi-squared statistic with continuity correction; null if the arms are not comparable.
    pub chi_squared: Option<f64>,
    /// Its p-value.
    pub chi_squared_p: Option<f64>,
}

/// A trial that was read from its folder.
#[derive(Clone, Debug, PartialEq)]
pub struct Loaded {
    /// Its settings.
    pub trial: TrialDoc,
    /// Its questions.
    pub questions: Vec<Question>,
    /// What was answered.
    pub outcomes: Vec<Outcome>,
    /// The number of answers of a whole trial: of every question by every arm that asks it.
    pub planned: usize,
}

/// Reads a trial from its folder.
///
/// # Errors
///
/// If there is no trial, or a file cannot be read.
pub fn load(caller: &Caller, folder: &TrialFolder) -> Result<Loaded, Failure> {
    let path = caller.cwd.join(folder.path());
    let folder = TrialFolder::new(&path);
    let (trial, questions, plan) = folder.read_all()?;
    let files = BatchFolder::of(
        caller,
        &BatchRequest {
            folder: Some(path.clone()),
            ..BatchRequest::default()
        },
    );
    let results = results::read(&files)?;
    let outcomes = outcomes(&path, &trial, &questions, &plan, &results);
    let asked = |arm: Arm| {
        questions
            .iter()
            .filter(move |it| it.is_asked_by(arm))
            .count()
    };
    let planned = trial.arms.iter().map(|&arm| asked(arm)).sum();
    Ok(Loaded {
        trial,
        questions,
        outcomes,
        planned,
    })
}

/// Computes the report of a trial.
pub fn report(loaded: &Loaded) -> Report {
    let Loaded {
        trial,
        questions,
        outcomes,
        planned,
    } = loaded;
    let of = |arm: Arm| outcomes.iter().filter(move |outcome| outcome.arm == arm);
    let arms: Vec<Arm> = Arm::ALL
        .into_iter()
        .filter(|&arm| of(arm).next().is_some())
        .collect();
    let debate = reference(arms.iter().copied());
    let reports = arms.iter().map(|&arm| {
        let outcomes: Vec<&Outcome> = of(arm).collect();
        ArmReport {
            tokens_ratio: debate.and_then(|debate| tokens_ratio(of(arm), of(debate))),
            ..arm_report(arm, &outcomes, trial.seed)
        }
    });
    let hidden = questions.iter().filter(|question| question.hidden);
    let hidden: BTreeSet<&str> = hidden.map(|question| question.id.as_str()).collect();
    let reads_hidden = |outcome: &Outcome| hidden.contains(outcome.question.as_str());
    let mut pairs = Vec::new();
    for (at, &first) in arms.iter().enumerate() {
        for &second in arms.iter().skip(at + 1) {
            let pair = right_in_both(of(first), of(second));
            if !pair.is_empty() {
                // `evidence` has answered questions with a passage only.
                let unfair =
                    [first, second].contains(&Arm::Evidence) && of(Arm::Evidence).any(reads_hidden);
                let pair = pair_report(first, second, &pair, trial.seed);
                pairs.push(if unfair { pair.not_comparable() } else { pair });
            }
        }
    }
    // The plan of a vote is not known before its number of answers is.
    let is_planned = trial.votes.is_some() || !trial.arms.iter().any(|arm| arm.is_vote());
    Report {
        schema: REPORT_SCHEMA,
        trial: trial.clone(),
        questions: questions.len(),
        complete: is_planned && outcomes.len() == *planned,
        arms: reports.collect(),
        pairs,
        power: power(questions.len(), ASSUMED_DISCORDANT),
    }
}

/// Returns whether the first and whether the second were right, for each question of both.
pub(crate) fn right_in_both<'a>(
    first: impl Iterator<Item = &'a Outcome>,
    second: impl Iterator<Item = &'a Outcome>,
) -> Vec<(bool, bool)> {
    let second: BTreeMap<&str, bool> = second
        .map(|outcome| (outcome.question.as_str(), outcome.is_right()))
        .collect();
    first
        .filter_map(|outcome| {
            let other = second.get(outcome.question.as_str())?;
            Some((outcome.is_right(), *other))
        })
        .collect()
}

/// Compares two arms.
pub(crate) fn pair_report(
    first: Arm,
    second: Arm,
    pairs: &[(bool, bool)],
    seed: u64,
) -> PairReport {
    let table = PairTable::of(pairs);
    let (chi_squared, chi_squared_p) = table.chi_squared();
    let share = |right: usize| float(right) / float(table.count().max(1));
    PairReport {
        first,
        second,
        comparable: true,
        first_accuracy: share(table.both + table.only_first),
        second_accuracy: share(table.both + table.only_second),
        table,
        difference: difference(pairs, seed),
        exact_p: Some(table.exact_p()),
        chi_squared: Some(chi_squared),
        chi_squared_p: Some(chi_squared_p),
    }
}

impl PairReport {
    /// Returns the pair without the tests, which would compare the arms.
    fn not_comparable(self) -> Self {
        Self {
            comparable: false,
            exact_p: None,
            chi_squared: None,
            chi_squared_p: None,
            ..self
        }
    }
}

/// Returns the tokens of an arm as a multiple of those of `debate`, on the questions of both.
fn tokens_ratio<'a>(
    arm: impl Iterator<Item = &'a Outcome>,
    debate: impl Iterator<Item = &'a Outcome>,
) -> Option<f64> {
    let debate: BTreeMap<&str, f64> = debate
        .map(|outcome| (outcome.question.as_str(), tokens(outcome)))
        .collect();
    let both = arm.filter_map(|outcome| {
        let debate = debate.get(outcome.question.as_str())?;
        Some((tokens(outcome), *debate))
    });
    let (own, of_debate) = both.fold((0.0, 0.0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
    (of_debate > 0.0).then(|| own / of_debate)
}

/// Computes the results of an arm.
pub(crate) fn arm_report(arm: Arm, outcomes: &[&Outcome], seed: u64) -> ArmReport {
    let count = |grade: Grade| outcomes.iter().filter(|it| it.grade == grade).count();
    let right: Vec<bool> = outcomes.iter().map(|outcome| outcome.is_right()).collect();
    let mean = |of: fn(&Outcome) -> f64| {
        outcomes.iter().map(|outcome| of(outcome)).sum::<f64>() / float(outcomes.len().max(1))
    };
    let per_right = |of: fn(&Outcome) -> f64| {
        let rows: Vec<_> = outcomes.iter().map(|it| (of(it), it.is_right())).collect();
        cost_per_right(&rows, seed)
    };
    let has_cost = outcomes.iter().all(|outcome| outcome.priced)
        && outcomes.iter().any(|outcome| outcome.cost_usd > 0.0);
    let sure: Vec<_> = outcomes
        .iter()
        .filter_map(|outcome| Some((outcome.confidence?, outcome.is_right())))
        .collect();
    let debates = outcomes
        .iter()
        .filter_map(|it| Some((it.debate.as_ref()?, it.is_right())));
    let asked_twice: Vec<_> = debates
        .clone()
        .filter_map(|(debate, right)| Some((debate.flipped?, !right)))
        .collect();
    let won: Vec<_> = debates
        .filter_map(|(debate, _)| {
            let [winner_length, loser_length] = debate.lengths?;
            Some(Win {
                winner_length,
                loser_length,
                spoke_first: debate.first_won?,
            })
        })
        .collect();
    ArmReport {
        arm,
        questions: outcomes.len(),
        right: count(Grade::Right),
        wrong: count(Grade::Wrong),
        unreadable: count(Grade::Unreadable),
        failed: count(Grade::Failed),
        lost: outcomes.iter().map(|outcome| outcome.lost).sum(),
        accuracy: share_interval(&right, seed),
        tokens: mean(tokens),
        tokens_ratio: None,
        tokens_per_right: per_right(tokens),
        cost_per_right: per_right(|outcome| outcome.cost_usd).filter(|_| has_cost),
        calls: mean(|outcome| f64::from(outcome.calls)),
        calibration: (!sure.is_empty()).then(|| calibration(&sure, seed)),
        flips: (!asked_twice.is_empty()).then(|| flips(&asked_twice)),
        wins: (!won.is_empty()).then(|| wins(&won)),
    }
}

/// Returns the cost for each right answer: the sum of costs over the number of right answers, with
/// an interval over questions.
fn cost_per_right(rows: &[(f64, bool)], seed: u64) -> Option<Interval> {
    let ratio = |rows: &[(f64, bool)]| {
        let right = rows.iter().filter(|(_, right)| *right).count();
        // A resample without a right answer has no cost for one, and is left out.
        match right {
            0 => f64::NAN,
            right => rows.iter().map(|(cost, _)| cost).sum::<f64>() / float(right),
        }
    };
    rows.iter()
        .any(|(_, right)| *right)
        .then(|| interval(rows, seed, ratio))
}

#[expect(clippy::cast_precision_loss, reason = "far less than 2^52 tokens")]
fn tokens(outcome: &Outcome) -> f64 {
    outcome.tokens as f64
}

#[cfg(test)]
pub(crate) mod tests;
