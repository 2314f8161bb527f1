//! Shared code of formats that score every exchange and have no planned end.

use agon_record::id::{Seat, TurnId};
use agon_record::state::{Ask, State, Turn};

use super::{Format, Phase, format_of};

/// Returns the steps of an exchange: both sides in parallel, then the judges.
pub(super) fn exchange_steps(state: &State, exchange: u16) -> Vec<Vec<TurnId>> {
    let sides = state.spec.format().sides();
    vec![
        sides.map(|seat| TurnId::round(exchange, seat)).to_vec(),
        judge_turns(state, exchange),
    ]
}

pub(super) fn side_turns(format: &(impl Format + ?Sized), state: &State) -> Vec<TurnId> {
    let exchanges = state.through.map(|through| 0..=through);
    let exchanges = exchanges.into_iter().flatten();
    exchanges
        .flat_map(|exchange| turns_of_sides(format, state, exchange))
        .collect()
}

fn turns_of_sides(
    format: &(impl Format + ?Sized),
    state: &State,
    exchange: u16,
) -> impl Iterator<Item = TurnId> {
    let turns = format.exchange_steps(state, exchange).into_iter().flatten();
    turns.filter(|turn| !turn.seat.is_judge())
}

pub(super) fn phase(format: &(impl Format + ?Sized), state: &State) -> Phase {
    let mut sides = turns_of_sides(format, state, first_unjudged_exchange(state));
    match sides.all(|turn| state.admitted(turn).is_some()) {
        true => Phase::AwaitingJudgment,
        false => Phase::AwaitingArguments,
    }
}

pub(super) fn remaining_calls(format: &(impl Format + ?Sized), state: &State) -> u32 {
    let first = first_unjudged_exchange(state);
    let unheard = |turn: &TurnId| {
        let given = |ask: &Ask| ask.given.is_some();
        let has_reply = |turn: &Turn| turn.end.is_some() || turn.asks.iter().any(given);
        !state.turns.get(turn).is_some_and(has_reply)
    };
    let Some(through) = state.through.filter(|&through| first <= through) else {
        return 0;
    };
    let theses = theses_turn(state).filter(unheard).iter().count();
    let due = format.exchange_steps(state, first).into_iter().flatten();
    let due = due.filter(unheard).count();
    let whole = format.exchange_steps(state, through);
    let whole = usize::from(through - first) * whole.iter().map(Vec::len).sum::<usize>();
    u32::try_from(due + whole + theses).unwrap_or(u32::MAX)
}

pub(super) fn planned_steps(format: &(impl Format + ?Sized), state: &State) -> Vec<Vec<TurnId>> {
    let Some(through) = state.through else {
        return Vec::new();
    };
    let theses = theses_turn(state).map(|turn| vec![turn]);
    let exchanges = first_unjudged_exchange(state)..=through;
    let exchanges = exchanges.flat_map(|exchange| format.exchange_steps(state, exchange));
    theses.into_iter().chain(exchanges).collect()
}

pub(super) fn has_reached_target(state: &State) -> bool {
    state
        .through
        .is_none_or(|through| first_unjudged_exchange(state) > through)
}

/// Returns the turn in which the first judge states both theses, until they are stated.
pub(crate) fn theses_turn(state: &State) -> Option<TurnId> {
    let is_due = state.format_rules().has_theses && state.theses().is_none();
    is_due.then(|| TurnId::theses(Seat::JUDGE))
}

/// Returns the current or next exchange.
pub fn first_unjudged_exchange(state: &State) -> u16 {
    state
        .last_judged_exchange()
        .map_or(0, |last| last.saturating_add(1))
}

/// Returns the last exchange to judge for `more` rebuttals. A pending opening exchange or judgment
/// is finished first and does not count.
pub fn target_exchange(state: &State, more: u16) -> u16 {
    let exchange = first_unjudged_exchange(state);
    let due = exchange == 0 || super::debate_phase(state) == Phase::AwaitingJudgment;
    let through = exchange.saturating_add(more);
    if due {
        through
    } else {
        through.saturating_sub(1)
    }
}

/// Returns the steps of an exchange; see [`Format::exchange_steps`].
pub(crate) fn steps_of_exchange(state: &State, exchange: u16) -> Vec<Vec<TurnId>> {
    format_of(state).exchange_steps(state, exchange)
}

/// Returns the turns of the seated judges, or of the one judge whose scores come from outside.
pub(crate) fn judge_turns(state: &State, exchange: u16) -> Vec<TurnId> {
    let seats = state.seats.keys().filter(|seat| seat.is_judge());
    let mut turns: Vec<_> = seats.map(|&seat| TurnId::round(exchange, seat)).collect();
    if turns.is_empty() {
        turns.push(TurnId::round(exchange, Seat::JUDGE));
    }
    turns
}
