//! Plans a debate that is scored exchange by exchange.

use agon_record::event::{Cause, Event, Halt};
use agon_record::id::{AskKey, TurnId};
use agon_record::state::State;

use super::{Budget, ParsedReplies, Plan, TurnStep, next_side_step, take_replacement};
use crate::format::{first_unjudged_exchange, steps_of_exchange, theses_turn};
use crate::panel;

/// Returns what happens next in a formal debate that is neither closed nor halted.
pub(super) fn plan(state: &State, replies: &mut ParsedReplies) -> Plan {
    let exchange = first_unjudged_exchange(state);
    if state.through.is_none_or(|through| exchange > through) {
        return Plan::Close;
    }
    let mut budget = Budget::from_state(state);
    let theses = theses_turn(state).map(|turn| vec![turn]);
    let exchange_steps = steps_of_exchange(state, exchange);
    for turns in theses.into_iter().chain(exchange_steps) {
        if let Some(plan) = plan_turns_together(state, &turns, &mut budget, replies) {
            return plan;
        }
    }
    Plan::Decide(vec![Event::Scored(Box::new(
        panel::judgment_by_all_judges(state, exchange),
    ))])
}

/// Returns the next step of parallel `turns`; `None` once all are admitted.
///
/// They are admitted together or not at all. If one is lost, the other replies stay in the record
/// and the debate does not change.
fn plan_turns_together(
    state: &State,
    turns: &[TurnId],
    budget: &mut Budget,
    replies: &mut ParsedReplies,
) -> Option<Plan> {
    let mut asks = Vec::new();
    let mut admitted = Vec::new();
    let mut decisions = Vec::new();
    let mut resolve = Vec::new();
    let mut halt = None;
    for &turn in turns {
        match next_side_step(state, turn, budget, replies) {
            TurnStep::Done => {}
            TurnStep::Ask(effect) => asks.push(effect),
            TurnStep::Resolve(key) => resolve.push(key),
            TurnStep::Decide(event @ Event::Admitted { .. }) => admitted.push(event),
            TurnStep::Decide(Event::Halted { reason }) => halt = halt.or(Some(reason)),
            TurnStep::Decide(event) => decisions.push(event),
            TurnStep::Capped(cap) => halt = halt.or(Some(Halt::Capped { cap })),
            TurnStep::Lost(cause) => halt = halt.or_else(|| Some(lost_turn_halt(turn, cause))),
        }
    }
    if !resolve.is_empty() {
        return Some(Plan::Resolve(resolve));
    }
    if let Some(replacement) = take_replacement(&mut decisions) {
        return Some(Plan::Decide(vec![replacement]));
    }
    if !decisions.is_empty() {
        // One at a time, since each reply that is sent back reduces the budget of the next.
        decisions.truncate(1);
        return Some(Plan::Decide(decisions));
    }
    if halt.is_some() {
        // Let running calls finish, since they are already paid for, but do not start new ones.
        asks.retain(|ask| is_in_flight(state, ask.key));
    }
    if !asks.is_empty() {
        return Some(Plan::Perform(asks));
    }
    if let Some(reason) = halt {
        return Some(Plan::Decide(vec![Event::Halted { reason }]));
    }
    (!admitted.is_empty()).then_some(Plan::Decide(admitted))
}

fn is_in_flight(state: &State, key: AskKey) -> bool {
    let turn = state.turns.get(&key.turn);
    turn.and_then(|turn| turn.asks.get(usize::from(key.again)))
        .is_some_and(|ask| ask.in_flight)
}

fn lost_turn_halt(turn: TurnId, cause: &Cause) -> Halt {
    let cause = cause.clone();
    Halt::TurnLost { turn, cause }
}
