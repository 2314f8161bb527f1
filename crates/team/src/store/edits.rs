//! Edits tasks from outside: their texts, requirements, labels, assignees and order. Each change
//! writes an event with the previous values.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::id::{GateName, MemberName, TaskId};
use crate::store::actor::Actor;
use crate::store::error::StoreError;
use crate::store::queue::{Draft, post};
use crate::store::rows::{insert_label, is_joined, read_task, read_tasks, write_assignee};
use crate::store::team::Team;
use crate::store::write::{Write, check_length};
use crate::task::{Assignee, Label, Task, TaskRefusal};

/// The changes to a task; null values leave a field unchanged.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct TaskEdit {
    /// The new title.
    pub title: Option<String>,
    /// The new description; an empty one removes it.
    pub spec: Option<String>,
    /// The new priority.
    pub priority: Option<i64>,
    /// The gates that it requires, replacing the previous ones.
    pub gates: Option<BTreeSet<GateName>>,
    /// Whether a member who never worked on it must approve it.
    pub needs_review: Option<bool>,
    /// Labels to add.
    pub add_labels: BTreeSet<Label>,
    /// Labels to remove.
    pub remove_labels: BTreeSet<Label>,
}

impl TaskEdit {
    /// Returns whether it changes nothing.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Returns whether it changes more than labels.
    const fn changes_beyond_labels(&self) -> bool {
        self.title.is_some()
            || self.spec.is_some()
            || self.priority.is_some()
            || self.gates.is_some()
            || self.needs_review.is_some()
    }
}

/// A new position for a task in the order of claims. The task's priority is adjusted if necessary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TaskPlace {
    /// Before all other tasks.
    Top,
    /// Right before another task.
    Before(TaskId),
    /// Right after another task.
    After(TaskId),
}

impl Team {
    /// Edits a task and notifies the member that works on it or submitted it. Only the lead or a
    /// person may call this.
    ///
    /// # Errors
    ///
    /// Fails if the actor may not edit it, a text is too long, or the task is over and more than
    /// its labels would change.
    pub fn edit_task(
        &mut self,
        actor: &Actor,
        task: TaskId,
        edit: &TaskEdit,
    ) -> Result<Task, StoreError> {
        self.write(actor, |write| {
            write.require_lead("edit a task")?;
            let changed = edit_task(write, task, edit)?;
            if !changed.is_empty() && edit.changes_beyond_labels() {
                notify_worker(write, task, &changed)?;
            }
            read_task(write.db, task)
        })
    }

    /// Assigns a task to a member or a role, or removes the assignment. A current holder keeps it
    /// until its lease ends. Only the lead or a person may call this.
    ///
    /// # Errors
    ///
    /// Fails if the actor may not assign it, the member does not exist, or the task is over.
    pub fn assign(
        &mut self,
        actor: &Actor,
        task: TaskId,
        assignee: Option<&Assignee>,
    ) -> Result<Task, StoreError> {
        self.write(actor, |write| {
            write.require_lead("assign tasks")?;
            let before = read_task(write.db, task)?;
            refuse_final(&before, "assigned")?;
            if let Some(Assignee::Member(name)) = assignee
                && !is_joined(write.db, name)?
            {
                return Err(StoreError::NoMember(name.clone()));
            }
            assign(write, &before, assignee)?;
            read_task(write.db, task)
        })
    }

    /// Moves a task before or after others in the order of claims. Only the lead or a person may
    /// call this.
    ///
    /// # Errors
    ///
    /// Fails if the actor may not move it, or one of the tasks does not exist.
    pub fn move_task(
        &mut self,
        actor: &Actor,
        task: TaskId,
        place: TaskPlace,
    ) -> Result<Task, StoreError> {
        self.write(actor, |write| {
            write.require_lead("reorder tasks")?;
            move_task(write, task, place)?;
            read_task(write.db, task)
        })
    }
}

fn refuse_final(task: &Task, step: &'static str) -> Result<(), StoreError> {
    match task.state.is_final() {
        false => Ok(()),
        true => Err(StoreError::Task(TaskRefusal::State {
            task: task.id,
            state: task.state,
            step,
        })),
    }
}

/// Edits a task and writes an event; returns the previous values of the changed fields.
pub(super) fn edit_task(
    write: &Write<'_>,
    id: TaskId,
    edit: &TaskEdit,
) -> Result<Vec<(&'static str, Value)>, StoreError> {
    let before = read_task(write.db, id)?;
    if edit.changes_beyond_labels() {
        refuse_final(&before, "edited")?;
    }
    let title = edit.title.as_ref().unwrap_or(&before.title);
    write.check_line("title", title)?;
    let spec = edit.spec.as_ref().unwrap_or(&before.spec);
    if !spec.is_empty() {
        check_length("spec", spec, write.limits.max_spec_bytes)?;
    }
    let priority = edit.priority.unwrap_or(before.priority);
    let needs_review = edit.needs_review.unwrap_or(before.needs_review);
    write
        .db
        .prepare_cached(
            "UPDATE task SET title = ?2, spec = ?3, priority = ?4, needs_review = ?5 WHERE id = ?1",
        )?
        .execute((id.number(), title, spec, priority, needs_review))?;
    if let Some(gates) = &edit.gates {
        set_gates(write, id, gates)?;
    }
    for label in &edit.remove_labels {
        write
            .db
            .prepare_cached("DELETE FROM task_label WHERE task = ?1 AND label = ?2")?
            .execute((id.number(), label.as_str()))?;
    }
    for label in &edit.add_labels {
        insert_label(write.db, id, label)?;
    }
    let was = difference(&before, &read_task(write.db, id)?);
    if !was.is_empty() {
        let was: Map<String, Value> = was
            .iter()
            .map(|(name, was)| ((*name).to_owned(), was.clone()))
            .collect();
        write.event("task.edited", &id.to_string(), &json!({ "was": was }))?;
    }
    Ok(was)
}

fn set_gates(write: &Write<'_>, id: TaskId, gates: &BTreeSet<GateName>) -> Result<(), StoreError> {
    write
        .db
        .prepare_cached("DELETE FROM task_gate WHERE task = ?1")?
        .execute([id.number()])?;
    for gate in gates {
        write
            .db
            .prepare_cached("INSERT INTO task_gate (task, gate) VALUES (?1, ?2)")?
            .execute((id.number(), gate.as_str()))?;
    }
    Ok(())
}

/// Returns the previous values of the fields that differ.
fn difference(before: &Task, after: &Task) -> Vec<(&'static str, Value)> {
    let fields = [
        ("title", before.title != after.title, json!(before.title)),
        ("spec", before.spec != after.spec, json!(before.spec)),
        (
            "priority",
            before.priority != after.priority,
            json!(before.priority),
        ),
        ("gates", before.gates != after.gates, json!(before.gates)),
        (
            "needs_review",
            before.needs_review != after.needs_review,
            json!(before.needs_review),
        ),
        (
            "labels",
            before.labels != after.labels,
            json!(before.labels),
        ),
    ];
    let changed = fields.into_iter().filter(|(_, differs, _)| *differs);
    changed.map(|(name, _, was)| (name, was)).collect()
}

/// Notifies the member that works on a task or submitted it about changed fields.
fn notify_worker(
    write: &Write<'_>,
    id: TaskId,
    changed: &[(&str, Value)],
) -> Result<(), StoreError> {
    let task = read_task(write.db, id)?;
    let lease = task.lease.map(|lease| lease.holder);
    let author = task.evidence.map(|evidence| evidence.author);
    let worker: Option<MemberName> = lease.or(author);
    let Some(worker) = worker.filter(|it| it.as_str() != write.actor.label()) else {
        return Ok(());
    };
    if !is_joined(write.db, &worker)? {
        return Ok(());
    }
    let fields: Vec<&str> = changed.iter().map(|(name, _)| *name).collect();
    let body = format!(
        "{id} was edited: {}. Read the new text with `agon team task show {id}`.",
        fields.join(", ")
    );
    post(write, &Actor::team(), &Draft::notice(&worker, &body)).map(drop)
}

/// Changes a task's assignee, and writes an event if it differs.
pub(super) fn assign(
    write: &Write<'_>,
    before: &Task,
    assignee: Option<&Assignee>,
) -> Result<(), StoreError> {
    if before.assignee.as_ref() == assignee {
        return Ok(());
    }
    write_assignee(write.db, before.id, assignee)?;
    let detail = json!({ "assignee": assignee, "was": before.assignee });
    write.event("task.assigned", &before.id.to_string(), &detail)?;
    Ok(())
}

/// Reorders the tasks of a priority.
fn move_task(write: &Write<'_>, id: TaskId, place: TaskPlace) -> Result<(), StoreError> {
    let moved = read_task(write.db, id)?;
    refuse_final(&moved, "moved")?;
    let priority = match place {
        TaskPlace::Before(other) | TaskPlace::After(other) => read_task(write.db, other)?.priority,
        TaskPlace::Top => {
            let open = read_tasks(write.db)?.into_iter();
            let open = open.filter(|task| !task.state.is_final());
            open.map(|task| task.priority).max().unwrap_or_default()
        }
    };
    let mut row: Vec<(i64, TaskId)> = read_tasks(write.db)?
        .into_iter()
        .filter(|task| task.priority == priority || task.id == id)
        .map(|task| (task.place, task.id))
        .collect();
    row.sort_unstable();
    let places: Vec<i64> = row.iter().map(|(place, _)| *place).collect();
    let mut order: Vec<TaskId> = row.into_iter().map(|(_, task)| task).collect();
    order.retain(|task| *task != id);
    let at = |other: TaskId| order.iter().position(|task| *task == other);
    let index = match place {
        TaskPlace::Top => Some(0),
        TaskPlace::Before(other) => at(other),
        TaskPlace::After(other) => at(other).map(|at| at + 1),
    };
    // Moving a task next to itself leaves it in place.
    let Some(index) = index else { return Ok(()) };
    order.insert(index, id);
    let mut update = write
        .db
        .prepare_cached("UPDATE task SET priority = ?2, place = ?3 WHERE id = ?1")?;
    for (task, place) in order.iter().zip(places) {
        update.execute((task.number(), priority, place))?;
    }
    let detail = json!({
        "to": place,
        "priority": priority,
        "was": { "priority": moved.priority, "place": moved.place },
    });
    write.event("task.moved", &id.to_string(), &detail)?;
    Ok(())
}
