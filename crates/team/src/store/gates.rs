//! Stores runs of gates, and reviews.

use rusqlite::Connection;
use serde_json::json;

use crate::change::Review;
use crate::gate::GateRun;
use crate::id::{Epoch, GateName, MemberName, TaskId, TreeHash};
use crate::store::actor::Actor;
use crate::store::error::StoreError;
use crate::store::members::{read_members, share_origin};
use crate::store::queue::{Draft, apply_step, post};
use crate::store::rows::{is_joined, parse, read_task, signed};
use crate::store::team::Team;
use crate::store::write::Write;
use crate::task::{Task, TaskRefusal, TaskState, TaskStep, is_approved};

impl Team {
    /// Records a run of a gate. The caller ran it and saw the same tree before and after; `log`
    /// names the redacted output.
    ///
    /// # Errors
    ///
    /// If there is no such task.
    pub fn record_gate(
        &mut self,
        actor: &Actor,
        task: TaskId,
        run: &GateRun,
    ) -> Result<(), StoreError> {
        self.write(actor, |write| {
            read_task(write.db, task)?;
            write.check_line("outcome", &run.outcome)?;
            write
                .db
                .prepare_cached(
                    "INSERT INTO gate_run (task, gate, tree, passed, outcome, took_ms, log)
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
                )?
                .execute((
                    task.number(),
                    run.gate.as_str(),
                    run.tree.as_str(),
                    run.passed,
                    &run.outcome,
                    signed(run.took_ms),
                    &run.log,
                ))?;
            let detail = json!({ "gate": run.gate, "tree": run.tree, "passed": run.passed });
            write.event("gate.ran", &task.to_string(), &detail)?;
            Ok(())
        })
    }

    /// Invalidates the results of a gate whose definition changes: its passes become failures,
    /// except for tasks that are done.
    ///
    /// # Errors
    ///
    /// Fails if the actor is a member other than the lead.
    pub fn invalidate_gate_runs(
        &mut self,
        actor: &Actor,
        gate: &GateName,
    ) -> Result<(), StoreError> {
        self.write(actor, |write| {
            write.require_lead("change a gate")?;
            let retired = write
                .db
                .prepare_cached(
                    "UPDATE gate_run SET passed = 0, outcome = 'the gate was changed since'
                     WHERE gate = ?1 AND passed = 1
                     AND task NOT IN (SELECT id FROM task WHERE state = 'done')",
                )?
                .execute([gate.as_str()])?;
            write.event(
                "gate.changed",
                gate.as_str(),
                &json!({ "retired": retired }),
            )?;
            Ok(())
        })
    }

    /// Returns the gate runs of a task, the earliest first.
    ///
    /// # Errors
    ///
    /// If there is no such task.
    pub fn gate_runs(&mut self, task: TaskId) -> Result<Vec<GateRun>, StoreError> {
        let db = self.read()?;
        read_task(db, task)?;
        read_runs(db, task)
    }

    /// Returns whether a member that never worked on a task approved this tree of it, unless a
    /// permitted reviewer later rejected it.
    ///
    /// # Errors
    ///
    /// If there is no such task.
    pub fn is_approved(&mut self, task: TaskId, tree: &TreeHash) -> Result<bool, StoreError> {
        let db = self.read()?;
        let found = read_task(db, task)?;
        Ok(is_approved(&found, tree, &read_reviews(db, task)?))
    }

    /// Records a reviewer's verdict on the work submitted at this epoch. A rejected change goes
    /// back to its author.
    ///
    /// # Errors
    ///
    /// Fails if the reviewer ever worked on the task, the epoch is over, the task is not in review,
    /// or the tree is not the submitted one.
    pub fn review(
        &mut self,
        actor: &Actor,
        task: TaskId,
        epoch: Epoch,
        review: &ReviewVerdict<'_>,
    ) -> Result<Task, StoreError> {
        self.write(actor, |write| {
            let found = record_review(write, task, epoch, review)?;
            if review.approved {
                return Ok(found);
            }
            let note = review.note.to_owned();
            let after = apply_step(write, task, &TaskStep::SendBack { note }, None)?;
            notify_author(write, &found, &after, review.note)?;
            Ok(after)
        })
    }
}

/// Records a reviewer's verdict; returns the task as it was submitted.
pub(super) fn record_review(
    write: &Write<'_>,
    task: TaskId,
    epoch: Epoch,
    review: &ReviewVerdict<'_>,
) -> Result<Task, StoreError> {
    let reviewer = write.actor.label();
    let found = read_task(write.db, task)?;
    found.check_epoch(epoch)?;
    let submitted = found.evidence.as_ref().map(|evidence| &evidence.tree);
    if found.state != TaskState::Review || submitted != Some(review.tree) {
        let step = "reviewed on that tree";
        let state = found.state;
        return Err(StoreError::Task(TaskRefusal::State { task, state, step }));
    }
    if found
        .workers
        .iter()
        .any(|worker| worker.as_str() == reviewer)
    {
        return Err(own_work_refusal(write, &found, "review what it worked on"));
    }
    for worker in &found.workers {
        // Two names used by the same AI session count as one member, which must not approve its own
        // work.
        if review.approved && share_origin(write.db, worker.as_str(), reviewer)? {
            let act = "approve what the same session worked on";
            return Err(own_work_refusal(write, &found, act));
        }
    }
    write.check_line("note", review.note)?;
    write
        .db
        .prepare_cached(
            "INSERT INTO review (task, reviewer, tree, approved, note)
             VALUES (?1, ?2, ?3, ?4, ?5)",
        )?
        .execute((
            task.number(),
            reviewer,
            review.tree.as_str(),
            review.approved,
            review.note,
        ))?;
    let detail = json!({ "tree": review.tree, "approved": review.approved });
    write.event("task.reviewed", &task.to_string(), &detail)?;
    Ok(found)
}

impl Team {
    /// Sends the work submitted at this epoch back to its author. Only the lead or a person may
    /// call this.
    ///
    /// # Errors
    ///
    /// Fails if the epoch is over, the task is not in review, or the actor may not.
    pub fn send_back(
        &mut self,
        actor: &Actor,
        task: TaskId,
        epoch: Epoch,
        note: &str,
    ) -> Result<Task, StoreError> {
        self.write(actor, |write| {
            write.require_lead("send a change back")?;
            write.check_line("note", note)?;
            read_task(write.db, task)?.check_epoch(epoch)?;
            let note = note.to_owned();
            apply_step(write, task, &TaskStep::SendBack { note }, None)
        })
    }

    /// Returns the reviews of a task, the earliest first.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn reviews(&mut self, task: TaskId) -> Result<Vec<Review>, StoreError> {
        read_reviews(self.read()?, task)
    }
}

/// Sends a reviewer's findings to the author of the change, in the reviewer's name.
pub(super) fn notify_author(
    write: &Write<'_>,
    submitted: &Task,
    after: &Task,
    note: &str,
) -> Result<(), StoreError> {
    let Some(evidence) = &submitted.evidence else {
        return Ok(());
    };
    if !is_joined(write.db, &evidence.author)? {
        return Ok(());
    }
    let id = submitted.id;
    let body = match after.state {
        TaskState::Failed if after.attempt < after.max_attempts => {
            format!("{id} failed after its last review round: {note}")
        }
        TaskState::Failed => format!("{id} failed at its last attempt: {note}"),
        _ => format!("{id} goes back to you: {note}"),
    };
    let draft = Draft::notice(&evidence.author, &body);
    post(write, write.actor, &draft).map(drop)
}

/// Returns the refusal for a reviewer who worked on a task, with the members who may review it.
fn own_work_refusal(write: &Write<'_>, task: &Task, act: &'static str) -> StoreError {
    let mut may = match read_members(write.db) {
        Ok(members) => members,
        Err(error) => return error,
    };
    may.retain(|it| {
        let shares = |worker: &MemberName| {
            share_origin(write.db, worker.as_str(), it.name.as_str()).unwrap_or(true)
        };
        it.left_ms.is_none() && !task.workers.contains(&it.name) && !task.workers.iter().any(shares)
    });
    StoreError::WorkedOn {
        actor: write.actor.label().to_owned(),
        act,
        may: may.into_iter().map(|it| it.name).collect(),
    }
}

/// A reviewer's verdict.
#[derive(Clone, Copy, Debug)]
pub struct ReviewVerdict<'a> {
    /// The reviewed tree.
    pub tree: &'a TreeHash,
    /// Whether the change may be merged.
    pub approved: bool,
    /// The findings.
    pub note: &'a str,
}

/// Returns the gate runs of a task, the earliest first.
pub(super) fn read_runs(db: &Connection, task: TaskId) -> Result<Vec<GateRun>, StoreError> {
    let mut statement = db.prepare_cached(
        "SELECT gate, tree, passed, outcome, took_ms, log FROM gate_run WHERE task = ?1 ORDER BY id",
    )?;
    let mut rows = statement.query([task.number()])?;
    let mut runs = Vec::new();
    while let Some(row) = rows.next()? {
        runs.push(GateRun {
            gate: parse(&row.get::<_, String>(0)?)?,
            tree: parse(&row.get::<_, String>(1)?)?,
            passed: row.get(2)?,
            outcome: row.get(3)?,
            took_ms: u64::try_from(row.get::<_, i64>(4)?).unwrap_or_default(),
            log: row.get(5)?,
        });
    }
    Ok(runs)
}

/// Returns the reviews of a task, the earliest first.
pub(super) fn read_reviews(db: &Connection, task: TaskId) -> Result<Vec<Review>, StoreError> {
    let mut statement = db.prepare_cached(
        "SELECT reviewer, tree, approved, note FROM review WHERE task = ?1 ORDER BY id",
    )?;
    let mut rows = statement.query([task.number()])?;
    let mut reviews = Vec::new();
    while let Some(row) = rows.next()? {
        reviews.push(Review {
            reviewer: parse(&row.get::<_, String>(0)?)?,
            tree: parse(&row.get::<_, String>(1)?)?,
            approved: row.get(2)?,
            note: row.get(3)?,
        });
    }
    Ok(reviews)
}
