//! What a task submitted, beside the folder in which a gate is asked about.

use std::path::PathBuf;

use agon_caller::Caller;
use agon_team::change::Change;
use agon_team::id::{MemberName, TreeHash};
use agon_team::store::TeamLocation;
use agon_team::task::Task;
use schemars::JsonSchema;
use serde::Serialize;

use crate::bound;

/// What a task submitted, and whether this folder has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct GateSubmitted {
    /// The tree that was submitted.
    pub tree: TreeHash,
    /// Its commit; null where no commit was submitted.
    pub commit: Option<String>,
    /// Who submitted it.
    pub author: MemberName,
    /// The work tree of its author; null where it is gone.
    pub work_tree: Option<PathBuf>,
    /// Whether the tree of this folder is the submitted one.
    pub is_here: bool,
    /// Whether the author asks: a change in this folder is not submitted yet.
    pub is_own: bool,
}

impl GateSubmitted {
    /// What `task` submitted, seen from a folder with this tree; none before it submitted anything.
    pub(super) fn of(
        caller: &Caller,
        location: &TeamLocation,
        task: &Task,
        here: &TreeHash,
    ) -> Option<Self> {
        let evidence = task.evidence.as_ref()?;
        let work_tree = bound::work_trees(caller, location).remove(&evidence.author);
        Some(Self {
            tree: evidence.tree.clone(),
            commit: match &evidence.change {
                Change::Commit { id } => Some(id.clone()),
                Change::Diff { .. } | Change::Elsewhere { .. } => None,
            },
            author: evidence.author.clone(),
            is_here: evidence.tree == *here,
            is_own: work_tree.is_some() && work_tree == location.work_tree,
            work_tree,
        })
    }
}
