use agon_record::id::{NodeId, Seat};
use agon_record::moves::{Contention, DefenseKind};
use agon_record::state::State;

use super::GraphNode;
use super::build::{self, Build};
use super::edge::EdgeKind;

/// Returns the position of a side: its thesis, or before the theses the motion or its denial.
pub(super) fn node_for_side(state: &State, seat: Seat) -> GraphNode {
    if let Some(thesis) = state.theses().and_then(|theses| theses.thesis(seat)) {
        return build::position_node(seat, thesis, thesis);
    }
    let [first, _] = state.spec.format().sides();
    let motion = &state.spec.topic;
    let title = if seat == first {
        "for the motion"
    } else {
        "against the motion"
    };
    build::position_node(seat, title, &format!("{title}: {motion}"))
}

/// Adds the edges of a formal argument: to its side's position, to the arguments it attacks, and to
/// those it defends (a support, or an attack if it concedes them).
pub(super) fn add_contention_edges(build: &mut Build<'_>, id: NodeId, contention: &Contention) {
    build.add_argues_edge(id);
    for attack in &contention.attacks {
        let kind = EdgeKind::Attacks(attack.attack_type);
        build.add_edge(id, attack.target_id, kind, &attack.content);
    }
    for defend in &contention.defends {
        let kind = match defend.defense_type {
            DefenseKind::Reinforce => EdgeKind::Reinforces,
            DefenseKind::Clarify => EdgeKind::Clarifies,
            DefenseKind::ConcedeAndPivot => EdgeKind::GivesUp,
        };
        build.add_edge(id, defend.target_id, kind, &defend.content);
    }
}
