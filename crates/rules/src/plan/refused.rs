//! Handles a tool that refuses the model chosen for the effort.

use agon_record::event::{Cause, CauseCode, Event};
use agon_record::id::AskKey;
use agon_record::state::State;

/// Returns the decision to use the tool's default model, if `cause` says that the tool refuses the
/// one chosen for the effort. `None` if the user named the model, which only the user can change.
pub(super) fn model_refused_event(state: &State, key: AskKey, cause: &Cause) -> Option<Event> {
    let seating = state.seats.get(&key.turn.seat)?;
    let asked = state.ask(key)?.asked.as_ref()?;
    let is_chosen = cause.code == CauseCode::NoSuchModel
        && seating.class.is_some()
        && (&asked.tool, &asked.model) == (&seating.tool, &seating.model);
    let model = asked.model.clone().filter(|_| is_chosen)?;
    Some(Event::ModelRefused {
        tool: asked.tool.clone(),
        model,
    })
}

/// Returns whether the last call for `key` requested a model that its seat no longer requests.
pub(super) fn was_asked_for_refused_model(state: &State, key: AskKey) -> bool {
    let seating = state.seats.get(&key.turn.seat);
    let asked = state.ask(key).and_then(|ask| ask.asked.as_ref());
    seating.zip(asked).is_some_and(|(seating, asked)| {
        seating.tool == asked.tool
            && seating.refused_model.is_some()
            && seating.refused_model == asked.model
    })
}
