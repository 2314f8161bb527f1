//! The shape a reply must have, and the ids it may name.

use minijinja::context;

use crate::id::NodeId;
use crate::moves::MovesKind;
use crate::prompt::ask::Ask;
use crate::prompt::open::Open;
use crate::prompt::template::{CONTRACT, SHAPE_ARGUMENT, SHAPE_GROUND, shape};

/// The last part of a prompt; its first line names the turn.
pub(super) fn part(ask: &Ask<'_>, open: &Open<'_>) -> String {
    let shape = shape(ask.kind).trim();
    let argument = shape.contains("ARGUMENT").then_some(SHAPE_ARGUMENT.trim());
    let ground = (argument.is_some() || shape.contains("GROUND")).then_some(SHAPE_GROUND.trim());
    CONTRACT.fill(context! {
        turn => ask.key.turn.to_string(),
        shape,
        argument,
        ground,
        choices => shape.contains('|'),
        ids => ids(ask, open),
    })
}

/// Which ids may be named where.
fn ids(ask: &Ask<'_>, open: &Open<'_>) -> Vec<String> {
    let theirs = open.points_of(ask.key.turn.seat.opponent());
    match ask.kind {
        MovesKind::Blind
        | MovesKind::Opening
        | MovesKind::Theses
        | MovesKind::Case
        | MovesKind::Rebuttal
        | MovesKind::Scores => Vec::new(),
        MovesKind::Challenge => vec![one_of("target", theirs)],
        MovesKind::Defense => {
            let due: Vec<_> = open.due().map(|dispute| dispute.id).collect();
            let may: Vec<_> = open.may_answer().map(|dispute| dispute.id).collect();
            match (due.is_empty(), may.is_empty()) {
                (true, true) => vec!["No objection is open: `responses` stays empty.".to_owned()],
                (true, false) => vec![one_of("objection", may)],
                (false, true) => vec![each_of("objection", due)],
                (false, false) => vec![format!(
                    "{} It may also be {}.",
                    each_of("objection", due),
                    list(may)
                )],
            }
        }
        MovesKind::FollowUp => {
            let unruled: Vec<_> = open.unruled().map(|(id, ..)| id).collect();
            let rulings = match unruled.is_empty() {
                true => "No answer is open: `assessments` stays empty.".to_owned(),
                false => each_of("response", unruled),
            };
            vec![rulings, one_of("target", theirs)]
        }
        MovesKind::Verdict => {
            let all = open.nodes.iter().map(|node| node.id).collect();
            vec![format!("An `ID` is one of: {}.", list(all))]
        }
    }
}

fn one_of(key: &str, ids: Vec<NodeId>) -> String {
    format!("`{key}`: one of {}.", list(ids))
}

fn each_of(key: &str, ids: Vec<NodeId>) -> String {
    format!("`{key}`, once each: {}.", list(ids))
}

fn list(ids: Vec<NodeId>) -> String {
    let ids: Vec<_> = ids.iter().map(NodeId::to_string).collect();
    ids.join(", ")
}

#[cfg(test)]
mod tests;
