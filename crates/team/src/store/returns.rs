//! Sends the changes of a run back to their authors with findings.
//!
//! Two limits apply to a task of a run. The run's `review_rounds` limits how often its change goes
//! back. The task's `max_attempts` limits the attempts without a result: the member crashed, was
//! lost, or left a change that cannot be merged. A review round uses up no attempt, and a crash no
//! round.

use rusqlite::OptionalExtension as _;
use serde_json::json;

use crate::id::{Epoch, RunId, TaskId};
use crate::store::actor::Actor;
use crate::store::error::StoreError;
use crate::store::gates::{ReviewVerdict, notify_author, record_review};
use crate::store::queue::apply_step;
use crate::store::rows::read_task;
use crate::store::runs::read_run;
use crate::store::team::Team;
use crate::store::write::Write;
use crate::task::{Task, TaskStep};

impl Team {
    /// Sends a run's change that was submitted at this epoch back to its author, and counts the
    /// round. The task fails if that exceeds the run's limit. Only the lead or a person may call
    /// this.
    ///
    /// # Errors
    ///
    /// Fails if the task does not belong to the run, the epoch is over, the task is not in review,
    /// or the actor may not.
    pub fn return_change(
        &mut self,
        actor: &Actor,
        run: RunId,
        (task, epoch): (TaskId, Epoch),
        note: &str,
    ) -> Result<Task, StoreError> {
        self.write(actor, |write| {
            write.require_lead("send a change back")?;
            write.check_line("note", note)?;
            read_task(write.db, task)?.check_epoch(epoch)?;
            return_to_author(write, run, task, note)
        })
    }

    /// Records the verdict of a member that reviewed a run's change, like [`Team::review`]. A
    /// rejected change goes back like with [`Team::return_change`].
    ///
    /// # Errors
    ///
    /// Fails like [`Team::review`], or if the task does not belong to the run.
    pub fn review_in_run(
        &mut self,
        actor: &Actor,
        run: RunId,
        (task, epoch): (TaskId, Epoch),
        review: &ReviewVerdict<'_>,
    ) -> Result<Task, StoreError> {
        self.write(actor, |write| {
            let found = record_review(write, task, epoch, review)?;
            if review.approved {
                return Ok(found);
            }
            let after = return_to_author(write, run, task, review.note)?;
            notify_author(write, &found, &after, review.note)?;
            Ok(after)
        })
    }
}

fn return_to_author(
    write: &Write<'_>,
    run: RunId,
    task: TaskId,
    note: &str,
) -> Result<Task, StoreError> {
    let policy = read_run(write.db, run)?.policy;
    let counted = write
        .db
        .prepare_cached(
            "UPDATE run_task SET returned = returned + 1 WHERE run = ?1 AND task = ?2
             RETURNING returned",
        )?
        .query_row((run.number(), task.number()), |row| row.get::<_, u32>(0))
        .optional()?;
    let returned = counted.ok_or(StoreError::NoTask(task))?;
    let detail = json!({ "run": run, "returned": returned });
    write.event("run.returned", &task.to_string(), &detail)?;
    let back = TaskStep::Return {
        note: note.to_owned(),
    };
    let back = apply_step(write, task, &back, None)?;
    if !policy.fails_after_returns(returned) {
        return Ok(back);
    }
    let note = format!("{note} (limit: review-rounds = {})", policy.review_rounds);
    apply_step(write, task, &TaskStep::Fail { note }, None)
}
