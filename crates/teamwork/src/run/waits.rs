//! Changes that wait for a person, while the others go on.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use agon_team::change::Change;
use agon_team::id::{TaskId, TreeHash};
use agon_team::task::{Task, TaskState};

/// What a person is asked, by task. Nothing of it is stored: a run that is resumed looks at each change
/// again.
#[derive(Debug, Default)]
pub(super) struct Waits(Mutex<BTreeMap<TaskId, (TreeHash, String)>>);

impl Waits {
    /// Lets what was submitted for a task wait, and says why.
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

    /// What a person is asked about a task, where it waits for one.
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
        "a person is asked about {id} ({why}): look at {commit}, then \
         `agon team review {id} --epoch {epoch} --approve --note WHY`"
    )
}
