//! Changes that wait for a person while other tasks continue.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use agon_team::change::Change;
use agon_team::id::{TaskId, TreeHash};
use agon_team::task::{Task, TaskState};

/// The questions to a person, by task. They are not stored: a resumed run judges each change again.
#[derive(Debug, Default)]
pub(super) struct Waits(Mutex<BTreeMap<TaskId, (TreeHash, String)>>);

impl Waits {
    /// Lets the change of a task wait for a person, with the reason.
    pub(super) fn add(&self, task: &Task, why: &str) {
        let Some(evidence) = &task.evidence else {
            return;
        };
        let Change::Commit { id: commit } = &evidence.change else {
            return;
        };
        let mut waits = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        waits.insert(
            task.id,
            (evidence.tree.clone(), question(task, commit, why)),
        );
    }

    /// Returns the question to a person about a task, if its change waits for one.
    pub(super) fn ask(&self, task: &Task) -> Option<String> {
        let tree = &task.evidence.as_ref()?.tree;
        let waits = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (of, ask) = waits.get(&task.id)?;
        (task.state == TaskState::Review && of == tree).then(|| ask.clone())
    }
}

fn question(task: &Task, commit: &str, why: &str) -> String {
    let (id, epoch) = (task.id, task.epoch);
    let commit = commit.get(..12).unwrap_or(commit);
    format!(
        "{id} waits for a person ({why}): review {commit}, then run \
         `agon team review {id} --epoch {epoch} --approve --note WHY`"
    )
}
