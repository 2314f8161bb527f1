//! Combines the scores of several judges.
//!
//! Each argument gets the median of its scores. The medians are then shifted equally, in whole
//! thousandths, until they sum to zero and each is between -1 and 1. A rescore counts if a majority
//! of the judges made it.

use std::collections::BTreeMap;

use agon_record::event::{Judgment, Rescored, Scored};
use agon_record::id::{NodeId, TurnId};
use agon_record::moves::{Rescoring, Scores, Scoring};
use agon_record::score::Score;
use agon_record::state::State;
use agon_record::tally;

use crate::format::judge_turns;

/// Returns the judgment of `exchange` by all judges whose scores were admitted.
pub fn judgment_by_all_judges(state: &State, exchange: u16) -> Judgment {
    judgment_from_turns(state, exchange, &judge_turns(state, exchange))
}

/// Returns the judgment of `exchange` by the turns in `turns` whose scores were admitted.
pub fn judgment_from_turns(state: &State, exchange: u16, turns: &[TurnId]) -> Judgment {
    let given: Vec<&Scores> = turns
        .iter()
        .filter_map(|&turn| state.admitted(turn)?.moves.scores())
        .collect();
    let at_ms = turns
        .iter()
        .filter_map(|&turn| last_reply_at_ms(state, turn))
        .max();
    let order = given.first().map_or(&[][..], |first| &first.scores);
    let mut settled: Vec<Score> = order
        .iter()
        .map(|first| median(&scores_of_argument(&given, first.argument_id)))
        .collect();
    if given.len() > 1 {
        shift_to_zero_sum(&mut settled);
    }
    let scores = order.iter().zip(&settled).map(|(first, &score)| {
        let id = first.argument_id;
        let all = scorings_of_argument(&given, id);
        Scored {
            id,
            score,
            reasoning: nearest_reasoning(all.iter().map(|one| (one.score, &one.reasoning)), score),
            spread: score_range(&scores_of_argument(&given, id)),
        }
    });
    Judgment {
        exchange,
        at_ms,
        scores: scores.collect(),
        rescores: majority_rescores(state, &given, order.first().map(|first| first.argument_id)),
    }
}

fn last_reply_at_ms(state: &State, turn: TurnId) -> Option<u64> {
    let asks = &state.turns.get(&turn)?.asks;
    asks.iter()
        .filter_map(|ask| ask.given.as_ref()?.at_ms)
        .max()
}

fn scorings_of_argument<'a>(given: &[&'a Scores], id: NodeId) -> Vec<&'a Scoring> {
    let all = given.iter().flat_map(|scores| &scores.scores);
    all.filter(|scoring| scoring.argument_id == id).collect()
}

fn scores_of_argument(given: &[&Scores], id: NodeId) -> Vec<Score> {
    scorings_of_argument(given, id)
        .iter()
        .map(|scoring| scoring.score)
        .collect()
}

fn majority_rescores(state: &State, given: &[&Scores], trigger: Option<NodeId>) -> Vec<Rescored> {
    let mut by_id: BTreeMap<NodeId, Vec<&Rescoring>> = BTreeMap::new();
    for rescoring in given.iter().flat_map(|scores| &scores.rescores) {
        by_id
            .entry(rescoring.argument_id)
            .or_default()
            .push(rescoring);
    }
    let counts = |made: usize| 2 * made > given.len();
    let kept = by_id.into_iter().filter(|(_, made)| counts(made.len()));
    kept.map(|(id, made)| {
        let all: Vec<Score> = made.iter().map(|one| one.new_score).collect();
        let new = median(&all);
        Rescored {
            id,
            old: tally::current_score(state, id).unwrap_or(Score::ZERO),
            new,
            reasoning: nearest_reasoning(
                made.iter().map(|one| (one.new_score, &one.reasoning)),
                new,
            ),
            triggered_by: trigger,
            spread: score_range(&all).filter(|_| given.len() > 1),
        }
    })
    .collect()
}

/// Returns the reason of the score closest to `score`; the first of equal ones.
fn nearest_reasoning<'a>(all: impl Iterator<Item = (Score, &'a String)>, score: Score) -> String {
    let best = all.min_by_key(|(given, _)| (*given - score).abs());
    best.map_or_else(String::new, |(_, reasoning)| reasoning.clone())
}

fn score_range(all: &[Score]) -> Option<[Score; 2]> {
    let (low, high) = (all.iter().min()?, all.iter().max()?);
    (all.len() > 1).then_some([*low, *high])
}

/// Returns the median score; of two middle scores, their mean rounded toward zero.
fn median(all: &[Score]) -> Score {
    let mut sorted = all.to_vec();
    sorted.sort();
    let middle = sorted.len() / 2;
    match (sorted.len() % 2, sorted.get(middle)) {
        (_, None) => Score::ZERO,
        (1, Some(&score)) => score,
        (_, Some(&upper)) => {
            let lower = sorted
                .get(middle.saturating_sub(1))
                .copied()
                .unwrap_or(upper);
            Score::new((lower + upper).thousandths() / 2)
        }
    }
}

/// Shifts scores equally until they sum to zero and each is in range.
fn shift_to_zero_sum(scores: &mut [Score]) {
    loop {
        for score in scores.iter_mut() {
            *score = (*score).clamp(-Score::ONE, Score::ONE);
        }
        let sum = scores.iter().copied().sum::<Score>().thousandths();
        let step = -sum.signum();
        // Shift only the scores that are not yet at the end of the range.
        let limit = Score::new(1_000 * step);
        let free: Vec<_> = scores.iter_mut().filter(|score| **score != limit).collect();
        let Ok(many) = i32::try_from(free.len()) else {
            return;
        };
        if sum == 0 || many == 0 {
            return;
        }
        let (each, rest) = (sum.abs() / many, sum.abs() % many);
        for (at, score) in (0..).zip(free) {
            let by = each + i32::from(at < rest);
            *score = *score + Score::new(step * by);
        }
    }
}

#[cfg(test)]
mod tests {
    use agon_record::moves::{Formal, Moves};
    use proptest::prelude::*;

    use super::*;

    fn centred(thousandths: &[i32]) -> Vec<i32> {
        let mut scores: Vec<_> = thousandths.iter().copied().map(Score::new).collect();
        shift_to_zero_sum(&mut scores);
        scores.into_iter().map(Score::thousandths).collect()
    }

    #[test]
    fn scores_are_moved_alike_and_the_rest_goes_to_the_first() {
        assert_eq!(centred(&[300, -300]), [300, -300]);
        assert_eq!(centred(&[301, -300]), [300, -300]);
        assert_eq!(centred(&[400, 200, 100]), [166, -33, -133]);
    }

    #[test]
    fn what_one_at_the_limit_cannot_give_the_others_give() {
        assert_eq!(
            centred(&[-1_000, -1_000, 1_000, 0]),
            [-666, -667, 1_000, 333]
        );
    }

    #[test]
    fn the_median_of_two_is_their_mean_towards_zero() {
        let of = |all: &[i32]| {
            let all: Vec<_> = all.iter().copied().map(Score::new).collect();
            median(&all).thousandths()
        };
        assert_eq!(of(&[301, 300]), 300);
        assert_eq!(of(&[-301, -300]), -300);
        assert_eq!(of(&[500, -100, 200]), 200);
    }

    proptest! {
        #[test]
        fn centred_scores_are_zero_together_and_in_range(
            scores in proptest::collection::vec(-1_500..1_500i32, 2..12),
        ) {
            let centred = centred(&scores);
            prop_assert_eq!(centred.iter().sum::<i32>(), 0);
            prop_assert!(centred.iter().all(|score| score.abs() <= 1_000));
        }
    }

    /// What `judges` make of an exchange of two arguments, each judge with its two scores.
    fn judged(judges: &[[i32; 2]]) -> Judgment {
        let mut spec = agon_samples::duel::spec(1);
        spec.kind = agon_record::spec::Spec::formal("", "").kind;
        let mut state = State::open(spec);
        let ids = ["prop_001", "opp_001"].map(|id| id.parse::<NodeId>().unwrap());
        let mut turns = Vec::new();
        for (number, given) in (1..).zip(judges) {
            let turn = TurnId::round(1, agon_record::id::Seat::Judge(number));
            let scoring = |(id, score): (&NodeId, &i32)| Scoring {
                argument_id: *id,
                score: Score::new(*score),
                reasoning: format!("judge {number}"),
            };
            let scores = Scores {
                scores: ids.iter().zip(given).map(scoring).collect(),
                rescores: Vec::new(),
            };
            let admitted = agon_record::event::Event::Admitted {
                key: agon_record::id::AskKey { turn, again: 0 },
                moves: Box::new(Moves::Formal(Formal::Scores(scores))),
                ids: Vec::new(),
                findings: Vec::new(),
            };
            state.apply(&admitted).unwrap();
            turns.push(turn);
        }
        judgment_from_turns(&state, 1, &turns)
    }

    #[test]
    fn a_panels_medians_are_moved_to_zero_and_keep_their_spread() {
        let judgment = judged(&[[300, -300], [500, -505], [400, -390]]);
        let told: Vec<_> = judgment
            .scores
            .iter()
            .map(|one| {
                (
                    one.score.thousandths(),
                    one.spread.map(|s| s.map(Score::thousandths)),
                )
            })
            .collect();
        assert_eq!(told, [(395, Some([300, 500])), (-395, Some([-505, -300]))]);
        assert_eq!(
            judgment.scores[0].reasoning, "judge 3",
            "the one nearest to the median"
        );
    }

    #[test]
    fn a_single_judges_scores_stay_as_they_are() {
        let judgment = judged(&[[304, -300]]);
        assert_eq!(judgment.scores[0].score, Score::new(304));
        assert_eq!(judgment.scores[0].spread, None);
    }
}
