//! Calls that a person answers.

use agon_record::id::AskKey;
use agon_record::spec::Seating;
use agon_record::state::State;

use super::{Plan, plan};

/// Returns the calls that wait for a person, in order, whether or not tools are also asked.
pub fn asks_awaiting_person(state: &State) -> Vec<AskKey> {
    let Plan::Perform(effects) = plan(state) else {
        return Vec::new();
    };
    let keys = effects.iter().map(|effect| effect.key);
    keys.filter(|key| is_answered_by_person(state, *key))
        .collect()
}

/// Like [`asks_awaiting_person`], but empty while a tool is also asked.
pub fn asks_awaiting_only_person(state: &State) -> Vec<AskKey> {
    match plan(state) {
        Plan::Perform(effects)
            if effects
                .iter()
                .all(|effect| is_answered_by_person(state, effect.key)) =>
        {
            effects.iter().map(|effect| effect.key).collect()
        }
        Plan::Perform(_) | Plan::Resolve(_) | Plan::Decide(_) | Plan::Wait(_) | Plan::Close => {
            Vec::new()
        }
    }
}

/// Returns whether a person holds the seat that `key` asks.
pub fn is_answered_by_person(state: &State, key: AskKey) -> bool {
    let seating = state.seats.get(&key.turn.seat);
    seating.is_some_and(Seating::is_human)
}
