//! The shape a reply must have, and the ids it may name.

use minijinja::context;

use crate::id::NodeId;
use crate::prompt::ask::Ask;
use crate::prompt::template::{CONTRACT, SHAPE_ARGUMENT, SHAPE_GROUND, SHAPE_SWAP, shape};

/// The last part of a prompt; its first line names the turn, its last ones say
/// which ids may be named where.
pub(super) fn part(ask: &Ask<'_>, ids: Vec<String>) -> String {
    let shape = match ask.swapped() {
        true => SHAPE_SWAP.trim(),
        false => shape(ask.kind).trim(),
    };
    let argument = shape.contains("ARGUMENT").then_some(SHAPE_ARGUMENT.trim());
    let ground = (argument.is_some() || shape.contains("GROUND")).then_some(SHAPE_GROUND.trim());
    CONTRACT.fill(context! {
        turn => ask.key.turn.to_string(),
        shape,
        argument,
        ground,
        choices => shape.contains('|'),
        ids,
    })
}

/// Says that `key` is one of `ids`.
pub(super) fn one_of(key: &str, ids: Vec<NodeId>) -> String {
    format!("`{key}`: one of {}.", list(ids))
}

/// Says that `key` names each of `ids` once.
pub(super) fn each_of(key: &str, ids: Vec<NodeId>) -> String {
    format!("`{key}`, once each: {}.", list(ids))
}

/// `ids`, with commas between them.
pub(super) fn list(ids: Vec<NodeId>) -> String {
    let ids: Vec<_> = ids.iter().map(NodeId::to_string).collect();
    ids.join(", ")
}

#[cfg(test)]
mod tests;
