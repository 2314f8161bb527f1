//! Adds, claims, advances and reads tasks.

use std::collections::BTreeSet;
use std::time::Duration;

use rusqlite::{Connection, OptionalExtension as _};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::change::{Change, TaskEvidence};
use crate::id::{Epoch, GateName, TaskId, TreeHash};
use crate::needs::Needs;
use crate::store::actor::Actor;
use crate::store::error::StoreError;
use crate::store::event::{EventDoc, read_events_around};
use crate::store::gates::{read_reviews, read_runs};
use crate::store::queue::{apply_step, describe};
use crate::store::rows::{
    insert_label, open_needs, read_locks, read_needs, read_task, read_tasks, write_assignee,
};
use crate::store::signs::record_renewal;
use crate::store::task_needs::{add_need, remove_need};
use crate::store::team::Team;
use crate::store::write::{Write, check_length, to_json};
use crate::task::{
    Assignee, Fence, Label, Task, TaskRefusal, TaskState, TaskStep, WaitReason, Waiting,
    check_evidence, is_approved,
};
use crate::why::{TaskContext, WaitsFor, waiting_lock, why};

/// A task to add.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NewTask {
    /// The title, in one line.
    pub title: String,
    /// The description, with the check that proves it.
    #[serde(default)]
    pub spec: String,
    /// The priority; tasks with a higher one are claimed first.
    #[serde(default)]
    pub priority: i64,
    /// The tasks that must be done first.
    #[serde(default)]
    pub needs: BTreeSet<TaskId>,
    /// The gates that must pass.
    #[serde(default)]
    pub gates: BTreeSet<GateName>,
    /// Whether a member who never worked on it must approve it.
    #[serde(default)]
    pub needs_review: bool,
    /// The number of attempts; null for the team's limit.
    #[serde(default)]
    pub max_attempts: Option<u32>,
    /// Whether it is added as a draft.
    #[serde(default)]
    pub draft: bool,
    /// Its labels.
    #[serde(default)]
    pub labels: BTreeSet<Label>,
    /// The member or role that it is assigned to.
    #[serde(default)]
    pub assignee: Option<Assignee>,
}

/// A request to claim a task.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ClaimRequest {
    /// The task; null for the first one that is ready and not blocked.
    #[serde(default)]
    pub task: Option<TaskId>,
    /// The duration of the lease, in milliseconds; null for the team's default.
    #[serde(default)]
    pub lease_ms: Option<u64>,
    /// The commit that the member's work tree has checked out; null if there is none.
    #[serde(default)]
    pub base: Option<String>,
}

/// A step that the holder of a task takes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "step", rename_all = "snake_case", deny_unknown_fields)]
pub enum HolderStep {
    /// Extends the lease, starting now.
    Renew {
        /// The duration, in milliseconds; null for the team's default.
        #[serde(default)]
        lease_ms: Option<u64>,
    },
    /// Starts the work.
    Start,
    /// Declares that the holder is waiting.
    Wait {
        /// What it waits for.
        reason: WaitReason,
        /// How long it may wait, in milliseconds.
        for_ms: u64,
    },
    /// Continues after a wait.
    Resume,
    /// Submits a change; the lease and the locks end.
    Submit {
        /// The change.
        change: Change,
        /// The tree that contains the change.
        tree: TreeHash,
    },
    /// Submits that nothing has to change; the lease and the locks end.
    SubmitUnchanged {
        /// The commit that is correct as it is.
        change: Change,
        /// Its tree.
        tree: TreeHash,
        /// Why nothing has to change.
        note: String,
    },
    /// Releases the task.
    Release {
        /// The reason.
        note: String,
        /// Whether commits were made since the claim; the task then counts as started.
        has_commits: bool,
    },
    /// Gives the task up, so that it fails.
    GiveUp {
        /// The reason.
        note: String,
    },
}

/// A step that is taken from outside, without holding the task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "step", rename_all = "snake_case", deny_unknown_fields)]
pub enum TeamStep {
    /// Makes a draft ready. Any member may do this.
    Publish,
    /// Cancels the task. Only the lead or a person may do this.
    Cancel {
        /// The reason.
        note: String,
    },
    /// Revokes the lease. Only the lead or a person may do this.
    Revoke {
        /// The reason.
        note: String,
    },
    /// Makes a done, failed or cancelled task ready again. Only the lead or a person may do this.
    Reopen {
        /// The number of attempts; null for the team's limit.
        #[serde(default)]
        attempts: Option<u32>,
        /// The reason.
        note: String,
    },
}

/// A task and everything that it waits for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TaskWhy {
    /// The task.
    pub task: Task,
    /// What it waits for; empty once it is over.
    pub waits_for: Vec<WaitsFor>,
}

impl Team {
    /// Adds a task.
    ///
    /// # Errors
    ///
    /// Fails if a text is too long, or a needed task does not exist.
    pub fn add_task(&mut self, actor: &Actor, new: &NewTask) -> Result<Task, StoreError> {
        self.write(actor, |write| add_task(write, new))
    }

    /// Makes a task that no member works on need another one.
    ///
    /// # Errors
    ///
    /// Fails if one of them does not exist, this would create a cycle, or the task is in progress
    /// or over.
    pub fn add_need(
        &mut self,
        actor: &Actor,
        task: TaskId,
        needed: TaskId,
    ) -> Result<(), StoreError> {
        self.write(actor, |write| add_need(write, task, needed))
    }

    /// Removes a task's need for another one. Only the lead or a person may call this.
    ///
    /// # Errors
    ///
    /// If there is no such task or the actor may not.
    pub fn remove_need(
        &mut self,
        actor: &Actor,
        task: TaskId,
        needed: TaskId,
    ) -> Result<(), StoreError> {
        self.write(actor, |write| {
            write.require_lead("remove a need of a task")?;
            read_task(write.db, task)?;
            remove_need(write, task, needed)
        })
    }

    /// Claims a task for a member, under a new epoch. A refused claim leaves an event.
    ///
    /// # Errors
    ///
    /// Fails if the task is not ready or is blocked, or no task can be claimed.
    pub fn claim(&mut self, actor: &Actor, request: &ClaimRequest) -> Result<Task, StoreError> {
        let claimed = self.try_claim(actor, request);
        if let (Err(StoreError::Task(_)), Some(task)) = (&claimed, request.task) {
            // A failure to count the refused claim must not change the answer.
            self.record_refused_claim(actor, task).ok();
        }
        claimed
    }

    fn try_claim(&mut self, actor: &Actor, request: &ClaimRequest) -> Result<Task, StoreError> {
        self.write(actor, |write| {
            let id = match request.task {
                Some(id) => id,
                None => next_ready(write)?.ok_or(StoreError::NothingReady)?,
            };
            claim_task(write, id, request.lease_ms, request.base.as_deref())
        })
    }

    /// Takes a step of a task that the caller holds at this epoch.
    ///
    /// # Errors
    ///
    /// Fails if the epoch is over, another member holds the task, or its state does not allow the
    /// step.
    pub fn step(
        &mut self,
        actor: &Actor,
        task: TaskId,
        epoch: Epoch,
        step: &HolderStep,
    ) -> Result<Task, StoreError> {
        self.write(actor, |write| {
            let member = actor.name().ok_or(StoreError::NotMember)?.clone();
            let after = |ms: Option<u64>| write.now.after(write.limits.lease(ms));
            let step = match step {
                HolderStep::Renew { lease_ms } => TaskStep::Renew {
                    until: after(*lease_ms),
                },
                HolderStep::Start => TaskStep::Start,
                HolderStep::Wait { reason, for_ms } => TaskStep::Wait(Waiting {
                    reason: *reason,
                    until: write.now.after(Duration::from_millis(*for_ms)),
                }),
                HolderStep::Resume => TaskStep::Resume,
                HolderStep::Submit { change, tree } => TaskStep::Submit(TaskEvidence {
                    change: change.clone(),
                    tree: tree.clone(),
                    author: member.clone(),
                    no_change: None,
                }),
                HolderStep::SubmitUnchanged { change, tree, note } => {
                    write.check_line("reason", note)?;
                    TaskStep::Submit(TaskEvidence {
                        change: change.clone(),
                        tree: tree.clone(),
                        author: member.clone(),
                        no_change: Some(note.clone()),
                    })
                }
                HolderStep::Release { note, has_commits } => TaskStep::Release {
                    note: note.clone(),
                    has_commits: *has_commits,
                },
                HolderStep::GiveUp { note } => TaskStep::GiveUp { note: note.clone() },
            };
            if let TaskStep::Release { note, .. } | TaskStep::GiveUp { note } = &step {
                write.check_line("note", note)?;
            }
            if let TaskStep::Submit(evidence) = &step
                && let Some(replaced) = replace(write, task, epoch, evidence)?
            {
                return Ok(replaced);
            }
            let fence = Fence { member, epoch };
            let after = apply_step(write, task, &step, Some(&fence))?;
            if matches!(step, TaskStep::Renew { .. }) {
                record_renewal(write, &fence.member)?;
            }
            Ok(after)
        })
    }

    /// Takes a step of a task from outside, without holding it.
    ///
    /// # Errors
    ///
    /// Fails if the actor may not, or the task's state does not allow the step.
    pub fn direct(
        &mut self,
        actor: &Actor,
        task: TaskId,
        step: &TeamStep,
    ) -> Result<Task, StoreError> {
        self.write(actor, |write| {
            let step = match step {
                TeamStep::Publish => TaskStep::Publish,
                TeamStep::Cancel { note } => TaskStep::Cancel { note: note.clone() },
                TeamStep::Revoke { note } => TaskStep::Revoke { note: note.clone() },
                TeamStep::Reopen { attempts, note } => TaskStep::Reopen {
                    attempts: attempts.unwrap_or(write.limits.max_attempts),
                    note: note.clone(),
                    held: running_dependents(write.db, task)?,
                },
            };
            if let TaskStep::Cancel { note }
            | TaskStep::Revoke { note }
            | TaskStep::Reopen { note, .. } = &step
            {
                write.check_line("note", note)?;
            }
            if step != TaskStep::Publish {
                write.require_lead("cancel, revoke or reopen a task")?;
            }
            apply_step(write, task, &step, None)
        })
    }

    /// Releases a task whose holder was interrupted from outside; the attempt does not count. Only
    /// the lead or a person may call this.
    ///
    /// # Errors
    ///
    /// If no member holds it, or the actor may not.
    pub fn interrupt(
        &mut self,
        actor: &Actor,
        task: TaskId,
        note: &str,
    ) -> Result<Task, StoreError> {
        self.write(actor, |write| {
            write.require_lead("interrupt a task")?;
            write.check_line("note", note)?;
            let note = note.to_owned();
            apply_step(write, task, &TaskStep::Interrupt { note }, None)
        })
    }

    /// Marks a task as done if its evidence is complete and `tree` is the tree submitted at this
    /// epoch. `tree` is the current tree of the place that contains the change.
    ///
    /// # Errors
    ///
    /// [`StoreError::Incomplete`] with everything that is missing; [`TaskRefusal::Stale`] if the
    /// task is at another epoch.
    pub fn accept(
        &mut self,
        actor: &Actor,
        task: TaskId,
        epoch: Epoch,
        tree: &TreeHash,
    ) -> Result<Task, StoreError> {
        self.write(actor, |write| {
            let found = read_task(write.db, task)?;
            found.check_epoch(epoch)?;
            if found.state != TaskState::Review {
                return Err(StoreError::Task(TaskRefusal::State {
                    task,
                    state: found.state,
                    step: "accepted",
                }));
            }
            let runs = read_runs(write.db, task)?;
            let reviews = read_reviews(write.db, task)?;
            let complete = check_evidence(&found, tree, &runs, &reviews).map_err(|missing| {
                StoreError::Incomplete {
                    task,
                    epoch,
                    missing,
                }
            })?;
            apply_step(write, task, &TaskStep::Accept(complete), None)
        })
    }

    /// Returns a task.
    ///
    /// # Errors
    ///
    /// Fails if there is no such task.
    pub fn task(&mut self, id: TaskId) -> Result<Task, StoreError> {
        read_task(self.read()?, id)
    }

    /// Returns all tasks, sorted by id.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn tasks(&mut self) -> Result<Vec<Task>, StoreError> {
        read_tasks(self.read()?)
    }

    /// Returns the needs between all tasks.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn needs(&mut self) -> Result<Needs, StoreError> {
        read_needs(self.read()?)
    }

    /// Returns the events of a task, the earliest first.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn task_events(&mut self, id: TaskId) -> Result<Vec<EventDoc>, StoreError> {
        let mut events = read_events_around(self.read()?, &id.to_string(), u32::MAX)?;
        events.reverse();
        Ok(events)
    }

    /// Returns a task and everything that it waits for.
    ///
    /// # Errors
    ///
    /// Fails if there is no such task.
    pub fn why(&mut self, id: TaskId) -> Result<TaskWhy, StoreError> {
        let db = self.read()?;
        let task = read_task(db, id)?;
        let needs = read_needs(db)?;
        let needs = needs.needs_of_task(id).map(|needed| read_task(db, needed));
        let needs: Vec<Task> = needs.collect::<Result<_, _>>()?;
        let queue = read_locks(db)?;
        let waiting = queue
            .locks()
            .iter()
            .filter(|lock| lock.task == id && !lock.granted);
        let context = TaskContext {
            needs: needs.iter().collect(),
            locks: waiting.map(|lock| waiting_lock(&queue, lock)).collect(),
            runs: read_runs(db, id)?,
            reviews: read_reviews(db, id)?,
        };
        let waits_for = why(&task, &context);
        Ok(TaskWhy { task, waits_for })
    }
}

/// Claims a task for the acting member, under a new epoch.
pub(super) fn claim_task(
    write: &Write<'_>,
    id: TaskId,
    lease_ms: Option<u64>,
    base: Option<&str>,
) -> Result<Task, StoreError> {
    let step = TaskStep::Claim {
        by: write.actor.name().ok_or(StoreError::NotMember)?.clone(),
        until: write.now.after(write.limits.lease(lease_ms)),
        role: write.actor.role().ok_or(StoreError::NotMember)?.clone(),
        open_needs: open_needs(write.db, id)?,
        base: base.map(str::to_owned),
    };
    apply_step(write, id, &step, None)
}

/// Replaces the change that the same member submitted at this epoch. Returns `None` if this is not
/// such a replacement.
fn replace(
    write: &Write<'_>,
    task: TaskId,
    epoch: Epoch,
    evidence: &TaskEvidence,
) -> Result<Option<Task>, StoreError> {
    let found = read_task(write.db, task)?;
    let last = found.evidence.as_ref();
    let last =
        last.filter(|last| found.state == TaskState::Review && last.author == evidence.author);
    let Some(last) = last.filter(|_| found.epoch == epoch) else {
        return Ok(None);
    };
    // Resubmitting the same change keeps its reviews.
    if last == evidence {
        return Ok(Some(found));
    }
    if is_approved(&found, &last.tree, &read_reviews(write.db, task)?) {
        return Err(StoreError::Task(TaskRefusal::Approved { task }));
    }
    let step = TaskStep::Replace(evidence.clone());
    apply_step(write, task, &step, None).map(Some)
}

/// Returns the tasks in progress that need this one done.
fn running_dependents(db: &Connection, task: TaskId) -> Result<Vec<TaskId>, StoreError> {
    let mut statement = db.prepare_cached(
        "SELECT dep.task FROM dep JOIN task ON task.id = dep.task
         WHERE dep.needs = ?1 AND task.holder IS NOT NULL ORDER BY dep.task",
    )?;
    let rows = statement.query_map([task.number()], |row| row.get(0).map(TaskId::new))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Adds a task with its needs.
pub(super) fn add_task(write: &Write<'_>, new: &NewTask) -> Result<Task, StoreError> {
    write.check_line("title", &new.title)?;
    if !new.spec.is_empty() {
        check_length("spec", &new.spec, write.limits.max_spec_bytes)?;
    }
    let max_attempts = new.max_attempts.unwrap_or(write.limits.max_attempts).max(1);
    let state = if new.draft {
        TaskState::Draft
    } else {
        TaskState::Ready
    };
    write
        .db
        .prepare_cached(
            "INSERT INTO task (title, spec, state, priority, epoch, attempt, max_attempts,
                 needs_review, claimed_seq, changed_seq)
             VALUES (?1, ?2, ?3, ?4, 0, 0, ?5, ?6, 0, 0)",
        )?
        .execute((
            &new.title,
            &new.spec,
            state.as_str(),
            new.priority,
            max_attempts,
            new.needs_review,
        ))?;
    let id = TaskId::new(write.db.last_insert_rowid());
    for gate in &new.gates {
        write
            .db
            .prepare_cached("INSERT INTO task_gate (task, gate) VALUES (?1, ?2)")?
            .execute((id.number(), gate.as_str()))?;
    }
    for label in &new.labels {
        insert_label(write.db, id, label)?;
    }
    if let Some(assignee) = &new.assignee {
        write_assignee(write.db, id, Some(assignee))?;
    }
    let task = read_task(write.db, id)?;
    let event = write.event("task.added", &id.to_string(), &describe(&task))?;
    write
        .db
        .prepare_cached("UPDATE task SET changed_seq = ?2, place = id WHERE id = ?1")?
        .execute((id.number(), event))?;
    for needed in &new.needs {
        add_need(write, id, *needed)?;
    }
    read_task(write.db, id)
}

/// Returns the next task to claim: the highest priority, then the lowest place, of the ready tasks
/// without unfinished needs that are not assigned to someone else.
fn next_ready(write: &Write<'_>) -> Result<Option<TaskId>, StoreError> {
    let mut statement = write.db.prepare_cached(
        "SELECT id FROM task WHERE state = 'ready' AND NOT EXISTS (
             SELECT 1 FROM dep JOIN task AS needed ON needed.id = dep.needs
             WHERE dep.task = task.id AND needed.state <> 'done')
         AND (assignee IS NULL OR assignee IN (?1, ?2))
         ORDER BY priority DESC, place, id LIMIT 1",
    )?;
    let actor = write.actor;
    let (name, role) = actor
        .name()
        .zip(actor.role())
        .ok_or(StoreError::NotMember)?;
    let own = [
        to_json(&Assignee::Member(name.clone()))?,
        to_json(&Assignee::Role(role.clone()))?,
    ];
    Ok(statement
        .query_row(own, |row| row.get(0).map(TaskId::new))
        .optional()?)
}
