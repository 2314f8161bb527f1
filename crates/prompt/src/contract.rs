//! The shape a reply must have, and the ids it may name.

use agon_record::id::NodeId;

use crate::ask::PromptRequest;
use crate::shape::{self, shape};
use crate::wording::template::CONTRACT;
use crate::wording::{Wording, values};

/// The last part of a prompt; its first line names the turn, its last ones say
/// which ids may be named where.
pub(super) fn part(ask: &PromptRequest<'_>, ids: Vec<Wording>) -> Wording {
    let shape = match ask.swapped() {
        true => shape::swap(),
        false => shape(ask.kind),
    };
    let argument = shape.contains("ARGUMENT").then(shape::argument);
    let ground = (argument.is_some() || shape.contains("GROUND")).then(shape::ground);
    CONTRACT.fill(values! {
        turn => ask.key.turn,
        shape,
        argument,
        ground,
        choices => shape.contains('|'),
        ids,
    })
}

/// Says that `key` is one of `ids`.
pub(super) fn one_of(key: &'static str, ids: Vec<NodeId>) -> Wording {
    Wording::with("`{}`: one of {}.", &[&key, &list(ids)])
}

/// Says that `key` names each of `ids` once.
pub(super) fn each_of(key: &'static str, ids: Vec<NodeId>) -> Wording {
    Wording::with("`{}`, once each: {}.", &[&key, &list(ids)])
}

/// `ids`, with commas between them.
pub(super) fn list(ids: Vec<NodeId>) -> Wording {
    let ids = ids.iter().map(|id| Wording::with("{}", &[id]));
    Wording::joined(ids, ", ")
}

#[cfg(test)]
mod tests;
