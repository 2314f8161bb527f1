//! Adds up the scores of a formal debate.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::event::ScoreEntry;
use crate::format::Judging;
use crate::id::{NodeId, Seat};
use crate::score::Score;
use crate::state::State;

/// The total score of one side's arguments.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Total {
    /// The sum of the current scores.
    pub total: Score,
    /// Number of scored arguments.
    pub count: u32,
}

/// Returns the totals of both sides of a formal debate; empty in another format.
pub fn side_totals(state: &State) -> BTreeMap<Seat, Total> {
    let mut totals = BTreeMap::new();
    if state.format_rules().judging == Judging::AtTheEnd {
        return totals;
    }
    for seat in state.spec.format().sides() {
        totals.insert(seat, Total::default());
    }
    for (id, history) in state.score_histories() {
        if let (Some(total), Some(last)) = (totals.get_mut(&id.seat), history.last()) {
            total.total = total.total + last.score;
            total.count += 1;
        }
    }
    totals
}

/// Returns the leading side; `None` if the totals are nearly equal or nothing is scored.
pub fn leading_side(state: &State) -> Option<Seat> {
    leading_side_with_scores(state.spec.format().sides(), current_scores(state))
}

/// Returns the side that leads with these scores; `None` if they are nearly equal.
pub fn leading_side_with_scores(
    [one, other]: [Seat; 2],
    scores: impl IntoIterator<Item = (NodeId, Score)>,
) -> Option<Seat> {
    let ahead: Score = scores
        .into_iter()
        .map(|(id, score)| match id.seat {
            seat if seat == one => score,
            seat if seat == other => -score,
            _ => Score::ZERO,
        })
        .sum();
    match ahead {
        ahead if ahead.is_zero_within_tolerance() => None,
        ahead if ahead > Score::ZERO => Some(one),
        _ => Some(other),
    }
}

/// Returns the current score of every argument.
pub fn current_scores(state: &State) -> impl Iterator<Item = (NodeId, Score)> {
    let last = |(&id, history): (&NodeId, &Vec<ScoreEntry>)| Some((id, history.last()?.score));
    state.score_histories().iter().filter_map(last)
}

/// Returns the current score of `id`; `None` before it is scored.
pub fn current_score(state: &State, id: NodeId) -> Option<Score> {
    Some(state.score_histories().get(&id)?.last()?.score)
}

/// Returns the arguments without a score, in order.
pub fn unscored_arguments(state: &State) -> Vec<NodeId> {
    let ids = state
        .admitted_turns()
        .flat_map(|(_, admitted)| &admitted.ids);
    let mut ids: Vec<_> = ids
        .copied()
        .filter(|id| !state.score_histories().contains_key(id))
        .collect();
    ids.sort();
    ids
}
