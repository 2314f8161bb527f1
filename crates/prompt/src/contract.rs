//! The contract: the form of a reply and the ids it may name.

use agon_record::id::NodeId;
use agon_record::moves::MovesKind;
use agon_wording::{Wording, values};

use crate::request::PromptRequest;
use crate::shape::{self, moves_shape};
use crate::template::CONTRACT;

/// Returns the last part of a prompt. Its first line names the turn, and its last lines list the
/// allowed ids.
pub(super) fn contract_part(ask: &PromptRequest<'_>, ids: Vec<Wording>) -> Wording {
    let shape = if ask.has_swapped_sides() {
        shape::swapped_verdict_shape()
    } else if ask.kind == MovesKind::Challenge && !ask.state.has_both_first_answers() {
        shape::challenge_shape_without_first_answers()
    } else {
        moves_shape(ask.kind)
    };
    let argument = shape.contains("ARGUMENT").then(shape::argument_shape);
    let ground = (argument.is_some() || shape.contains("GROUND")).then(shape::ground_shape);
    CONTRACT.fill(values! {
        turn => ask.key.turn,
        shape,
        argument,
        ground,
        choices => shape.contains('|'),
        ids,
    })
}

/// Returns the sentence that `key` is one of `ids`.
pub(super) fn one_of_sentence(key: &'static str, ids: Vec<NodeId>) -> Wording {
    Wording::from_format("`{}`: one of {}.", &[&key, &comma_separated_ids(ids)])
}

/// Returns the sentence that `key` names each of `ids` once.
pub(super) fn each_once_sentence(key: &'static str, ids: Vec<NodeId>) -> Wording {
    Wording::from_format("`{}`, once each: {}.", &[&key, &comma_separated_ids(ids)])
}

/// Joins `ids` with commas.
pub(super) fn comma_separated_ids(ids: Vec<NodeId>) -> Wording {
    let ids = ids.iter().map(|id| Wording::from_format("{}", &[id]));
    Wording::join(ids, ", ")
}

#[cfg(test)]
mod tests;
