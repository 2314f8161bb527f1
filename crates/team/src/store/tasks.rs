//! Tasks: added, claimed, worked on, looked at.

use std::collections::BTreeSet;
use std::time::Duration;

use rusqlite::OptionalExtension as _;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::change::{Change, TaskEvidence};
use crate::id::{Epoch, GateName, TaskId, TreeHash};
use crate::store::actor::Actor;
use crate::store::error::StoreError;
use crate::store::gates::{read_reviews, read_runs};
use crate::store::queue::{apply_step, describe};
use crate::store::rows::{open_needs, read_locks, read_needs, read_task, read_tasks, task_exists};
use crate::store::signs::note_renewal;
use crate::store::team::Team;
use crate::store::write::{Write, check_length};
use crate::task::{
    Fence, Task, TaskRefusal, TaskState, TaskStep, WaitReason, Waiting, check_evidence,
};
use crate::why::{Surroundings, WaitsFor, waits_behind, why};

/// A task to be added.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NewTask {
    /// One line.
    pub title: String,
    /// What is wanted, with the check that shows it.
    #[serde(default)]
    pub spec: String,
    /// Higher is claimed first.
    #[serde(default)]
    pub priority: i64,
    /// The tasks that must be done first.
    #[serde(default)]
    pub needs: BTreeSet<TaskId>,
    /// The gates that must pass.
    #[serde(default)]
    pub gates: BTreeSet<GateName>,
    /// Whether a member who never worked on it must approve.
    #[serde(default)]
    pub needs_review: bool,
    /// How often it is tried; the team's limit where it is null.
    #[serde(default)]
    pub max_attempts: Option<u32>,
    /// Whether it stays a draft.
    #[serde(default)]
    pub draft: bool,
}

/// A claim.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ClaimRequest {
    /// Which task; the first that is ready and not blocked where it is null.
    #[serde(default)]
    pub task: Option<TaskId>,
    /// For how long; the team's limit where it is null.
    #[serde(default)]
    pub lease_ms: Option<u64>,
}

/// What the holder of a task does with it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "step", rename_all = "snake_case", deny_unknown_fields)]
pub enum HolderStep {
    /// Makes the lease longer, from now.
    Renew {
        /// For how long; the team's limit where it is null.
        #[serde(default)]
        lease_ms: Option<u64>,
    },
    /// Begins.
    Start,
    /// Says that it waits.
    Wait {
        /// For what.
        reason: WaitReason,
        /// For how long that is healthy.
        for_ms: u64,
    },
    /// Goes on after a wait.
    Resume,
    /// Submits a change; the lease and the locks end.
    Submit {
        /// The change.
        change: Change,
        /// The tree with the change in it.
        tree: TreeHash,
    },
    /// Gives the task back.
    Release {
        /// Why.
        note: String,
    },
    /// Gives the task up.
    GiveUp {
        /// Why.
        note: String,
    },
}

/// What is done to a task from outside.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "step", rename_all = "snake_case", deny_unknown_fields)]
pub enum TeamStep {
    /// A draft is made ready. Any member may.
    Publish,
    /// It is no longer wanted. The lead or a person.
    Cancel {
        /// Why.
        note: String,
    },
    /// Its lease is taken away. The lead or a person.
    Revoke {
        /// Why.
        note: String,
    },
    /// A failed task is tried again. The lead or a person.
    Reopen {
        /// How often.
        attempts: u32,
    },
}

/// A task, and all that it waits for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TaskWhy {
    /// The task.
    pub task: Task,
    /// What it waits for; nothing once it is over.
    pub waits_for: Vec<WaitsFor>,
}

impl Team {
    /// Adds a task.
    ///
    /// # Errors
    ///
    /// If a text is too long, or what it needs does not exist.
    pub fn add_task(&mut self, actor: &Actor, new: &NewTask) -> Result<Task, StoreError> {
        self.write(actor, |write| add_task(write, new))
    }

    /// Lets a task that no member works on need another.
    ///
    /// # Errors
    ///
    /// If one of them does not exist, a circle would come of it, or the task is under way or over.
    pub fn add_need(
        &mut self,
        actor: &Actor,
        task: TaskId,
        needed: TaskId,
    ) -> Result<(), StoreError> {
        self.write(actor, |write| add_need(write, task, needed))
    }

    /// Lets a task no longer need another. The lead or a person.
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
            write.require_lead("take away what a task needs")?;
            read_task(write.db, task)?;
            remove_need(write, task, needed)
        })
    }

    /// Gives a member a task, under a new epoch. A claim that the rules refuse leaves an event.
    ///
    /// # Errors
    ///
    /// If it is not ready, is blocked, or none is to be had.
    pub fn claim(&mut self, actor: &Actor, request: &ClaimRequest) -> Result<Task, StoreError> {
        let claimed = self.try_claim(actor, request);
        if let (Err(StoreError::Task(_)), Some(task)) = (&claimed, request.task) {
            // That it cannot be counted changes nothing of the answer.
            self.note_refused_claim(actor, task).ok();
        }
        claimed
    }

    fn try_claim(&mut self, actor: &Actor, request: &ClaimRequest) -> Result<Task, StoreError> {
        self.write(actor, |write| {
            let id = match request.task {
                Some(id) => id,
                None => next_ready(write)?.ok_or(StoreError::NothingReady)?,
            };
            claim_task(write, id, request.lease_ms)
        })
    }

    /// Takes a step of a task that the caller holds at this epoch.
    ///
    /// # Errors
    ///
    /// If the epoch is over, another member holds it, or the step does not lead from where it stands.
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
                }),
                HolderStep::Release { note } => TaskStep::Release { note: note.clone() },
                HolderStep::GiveUp { note } => TaskStep::GiveUp { note: note.clone() },
            };
            if let TaskStep::Release { note } | TaskStep::GiveUp { note } = &step {
                write.check_line("note", note)?;
            }
            let fence = Fence { member, epoch };
            let after = apply_step(write, task, &step, Some(&fence))?;
            if matches!(step, TaskStep::Renew { .. }) {
                note_renewal(write, &fence.member)?;
            }
            Ok(after)
        })
    }

    /// Takes a step of a task from outside.
    ///
    /// # Errors
    ///
    /// If the actor may not, or the step does not lead from where the task stands.
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
                TeamStep::Reopen { attempts } => TaskStep::Reopen {
                    attempts: *attempts,
                },
            };
            if let TaskStep::Cancel { note } | TaskStep::Revoke { note } = &step {
                write.check_line("note", note)?;
            }
            if step != TaskStep::Publish {
                write.require_lead("cancel, revoke or reopen a task")?;
            }
            apply_step(write, task, &step, None)
        })
    }

    /// Gives a task back whose holder was interrupted from outside: the attempt does not count. The lead
    /// or a person.
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

    /// Takes a task for done: what was submitted at this epoch, if `tree`, the tree now of the place
    /// that the change is in, is the one that was submitted, and its evidence is complete.
    ///
    /// # Errors
    ///
    /// [`StoreError::Incomplete`] with all that is missing; [`TaskRefusal::Stale`] if another epoch
    /// is under way.
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
            let complete = check_evidence(&found, tree, &runs, &reviews)
                .map_err(|missing| StoreError::Incomplete { task, missing })?;
            apply_step(write, task, &TaskStep::Accept(complete), None)
        })
    }

    /// A task.
    ///
    /// # Errors
    ///
    /// If there is none.
    pub fn task(&mut self, id: TaskId) -> Result<Task, StoreError> {
        read_task(self.read()?, id)
    }

    /// All tasks, in the order of their numbers.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn tasks(&mut self) -> Result<Vec<Task>, StoreError> {
        read_tasks(self.read()?)
    }

    /// A task, and all that it waits for.
    ///
    /// # Errors
    ///
    /// If there is none.
    pub fn why(&mut self, id: TaskId) -> Result<TaskWhy, StoreError> {
        let db = self.read()?;
        let task = read_task(db, id)?;
        let needs = read_needs(db)?;
        let needs = needs.of_task(id).map(|needed| read_task(db, needed));
        let needs: Vec<Task> = needs.collect::<Result<_, _>>()?;
        let queue = read_locks(db)?;
        let waiting = queue
            .locks()
            .iter()
            .filter(|lock| lock.task == id && !lock.granted);
        let around = Surroundings {
            needs: needs.iter().collect(),
            locks: waiting.map(|lock| waits_behind(&queue, lock)).collect(),
            runs: read_runs(db, id)?,
            reviews: read_reviews(db, id)?,
        };
        let waits_for = why(&task, &around);
        Ok(TaskWhy { task, waits_for })
    }
}

/// Gives the member whose change this is a task, under a new epoch.
pub(super) fn claim_task(
    write: &Write<'_>,
    id: TaskId,
    lease_ms: Option<u64>,
) -> Result<Task, StoreError> {
    let step = TaskStep::Claim {
        by: write.actor.name().ok_or(StoreError::NotMember)?.clone(),
        until: write.now.after(write.limits.lease(lease_ms)),
        open_needs: open_needs(write.db, id)?,
    };
    apply_step(write, id, &step, None)
}

/// Adds a task, with what it needs.
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
    let task = read_task(write.db, id)?;
    let event = write.event("task.added", &id.to_string(), &describe(&task))?;
    write
        .db
        .prepare_cached("UPDATE task SET changed_seq = ?2 WHERE id = ?1")?
        .execute((id.number(), event))?;
    for needed in &new.needs {
        add_need(write, id, *needed)?;
    }
    Ok(task)
}

/// The task that is claimed next: the highest priority, then the lowest number, of those that are
/// ready and need nothing that is not done.
fn next_ready(write: &Write<'_>) -> Result<Option<TaskId>, StoreError> {
    let mut statement = write.db.prepare_cached(
        "SELECT id FROM task WHERE state = 'ready' AND NOT EXISTS (
             SELECT 1 FROM dep JOIN task AS needed ON needed.id = dep.needs
             WHERE dep.task = task.id AND needed.state <> 'done')
         ORDER BY priority DESC, id LIMIT 1",
    )?;
    Ok(statement
        .query_row((), |row| row.get(0).map(TaskId::new))
        .optional()?)
}

fn add_need(write: &Write<'_>, task: TaskId, needed: TaskId) -> Result<(), StoreError> {
    let mut needs = read_needs(write.db)?;
    let known = [task, needed].map(|id| task_exists(write.db, id));
    let [has_task, has_needed] = known;
    let (has_task, has_needed) = (has_task?, has_needed?);
    needs.add(
        task,
        needed,
        |id| if id == task { has_task } else { has_needed },
    )?;
    let state = read_task(write.db, task)?.state;
    if !matches!(state, TaskState::Draft | TaskState::Ready) {
        return Err(StoreError::Task(TaskRefusal::State {
            task,
            state,
            step: "made to need another",
        }));
    }
    let changed = write
        .db
        .prepare_cached("INSERT OR IGNORE INTO dep (task, needs) VALUES (?1, ?2)")?
        .execute((task.number(), needed.number()))?;
    if changed > 0 {
        write.event("need.added", &task.to_string(), &json!({ "needs": needed }))?;
    }
    Ok(())
}

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
