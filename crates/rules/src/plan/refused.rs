//! A model that the effort chose and that its tool refuses.

use agon_record::event::{Cause, CauseCode, Event};
use agon_record::id::AskKey;
use agon_record::state::State;

/// The decision to leave the model to the tool, where `cause` says that the tool refuses the one
/// that the effort chose; none where the user named it, which only they can take back.
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

/// Whether the last call for `key` asked for a model that its seat does not ask for any more.
pub(super) fn was_asked_for_refused_model(state: &State, key: AskKey) -> bool {
    let seating = state.seats.get(&key.turn.seat);
    let asked = state.ask(key).and_then(|ask| ask.asked.as_ref());
    seating.zip(asked).is_some_and(|(seating, asked)| {
        seating.tool == asked.tool
            && seating.refused_model.is_some()
            && seating.refused_model == asked.model
    })
}
