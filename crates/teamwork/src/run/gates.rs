//! The gates of a run: each change must pass them on its own tree, and again when merged with the
//! others.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use agon_caller::{CallFront, Code, Failure};
use agon_team::gate::GateDefinition;
use agon_team::id::GateName;
use agon_team::store::TeamLocation;
use agon_team::task::Task;

use super::RunContext;
use crate::gate::{GateOrder, read, run_at};
use crate::git::location_of;
use crate::{trees, worktree};

/// Returns the gates of a run: the named ones, otherwise all of the team's except review gates
/// (every change is reviewed anyway) and context gates.
///
/// # Errors
///
/// Fails if a named gate does not exist or cannot judge a tree, or the gate file is invalid.
pub(super) fn choose(
    location: &TeamLocation,
    named: Option<&BTreeSet<GateName>>,
) -> Result<BTreeSet<GateName>, Failure> {
    let defined = read(location)?.gates;
    let Some(named) = named else {
        let runs = |gate: &GateDefinition| {
            !matches!(
                gate,
                GateDefinition::Review { .. } | GateDefinition::Context { .. }
            )
        };
        let all = defined.into_iter().filter(|(_, gate)| runs(gate));
        return Ok(all.map(|(name, _)| name).collect());
    };
    for name in named {
        match defined.get(name) {
            Some(GateDefinition::Review { .. } | GateDefinition::Context { .. }) => {
                let message = format!("the gate {name} cannot check the changes of a run");
                return Err(Failure::new(Code::NoGate, message)
                    .parameter("gate")
                    .hint("name gates of the kinds command, debate or evidence"));
            }
            Some(_) => {}
            None => {
                let message = format!("no gate is called {name}");
                return Err(Failure::new(Code::NoGate, message)
                    .parameter("gate")
                    .hint("list the gates with `agon team gate show`"));
            }
        }
    }
    Ok(named.clone())
}

impl RunContext<'_> {
    /// Returns the work tree in which changes are checked. It is separate from the authors' trees,
    /// so that ignored files there have no effect.
    pub(super) async fn check_tree(&self) -> Result<PathBuf, Failure> {
        let name = super::check_tree_name(self.run);
        let tree = trees::folder(self.caller, &self.location)?.join(&name);
        let branch = format!("agon/members/{name}");
        trees::make_and_unlock(self.caller, &tree, &branch, &super::branch_of(self.run)).await?;
        worktree::bring_for_checks(self.caller, &self.location, &tree, self.cancel).await?;
        Ok(tree)
    }

    /// Runs the gates of a task on what is checked out in `tree`. Returns the first gate that fails
    /// with the end of its output, or `None` if all pass.
    pub(super) async fn pass_gates(
        &self,
        task: &Task,
        tree: &Path,
        front: &mut dyn CallFront,
    ) -> Result<Option<String>, Failure> {
        let location = location_of(self.caller, tree)?;
        for name in &self.gates {
            let order = GateOrder {
                location: &location,
                actor: &self.actor,
                name,
                task: task.id,
            };
            let ran = run_at(self.caller, &self.team, &order, front).await?;
            self.check_cancel()?;
            front.note(&format!("{}: gate {name}: {}", task.id, ran.run.outcome));
            if !ran.run.passed {
                let end = ran.output_tail;
                return Ok(Some(format!("gate {name}: {}: {end}", ran.run.outcome)));
            }
        }
        Ok(None)
    }
}
