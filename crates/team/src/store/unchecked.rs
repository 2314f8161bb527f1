//! Finds done tasks that only their author checked.

use std::collections::BTreeSet;

use rusqlite::{Connection, OptionalExtension as _};

use crate::id::{RunId, TaskId};
use crate::store::error::StoreError;
use crate::store::gates::read_reviews;
use crate::store::rows::{read_task, read_tasks};
use crate::store::runs::{RunDoc, read_run};
use crate::store::team::Team;
use crate::task::{Task, TaskState, is_approved};

impl Team {
    /// Returns the tasks that are done without a gate and without an approval, and that were closed
    /// by their author or by its run.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn unchecked_tasks(&mut self) -> Result<BTreeSet<TaskId>, StoreError> {
        let db = self.read()?;
        let mut found = BTreeSet::new();
        for task in read_tasks(db)? {
            if task.state == TaskState::Done
                && !has_check(db, &task)?
                && is_closed_by_author(db, &task)?
            {
                found.insert(task.id);
            }
        }
        Ok(found)
    }

    /// Returns whether a task's change has no gate and no approval by a member that did not work on
    /// it.
    ///
    /// # Errors
    ///
    /// If there is no such task.
    pub fn has_no_check(&mut self, task: TaskId) -> Result<bool, StoreError> {
        let db = self.read()?;
        Ok(!has_check(db, &read_task(db, task)?)?)
    }

    /// Returns all runs, the earliest first.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn runs(&mut self) -> Result<Vec<RunDoc>, StoreError> {
        let db = self.read()?;
        let mut statement = db.prepare_cached("SELECT id FROM run ORDER BY id")?;
        let rows = statement.query_map([], |row| row.get(0).map(RunId::new))?;
        let ids: Vec<RunId> = rows.collect::<Result<_, _>>()?;
        ids.into_iter().map(|id| read_run(db, id)).collect()
    }
}

fn has_check(db: &Connection, task: &Task) -> Result<bool, StoreError> {
    let Some(evidence) = &task.evidence else {
        return Ok(false);
    };
    if !task.gates.is_empty() {
        return Ok(true);
    }
    Ok(is_approved(
        task,
        &evidence.tree,
        &read_reviews(db, task.id)?,
    ))
}

/// Returns whether the author of the change also closed the task. A run closes the tasks that it
/// assigned, which is not a check.
fn is_closed_by_author(db: &Connection, task: &Task) -> Result<bool, StoreError> {
    let of_run: bool = db
        .prepare_cached("SELECT EXISTS (SELECT 1 FROM run_task WHERE task = ?1)")?
        .query_row([task.id.number()], |row| row.get(0))?;
    if of_run {
        return Ok(true);
    }
    let by: Option<String> = db
        .prepare_cached(
            "SELECT actor FROM event WHERE subject = ?1 AND kind = 'task.accepted'
             ORDER BY seq DESC LIMIT 1",
        )?
        .query_row([task.id.to_string()], |row| row.get(0))
        .optional()?;
    let author = task.evidence.as_ref().map(|it| it.author.as_str());
    Ok(by.is_some() && by.as_deref() == author)
}
