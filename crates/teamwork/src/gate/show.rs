//! Shows a team's gates and their results for a task.

use std::collections::BTreeSet;

use agon_caller::{Caller, Failure};
use agon_team::gate::GateStanding;
use agon_team::id::{GateName, TaskId};

use super::documents::{TeamGateState, TeamGatesDoc, gates_document};
use super::{GateSubmitted, definitions};
use crate::open_team::{failure, open};
use crate::tree::hash_work_tree;

/// Returns the team's gates, or only the named one. With a task, also returns the gates that it
/// requires, and their results for the caller's current work tree and for what the task submitted.
///
/// # Errors
///
/// Fails if there is no such gate or task, or the gate file is invalid.
pub async fn show(
    caller: &Caller,
    name: Option<&GateName>,
    task: Option<TaskId>,
) -> Result<TeamGatesDoc, Failure> {
    let (mut team, location) = open(caller)?;
    if let Some(name) = name {
        definitions::find(&location, name)?;
    }
    let mut found = gates_document(definitions::path(&location), definitions::read(&location)?);
    if let Some(task) = task {
        let asking = team.task(task).map_err(failure)?;
        let tree = hash_work_tree(caller, &location).await?;
        let runs = team.gate_runs(task).map_err(failure)?;
        add_missing(&mut found, &asking.gates);
        found.submitted = GateSubmitted::of(caller, &location, &asking, &tree);
        for gate in &mut found.gates {
            gate.standing = Some(GateStanding::of(&gate.name, &tree, &runs));
            let submitted = found.submitted.as_ref().map(|it| &it.tree);
            gate.of_submitted = submitted.map(|it| GateStanding::of(&gate.name, it, &runs));
            let of_gate = runs.iter().filter(|run| run.gate == gate.name);
            gate.runs = of_gate.cloned().collect();
        }
        found.task = Some(task);
        found.tree = Some(tree);
    }
    if let Some(name) = name {
        found.gates.retain(|gate| gate.name == *name);
    }
    Ok(found)
}

fn add_missing(found: &mut TeamGatesDoc, wanted: &BTreeSet<GateName>) {
    for name in wanted {
        if !found.gates.iter().any(|gate| gate.name == *name) {
            found.gates.push(TeamGateState {
                name: name.clone(),
                definition: None,
                standing: None,
                of_submitted: None,
                runs: Vec::new(),
            });
        }
    }
}
