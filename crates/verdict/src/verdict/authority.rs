//! The authority of a verdict: how much of the planned debate took place.

use agon_record::authority::Authority;
use agon_record::event::Outcome;
use agon_record::id::{Seat, Stage, TurnId};
use agon_record::spec::Seating;
use agon_record::state::State;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::stability;

/// A planned turn that is missing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Missing {
    /// The seat.
    #[schemars(with = "String")]
    pub seat: Seat,
    /// The round; 0 is the first answer.
    pub round: u16,
    /// The cause, such as `timeout`, or `cap:tokens` for a reached limit.
    pub cause: String,
}

/// Returns the planned turns of both sides, first answers included.
///
/// If the user sent the debate to the judge early, only the turns up to then count.
fn planned_turns(state: &State) -> impl Iterator<Item = TurnId> {
    let first = if state.spec.has_blind_round() { 0 } else { 1 };
    let all = (first..=state.planned_rounds()).flat_map(|round| {
        [Seat::Proposer, Seat::Challenger].map(|seat| TurnId::round(round, seat))
    });
    let ended = |turn: &TurnId| {
        let turn = state.turns.get(turn);
        turn.is_some_and(|turn| turn.end.is_some())
    };
    all.filter(move |turn| !state.is_judge_order_in_effect() || ended(turn))
}

pub(super) fn authority(state: &State) -> Authority {
    let judged = state.closed == Some(Outcome::Judged);
    let challenged = (1..=state.planned_rounds()).any(|round| {
        state
            .admitted(TurnId::round(round, Seat::Challenger))
            .is_some()
    });
    if !judged || !challenged {
        Authority::Uncontested
    } else if !planned_turns(state).all(|turn| state.admitted(turn).is_some()) {
        Authority::Partial
    } else if is_judged_in_interview(state) {
        Authority::BuiltInModel
    } else if stability::is_flipped_by_swap(state) || debater_who_judged(state).is_some() {
        Authority::Unstable
    } else {
        Authority::Full
    }
}

/// Returns whether the built-in model judged, which is too small to settle a question.
pub(super) fn is_judged_in_interview(state: &State) -> bool {
    let judge = state.prevailing_ruling();
    let judge = judge.and_then(|(seat, _)| state.seats.get(&seat));
    judge.is_some_and(Seating::is_interviewed)
}

/// Returns the debater whose tool judged as a substitute after the planned judges were lost; `None`
/// if that tool was a planned judge or a different tool judged.
pub(super) fn debater_who_judged(state: &State) -> Option<Seat> {
    let (seat, _) = state.prevailing_ruling()?;
    let judge = &state.seats.get(&seat)?.tool;
    let taken = state.lost_judges().len().checked_sub(1)?;
    let substitutes = state.judge_substitutes();
    let substitute = substitutes.get(taken)?;
    if seat != Seat::JUDGE || substitute.tool != *judge {
        return None;
    }
    let mut sides = [Seat::Proposer, Seat::Challenger].into_iter();
    sides.find(|side| {
        state
            .seats
            .get(side)
            .is_some_and(|side| side.tool == *judge)
    })
}

/// Returns the lost turns of both sides, and those skipped because of a limit.
///
/// Turns that were skipped because an earlier turn was lost are not listed; only that loss is.
pub(super) fn missing_turns(state: &State) -> Vec<Missing> {
    let lost = state
        .lost_turns()
        .filter_map(|(turn, cause)| match turn.stage {
            Stage::Round(round) => Some(Missing {
                seat: turn.seat,
                round,
                cause: cause.code.name().to_owned(),
            }),
            Stage::Theses | Stage::Verdict | Stage::Swap => None,
        });
    let unasked = state.capped.into_iter().flat_map(|cap| {
        let open = planned_turns(state).filter(|turn| {
            let turn = state.turns.get(turn);
            turn.is_none_or(|turn| turn.end.is_none())
        });
        open.filter_map(move |turn| match turn.stage {
            Stage::Round(round) => Some(Missing {
                seat: turn.seat,
                round,
                cause: format!("cap:{}", cap.name()),
            }),
            Stage::Theses | Stage::Verdict | Stage::Swap => None,
        })
    });
    let mut missing: Vec<_> = lost.chain(unasked).collect();
    missing.sort_by_key(|missing| (missing.round, missing.seat));
    missing
}
