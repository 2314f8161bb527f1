//! A debater that cannot be used: a substitute takes its seat before its side has spoken.

use agon_record::event::{Event, Halt};
use agon_record::id::{AskKey, TurnId};
use agon_record::state::State;

use super::{Attempt, Budget, ParsedReplies, TurnStep, next_turn_step};

/// What the turn of a debater needs next.
///
/// Where a substitute is left and may still be called, a lost turn gives the seat to it, and what
/// only the user can fix loses the turn instead of halting the debate.
pub(crate) fn next_side_step<'a>(
    state: &'a State,
    turn: TurnId,
    budget: &mut Budget,
    replies: &mut ParsedReplies,
) -> TurnStep<'a> {
    // What the turn itself sets aside is free again once it is lost.
    let before = *budget;
    let step = next_turn_step(state, turn, budget, replies);
    match step {
        TurnStep::Decide(Event::Halted {
            reason: Halt::User { turn, cause },
        }) if can_replace(state, turn, before) => TurnStep::Decide(Event::TurnLost {
            turn,
            cause,
            findings: Vec::new(),
        }),
        TurnStep::Lost(cause) if can_replace(state, turn, before) => {
            match state.next_side_substitute(turn.seat) {
                Some(next) => TurnStep::Decide(Event::Reseated {
                    seat: turn.seat,
                    seating: next.clone(),
                    cause: None,
                }),
                None => TurnStep::Lost(cause),
            }
        }
        step => step,
    }
}

fn can_replace(state: &State, turn: TurnId, mut budget: Budget) -> bool {
    let first = AskKey { turn, again: 0 };
    let mut affords = || budget.reserve_call(first, Attempt::First).is_ok();
    state.next_side_substitute(turn.seat).is_some() && affords()
}

/// The one decision to make first: the next substitute depends on who sits where by then.
pub(crate) fn take_replacement(decisions: &mut Vec<Event>) -> Option<Event> {
    let is_replacement = |event: &Event| matches!(event, Event::Reseated { .. });
    let at = decisions.iter().position(is_replacement)?;
    Some(decisions.swap_remove(at))
}
