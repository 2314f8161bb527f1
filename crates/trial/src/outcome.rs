//! What an arm answered to a question, from the stored results and debates.

use std::collections::BTreeMap;
use std::path::Path;

use agon_batch::results::{BatchResult, ResultStatus};
use agon_caller::find;
use agon_record::id::Seat;
use agon_record::state::State;
use agon_verdict::verdict::{Trial as SwapTrial, verdict_without_graph};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::arm::Arm;
use crate::grade::{Grade, Reading, grade, read};
use crate::present::present;
use crate::question::Question;
use crate::stats::float;
use crate::stored::{PlannedRow, TrialDoc};

/// The schema of an outcome.
pub const OUTCOME_SCHEMA: &str = "agon.trial_outcome/1";

/// What an arm answered to a question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Outcome {
    /// Always `agon.trial_outcome/1`.
    #[schemars(extend("const" = OUTCOME_SCHEMA))]
    pub schema: String,
    /// The question.
    pub question: String,
    /// The arm.
    pub arm: Arm,
    /// The answer as it was read; null if it is unreadable or missing.
    pub answer: Option<String>,
    /// How it was graded.
    pub grade: Grade,
    /// The confidence, from 0 to 1: the one that the answer names, or the share of the votes.
    pub confidence: Option<f64>,
    /// The answers that were given, in a vote; otherwise 1, or 0 without one.
    pub answers: usize,
    /// The answers that are missing, because the call or the debate failed.
    pub lost: usize,
    /// The calls.
    pub calls: u32,
    /// The tokens, in and out.
    pub tokens: u64,
    /// The cost in US dollars, as far as tools report it.
    pub cost_usd: f64,
    /// Whether every answer and debate with a call has a cost. A debate has one if any of its calls
    /// has.
    pub priced: bool,
    /// The running time in seconds, of all calls together.
    pub seconds: f64,
    /// What the debate shows beside its answer; null without a debate.
    pub debate: Option<DebateFacts>,
    /// The answers as they were given, in the order of samples.
    pub texts: Vec<String>,
    /// The debate's folder, relative to that of the trial.
    pub folder: Option<String>,
}

impl Outcome {
    /// Returns whether the answer is right.
    pub fn is_right(&self) -> bool {
        self.grade == Grade::Right
    }
}

/// What a debate shows beside its answer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DebateFacts {
    /// How far the verdict was tested.
    pub authority: Option<String>,
    /// Whether the other side won with the sides swapped; null if the judge was not asked again.
    pub flipped: Option<bool>,
    /// Whether the side that spoke first won; null without a winner.
    pub first_won: Option<bool>,
    /// The characters that the winner and the loser wrote; null without a winner.
    pub lengths: Option<[usize; 2]>,
}

/// A question and an arm, with the results of its rows; `None` for a row without one.
type Group<'a> = ((&'a str, Arm), Vec<Option<&'a BatchResult>>);

/// Returns the outcomes of a plan whose results are complete, in the order of the plan: those of a
/// vote only once all its answers have ended.
///
/// Reads the debate folders below `folder`, which takes about a millisecond for each.
pub fn outcomes(
    folder: &Path,
    trial: &TrialDoc,
    questions: &[Question],
    plan: &[PlannedRow],
    results: &[BatchResult],
) -> Vec<Outcome> {
    let results: BTreeMap<&str, &BatchResult> = results
        .iter()
        .map(|result| (result.identity.as_str(), result))
        .collect();
    let mut groups: Vec<Group<'_>> = Vec::new();
    let mut place = BTreeMap::new();
    for row in plan {
        let key = (row.question.as_str(), row.arm);
        let at = *place.entry(key).or_insert(groups.len());
        if at == groups.len() {
            groups.push((key, Vec::new()));
        }
        if let Some((_, group)) = groups.get_mut(at) {
            group.push(results.get(row.identity.as_str()).copied());
        }
    }
    let questions: BTreeMap<&str, &Question> = questions
        .iter()
        .map(|question| (question.id.as_str(), question))
        .collect();
    let outcome = |((question, arm), group): Group<'_>| {
        let question = questions.get(question)?;
        let group: Vec<_> = group.into_iter().collect::<Option<_>>()?;
        Some(outcome(folder, trial.seed, question, arm, &group))
    };
    groups.into_iter().filter_map(outcome).collect()
}

fn outcome(
    folder: &Path,
    seed: u64,
    question: &Question,
    arm: Arm,
    results: &[&BatchResult],
) -> Outcome {
    let presented = present(question, seed);
    let done = results
        .iter()
        .filter(|result| result.status == ResultStatus::Done);
    let texts: Vec<_> = done.filter_map(|result| result.answer.clone()).collect();
    let readings: Vec<_> = texts
        .iter()
        .map(|text| read(question, &presented, text))
        .collect();
    let (answer, confidence) = match arm.is_vote() {
        true => majority(&readings, results.len()),
        false => readings.first().map_or((None, None), |reading| {
            (reading.answer.clone(), reading.confidence)
        }),
    };
    let mut folders = results.iter().filter_map(|result| result.folder.as_ref());
    let debate_folder = folders.next_back().filter(|_| arm.is_debate()).cloned();
    let debate = debate_folder.as_ref().and_then(|name| {
        let view = find::read(&folder.join(name)).ok()?;
        Some(facts(&view.state))
    });
    Outcome {
        schema: OUTCOME_SCHEMA.to_owned(),
        question: question.id.clone(),
        arm,
        grade: match texts.is_empty() {
            true => Grade::Failed,
            false => grade(question, answer.as_deref()),
        },
        confidence: confidence.filter(|_| answer.is_some()),
        answer,
        answers: texts.len(),
        lost: results.len() - texts.len(),
        calls: results.iter().map(|result| result.calls).sum(),
        tokens: results.iter().map(|result| result.tokens).sum(),
        cost_usd: results.iter().map(|result| result.cost_usd).sum(),
        priced: results
            .iter()
            .all(|result| result.calls == 0 || result.cost_usd > 0.0),
        seconds: results.iter().map(|result| result.seconds).sum(),
        debate,
        texts,
        folder: debate_folder,
    }
}

/// Returns the most frequent answer, the earliest of several, and its share of the `planned`
/// answers, some of which may be missing.
fn majority(readings: &[Reading], planned: usize) -> (Option<String>, Option<f64>) {
    let answers: Vec<&String> = readings
        .iter()
        .filter_map(|it| it.answer.as_ref())
        .collect();
    let votes = |answer: &String| answers.iter().filter(|other| **other == answer).count();
    let most = answers
        .iter()
        .map(|answer| votes(answer))
        .max()
        .unwrap_or(0);
    let winner = answers.iter().find(|answer| votes(answer) == most);
    let share = float(most) / float(planned.max(1));
    (
        winner.map(|winner| (*winner).clone()),
        winner.map(|_| share),
    )
}

fn facts(state: &State) -> DebateFacts {
    let Some(verdict) = verdict_without_graph(state) else {
        return DebateFacts::default();
    };
    let length = |seat: Seat| -> usize {
        let nodes = state.nodes().into_iter().filter(|node| node.seat() == seat);
        let texts = nodes.flat_map(|node| [node.point.title(), Some(node.point.main_text())]);
        texts.flatten().map(|text| text.chars().count()).sum()
    };
    let winner = verdict.winner;
    let loser = winner.and_then(|winner| match winner {
        Seat::Proposer => Some(Seat::Challenger),
        Seat::Challenger => Some(Seat::Proposer),
        _ => None,
    });
    DebateFacts {
        authority: Some(verdict.authority.name().to_owned()),
        flipped: match verdict.stability.swap {
            SwapTrial::Same => Some(false),
            SwapTrial::Flipped => Some(true),
            SwapTrial::NotRun => None,
        },
        first_won: loser.map(|loser| loser == Seat::Challenger),
        lengths: winner
            .zip(loser)
            .map(|(winner, loser)| [length(winner), length(loser)]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reading(answer: Option<&str>) -> Reading {
        Reading {
            answer: answer.map(str::to_owned),
            confidence: None,
        }
    }

    #[test]
    fn the_most_frequent_answer_wins_and_unreadable_ones_lower_its_share() {
        let votes = ["x", "y", "y", ""].map(|it| reading((!it.is_empty()).then_some(it)));
        assert_eq!(majority(&votes, 4), (Some("y".to_owned()), Some(0.5)));
        // The earliest of a tie.
        assert_eq!(majority(&votes[..2], 2).0.as_deref(), Some("x"));
        assert_eq!(majority(&[reading(None)], 1), (None, None));
        // Five of six calls failed.
        let (winner, share) = majority(&votes[..1], 6);
        assert_eq!(winner.as_deref(), Some("x"));
        assert!(share.is_some_and(|share| (share - 1.0 / 6.0).abs() < 1e-9));
    }
}
