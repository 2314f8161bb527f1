//! Points whose citations are not as the place has it.

use agon_record::evidence::citation_fault;
use agon_record::id::NodeId;
use agon_record::state::State;

/// A point's id, with what is wrong with its citations in brackets: `pro_001a (wrong citation)`.
pub fn name_with_fault(state: &State, id: NodeId) -> String {
    match citation_fault(state, id) {
        Some(fault) => format!("{id} ({fault})"),
        None => id.to_string(),
    }
}

/// The points that cite a wrong or missing place, in the order of the debate.
pub fn faulty_points(state: &State) -> Vec<NodeId> {
    let ids = state.nodes().into_iter().map(|node| node.id);
    ids.filter(|&id| citation_fault(state, id).is_some())
        .collect()
}
