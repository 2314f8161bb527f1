//! Points with wrong or missing citations.

use agon_record::evidence::citation_fault;
use agon_record::id::NodeId;
use agon_record::state::State;

/// Returns a point's id with its citation fault, such as `pro_001a (wrong citation)`.
pub fn name_with_fault(state: &State, id: NodeId) -> String {
    match citation_fault(state, id) {
        Some(fault) => format!("{id} ({fault})"),
        None => id.to_string(),
    }
}

/// Returns the points with a wrong or missing citation, in the order of the debate.
pub fn faulty_points(state: &State) -> Vec<NodeId> {
    let ids = state.nodes().into_iter().map(|node| node.id);
    ids.filter(|&id| citation_fault(state, id).is_some())
        .collect()
}
