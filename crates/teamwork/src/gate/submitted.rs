//! Compares what a task submitted with the folder in which a gate is queried.

use std::path::PathBuf;

use agon_caller::Caller;
use agon_team::change::Change;
use agon_team::id::{MemberName, TreeHash};
use agon_team::store::TeamLocation;
use agon_team::task::Task;
use schemars::JsonSchema;
use serde::Serialize;

use crate::member_trees;

/// A task's submission, and whether this folder contains it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct GateSubmitted {
    /// The submitted tree.
    pub tree: TreeHash,
    /// The submitted commit; null if no commit was submitted.
    pub commit: Option<String>,
    /// The member that submitted it.
    pub author: MemberName,
    /// The author's work tree; null if it is gone.
    pub work_tree: Option<PathBuf>,
    /// Whether this folder's tree is the submitted one.
    pub is_here: bool,
    /// Whether this is the author's own folder; changes in it are not submitted yet.
    pub is_own: bool,
}

impl GateSubmitted {
    /// Returns what `task` submitted, compared with this folder's tree. Returns `None` before the
    /// task submitted anything.
    pub(super) fn of(
        caller: &Caller,
        location: &TeamLocation,
        task: &Task,
        here: &TreeHash,
    ) -> Option<Self> {
        let evidence = task.evidence.as_ref()?;
        let work_tree = member_trees::work_trees(caller, location).remove(&evidence.author);
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
