//! The gates of a run: each change passes them on its own tree, and once more merged with the others.

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

/// The gates of a run: those that are named, else all that the team has. Those
/// that ask for an approval are left out: every change is reviewed.
///
/// # Errors
///
/// If there is none of a name, one is of a kind that cannot be run, or their file is not understood.
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
                let message = format!("{name} does not judge a tree");
                return Err(Failure::new(Code::NoGate, message)
                    .parameter("gate")
                    .hint("name gates of the kinds command, debate and evidence"));
            }
            Some(_) => {}
            None => {
                let message = format!("no gate is called {name}");
                return Err(Failure::new(Code::NoGate, message)
                    .parameter("gate")
                    .hint("`agon team gate show` lists them"));
            }
        }
    }
    Ok(named.clone())
}

impl RunContext<'_> {
    /// The work tree that changes are looked at in, apart from those of their authors: files
    /// that are ignored there do not count here.
    pub(super) async fn check_tree(&self) -> Result<PathBuf, Failure> {
        let name = super::check_tree_name(self.run);
        let tree = trees::folder(self.caller, &self.location)?.join(&name);
        let branch = format!("agon/members/{name}");
        trees::make_and_unlock(self.caller, &tree, &branch, &super::branch_of(self.run)).await?;
        worktree::bring_for_checks(self.caller, &self.location, &tree, self.cancel).await?;
        Ok(tree)
    }

    /// Runs the gates of a task on what is checked out in `tree`; the first that does not pass, with the
    /// end of what it printed, where one does not.
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
