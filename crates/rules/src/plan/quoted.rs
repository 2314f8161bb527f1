//! Detects moves that quote another seat.

use agon_record::id::TurnId;
use agon_record::moves::Moves;
use agon_record::state::State;
use serde_json::Value;

use crate::format;
use crate::parse::parse;

/// Returns whether `moves` appear as an object in a text of another seat, in the material or in the
/// user's input.
///
/// Otherwise a reply that quotes such a text and has no moves of its own would repeat the other
/// seat's words as its own.
pub(super) fn is_quoted_from_others(state: &State, turn: TurnId, moves: &Moves) -> bool {
    let others = state
        .admitted_turns()
        .filter(|(earlier, _)| earlier.seat != turn.seat);
    let mut said = others.filter_map(|(_, admitted)| serde_json::to_string(&admitted.moves).ok());
    // A cheap test before parsing: in JSON, an object inside a text has escaped quotation marks.
    let in_texts = said.any(|said| {
        said.contains("\\\"")
            && serde_json::from_str(&said)
                .is_ok_and(|said| has_text_of_moves(&said, turn, moves, state))
    });
    let words = state.words.iter().map(|word| word.text());
    let mut given = state.spec.context.texts().into_iter().chain(words);
    in_texts || given.any(|text| is_text_of_moves(text, turn, moves, state))
}

fn has_text_of_moves(said: &Value, turn: TurnId, moves: &Moves, state: &State) -> bool {
    match said {
        Value::String(text) => is_text_of_moves(text, turn, moves, state),
        Value::Array(items) => items
            .iter()
            .any(|item| has_text_of_moves(item, turn, moves, state)),
        Value::Object(fields) => fields
            .values()
            .any(|field| has_text_of_moves(field, turn, moves, state)),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

fn is_text_of_moves(text: &str, turn: TurnId, moves: &Moves, state: &State) -> bool {
    let kind = format::requested_moves_kind(state, turn);
    text.contains('{') && parse(text, kind, turn).is_ok_and(|parsed| parsed.moves == *moves)
}
