//! Replaces a debater that fails before its side has spoken.

use agon_record::event::{Event, Halt};
use agon_record::id::{AskKey, TurnId};
use agon_record::state::State;

use super::{Attempt, Budget, ParsedReplies, TurnStep, next_turn_step};

/// Returns the next step of a debater's turn.
///
/// If a substitute is left and may still be called, it takes the seat after a lost turn, and a
/// problem that only the user can fix loses the turn instead of halting the debate.
pub(crate) fn next_side_step<'a>(
    state: &'a State,
    turn: TurnId,
    budget: &mut Budget,
    replies: &mut ParsedReplies,
) -> TurnStep<'a> {
    // Keep the budget from before this turn: if the turn is lost, its reserved calls are free
    // again.
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

/// Returns the decision to make first, since the next substitute depends on the current seats.
pub(crate) fn take_replacement(decisions: &mut Vec<Event>) -> Option<Event> {
    let is_replacement = |event: &Event| matches!(event, Event::Reseated { .. });
    let at = decisions.iter().position(is_replacement)?;
    Some(decisions.swap_remove(at))
}
