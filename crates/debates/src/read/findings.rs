//! The findings recorded in a debate.

use agon_record::finding::Finding;
use agon_record::state::{State, Turn, TurnEnd};

/// Returns every finding recorded in the debate, turn by turn.
pub(crate) fn recorded_findings(state: &State) -> Vec<Finding> {
    let of = |turn: &Turn| match &turn.end {
        Some(TurnEnd::Admitted(admitted)) => admitted.findings.clone(),
        Some(TurnEnd::Lost { findings, .. }) => findings.clone(),
        None => Vec::new(),
    };
    state.turns.values().flat_map(of).collect()
}
