//! Shared code of formats with planned rounds and a ruling at the end.

use agon_record::id::{Seat, Stage, TurnId};
use agon_record::spec::Seating;
use agon_record::state::State;

use super::{Format, Phase};

/// Returns the turns of both sides in every planned round, in order.
pub(super) fn side_turns(state: &State) -> Vec<TurnId> {
    let rounds = 1..=state.planned_rounds();
    let sides = state.spec.format().sides();
    rounds
        .flat_map(|round| sides.map(|seat| TurnId::round(round, seat)))
        .collect()
}

/// Returns the turns of the first answers; empty if there is no such round.
pub(crate) fn blind_turns(state: &State) -> Vec<TurnId> {
    let sides = state.spec.format().sides().into_iter();
    let turns = sides.map(|seat| TurnId::round(0, seat));
    turns.filter(|_| state.spec.has_blind_round()).collect()
}

pub(super) fn phase(format: &(impl Format + ?Sized), state: &State) -> Phase {
    let open = |turn: &TurnId| state.turns.get(turn).is_none_or(|t| t.end.is_none());
    if state.capped.is_some() || state.is_judge_order_in_effect() {
        return Phase::AwaitingVerdict;
    }
    if blind_turns(state).iter().any(open) {
        return Phase::AwaitingBlind;
    }
    for turn in format.side_turns(state) {
        match (open(&turn), turn.seat) {
            (true, Seat::Proposer) => return Phase::AwaitingProposer,
            (true, _) => return Phase::AwaitingChallenger,
            (false, _) if state.admitted(turn).is_none() => return Phase::AwaitingVerdict,
            (false, _) => {}
        }
    }
    Phase::AwaitingVerdict
}

pub(super) fn remaining_calls(format: &(impl Format + ?Sized), state: &State) -> u32 {
    let open = |turn: &TurnId| state.turns.get(turn).is_none_or(|turn| turn.end.is_none());
    let blind = blind_turns(state).into_iter();
    let called = |turn: &TurnId| !state.seats.get(&turn.seat).is_some_and(Seating::is_human);
    let all = blind
        .chain(format.side_turns(state))
        .chain(verdict_turns(state));
    u32::try_from(all.filter(called).filter(open).count()).unwrap_or(u32::MAX)
}

pub(super) fn planned_steps(format: &(impl Format + ?Sized), state: &State) -> Vec<Vec<TurnId>> {
    let mut steps = Vec::new();
    let blind = Some(blind_turns(state)).filter(|turns| !turns.is_empty());
    steps.extend(blind);
    let turns = format.side_turns(state).into_iter();
    let until = state
        .is_judge_order_in_effect()
        .then(|| state.rounds_completed());
    let is_included = |turn: &TurnId| until.is_none_or(|last| turn.stage <= Stage::Round(last));
    steps.extend(turns.filter(is_included).map(|turn| vec![turn]));
    steps.push(verdict_turns(state));
    steps
}

/// Returns the turns of every judge's ruling and of the first judge's ruling with the sides
/// swapped.
fn verdict_turns(state: &State) -> Vec<TurnId> {
    let judges = state.seats.keys().filter(|seat| seat.is_judge());
    let mut turns: Vec<_> = judges.map(|&seat| TurnId::verdict(seat)).collect();
    turns.extend(state.is_swap_planned().then_some(TurnId::SWAP));
    turns
}
