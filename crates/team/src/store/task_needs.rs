//! Adds and removes needs between tasks.

use serde_json::json;

use crate::id::TaskId;
use crate::store::error::StoreError;
use crate::store::rows::{read_needs, read_task, task_exists};
use crate::store::write::Write;
use crate::task::{TaskRefusal, TaskState};

/// Makes a task that was not started need another one.
pub(super) fn add_need(write: &Write<'_>, task: TaskId, needed: TaskId) -> Result<(), StoreError> {
    if task_exists(write.db, task)? {
        let state = read_task(write.db, task)?.state;
        if !matches!(state, TaskState::Draft | TaskState::Ready) {
            return Err(StoreError::Task(TaskRefusal::State {
                task,
                state,
                step: "made to need another task",
            }));
        }
    }
    link_need(write, task, needed)
}

/// Makes a task need another one, in any state.
pub(super) fn link_need(write: &Write<'_>, task: TaskId, needed: TaskId) -> Result<(), StoreError> {
    let mut needs = read_needs(write.db)?;
    let known = [task, needed].map(|id| task_exists(write.db, id));
    let [has_task, has_needed] = known;
    let (has_task, has_needed) = (has_task?, has_needed?);
    needs.add(
        task,
        needed,
        |id| if id == task { has_task } else { has_needed },
    )?;
    let changed = write
        .db
        .prepare_cached("INSERT OR IGNORE INTO dep (task, needs) VALUES (?1, ?2)")?
        .execute((task.number(), needed.number()))?;
    if changed > 0 {
        write.event("need.added", &task.to_string(), &json!({ "needs": needed }))?;
    }
    Ok(())
}

/// Removes a need from a task.
pub(super) fn remove_need(
    write: &Write<'_>,
    task: TaskId,
    needed: TaskId,
) -> Result<(), StoreError> {
    let changed = write
        .db
        .prepare_cached("DELETE FROM dep WHERE task = ?1 AND needs = ?2")?
        .execute((task.number(), needed.number()))?;
    if changed > 0 {
        write.event(
            "need.removed",
            &task.to_string(),
            &json!({ "needs": needed }),
        )?;
    }
    Ok(())
}
