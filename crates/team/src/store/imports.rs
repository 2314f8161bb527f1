//! Imports tasks from other lists, and updates them on later imports.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::change::{Change, TaskEvidence};
use crate::id::{MemberName, TaskId, TreeHash};
use crate::needs::NeedRefusal;
use crate::store::actor::Actor;
use crate::store::edits::{TaskEdit, assign, edit_task};
use crate::store::error::StoreError;
use crate::store::queue::{apply_step, describe};
use crate::store::rows::{read_needs, read_task, write_task};
use crate::store::task_needs::{link_need, remove_need};
use crate::store::tasks::{NewTask, add_task};
use crate::store::team::Team;
use crate::store::write::{Write, to_json};
use crate::task::{Assignee, Label, Task, TaskOrigin, TaskState, TaskStep};

/// The state of a task in the list that it comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ImportedState {
    /// Cannot be claimed yet.
    Draft,
    /// Open.
    Ready,
    /// Done in its list.
    Done,
    /// Cancelled in its list.
    Cancelled,
}

/// A task of another list, in a team's terms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportedTask {
    /// The list and the id that it comes from.
    pub origin: TaskOrigin,
    /// The title, in one line.
    pub title: String,
    /// The description.
    pub spec: String,
    /// The priority; tasks with a higher one are claimed first.
    pub priority: i64,
    /// Its labels.
    pub labels: BTreeSet<Label>,
    /// The member or role that it is assigned to.
    pub assignee: Option<Assignee>,
    /// Its state in the list.
    pub state: ImportedState,
    /// Why it was cancelled.
    pub note: String,
    /// The tasks that it needs, by their ids in the list.
    pub needs: BTreeSet<String>,
    /// Its parts, by their ids in the list. It needs each of them, unless the part needs it.
    pub parts: BTreeSet<String>,
}

/// The result of an import, or of a trial run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ImportReport {
    /// Tasks that were added.
    pub added: Vec<ImportedRow>,
    /// Tasks that changed in the list and were updated here.
    pub changed: Vec<ImportedRow>,
    /// The number of unchanged tasks.
    pub unchanged: u64,
    /// Changes that were not taken over, each with the reason.
    pub kept: Vec<String>,
}

/// A task in an import report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ImportedRow {
    /// The task here.
    pub task: TaskId,
    /// Its id in the list.
    pub id: String,
    /// Its title.
    pub title: String,
    /// The changed fields; empty for an added task.
    pub fields: Vec<String>,
}

/// The input of an import.
pub struct TaskImport<'a> {
    /// The name of the list.
    pub source: &'a str,
    /// Its tasks, in its order; every id occurs once.
    pub tasks: &'a [ImportedTask],
    /// Rebuilds a task imported earlier from its origin.
    pub earlier: &'a dyn Fn(&TaskOrigin) -> Option<ImportedTask>,
    /// The tree recorded for tasks that are already done.
    pub tree: &'a TreeHash,
    /// Whether to change nothing and only return the report.
    pub dry_run: bool,
}

impl Team {
    /// Adds the tasks of another list and updates those imported from it earlier: all of it, or
    /// nothing. Fields that were also changed here keep their local value. Only the lead or a
    /// person may call this.
    ///
    /// # Errors
    ///
    /// Fails if the actor may not import, a text is too long, or needs form a cycle.
    pub fn import_tasks(
        &mut self,
        actor: &Actor,
        import: &TaskImport<'_>,
    ) -> Result<ImportReport, StoreError> {
        self.write(actor, |write| {
            write.require_lead("import tasks")?;
            if import.dry_run {
                write.db.execute_batch("SAVEPOINT trial")?;
            }
            let report = import_all(write, import);
            if import.dry_run {
                write.db.execute_batch("ROLLBACK TO trial; RELEASE trial")?;
            }
            report
        })
    }
}

fn import_all(write: &Write<'_>, import: &TaskImport<'_>) -> Result<ImportReport, StoreError> {
    let mut report = ImportReport::default();
    let mut ids = imported_task_ids(write, import.source)?;
    let mut links = Vec::new();
    for item in import.tasks {
        match ids.get(&item.origin.id).copied() {
            None => {
                let task = add(write, import, item)?;
                ids.insert(item.origin.id.clone(), task);
                report.added.push(row(task, item, Vec::new()));
                links.push((task, item, None));
            }
            Some(task) => {
                let stored = read_task(write.db, task)?;
                let last = stored.origin.as_ref();
                if last == Some(&item.origin) {
                    report.unchanged += 1;
                    continue;
                }
                let before = last.and_then(import.earlier);
                let fields = update(write, import, &stored, item, before.as_ref(), &mut report)?;
                report.changed.push(row(task, item, fields));
                links.push((task, item, before));
            }
        }
    }
    // Explicit needs come first: a parent does not need a part that needs the parent.
    for wanted in [Wanted::Needs, Wanted::Parts] {
        for (task, item, before) in &links {
            link(
                write,
                &ids,
                *task,
                (item, before.as_ref()),
                wanted,
                &mut report,
            )?;
        }
    }
    for (task, item, before) in &links {
        unlink(write, &ids, *task, item, before.as_ref())?;
    }
    Ok(report)
}

fn row(task: TaskId, item: &ImportedTask, fields: Vec<String>) -> ImportedRow {
    ImportedRow {
        task,
        id: item.origin.id.clone(),
        title: item.title.clone(),
        fields,
    }
}

/// Returns the tasks that came from a list, by their ids there.
fn imported_task_ids(
    write: &Write<'_>,
    source: &str,
) -> Result<BTreeMap<String, TaskId>, StoreError> {
    let mut statement = write
        .db
        .prepare_cached("SELECT foreign_id, task FROM task_origin WHERE source = ?1")?;
    let rows = statement.query_map([source], |row| Ok((row.get(0)?, TaskId::new(row.get(1)?))))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Adds a task with its state from the list.
fn add(
    write: &Write<'_>,
    import: &TaskImport<'_>,
    item: &ImportedTask,
) -> Result<TaskId, StoreError> {
    let new = NewTask {
        title: item.title.clone(),
        spec: item.spec.clone(),
        priority: item.priority,
        labels: item.labels.clone(),
        assignee: item.assignee.clone(),
        draft: item.state == ImportedState::Draft,
        ..NewTask::default()
    };
    let task = add_task(write, &new)?;
    record_origin(write, task.id, &item.origin)?;
    match item.state {
        ImportedState::Draft | ImportedState::Ready => {}
        ImportedState::Done => finish(write, import, &task, item)?,
        ImportedState::Cancelled => {
            let note = item.note.clone();
            apply_step(write, task.id, &TaskStep::Cancel { note }, None)?;
        }
    }
    Ok(task.id)
}

/// Records where a task comes from, with an event.
fn record_origin(write: &Write<'_>, task: TaskId, origin: &TaskOrigin) -> Result<(), StoreError> {
    write
        .db
        .prepare_cached(
            "INSERT INTO task_origin (task, source, foreign_id, fields) VALUES (?1, ?2, ?3, ?4)
             ON CONFLICT (task) DO UPDATE SET fields = ?4",
        )?
        .execute((
            task.number(),
            &origin.source,
            &origin.id,
            to_json(&origin.fields)?,
        ))?;
    let detail = json!({ "source": origin.source, "id": origin.id });
    write.event("task.imported", &task.to_string(), &detail)?;
    Ok(())
}

/// Marks a task as done that no member holds, because its list says so.
fn finish(
    write: &Write<'_>,
    import: &TaskImport<'_>,
    task: &Task,
    item: &ImportedTask,
) -> Result<(), StoreError> {
    let author: MemberName = write
        .actor
        .label()
        .parse()
        .map_err(|_| StoreError::NotMember)?;
    let done = Task {
        state: TaskState::Done,
        epoch: task.epoch.next(),
        evidence: Some(TaskEvidence {
            change: Change::Elsewhere {
                source: item.origin.source.clone(),
                id: item.origin.id.clone(),
            },
            tree: import.tree.clone(),
            author,
            no_change: None,
        }),
        ..task.clone()
    };
    let event = write.event(
        "task.done_elsewhere",
        &task.id.to_string(),
        &describe(&done),
    )?;
    write_task(write.db, &done, event, false)
}

/// Updates a task; returns the changed fields.
fn update(
    write: &Write<'_>,
    import: &TaskImport<'_>,
    ours: &Task,
    item: &ImportedTask,
    before: Option<&ImportedTask>,
    report: &mut ImportReport,
) -> Result<Vec<String>, StoreError> {
    record_origin(write, ours.id, &item.origin)?;
    let Some(before) = before else {
        let id = ours.id;
        report.kept.push(format!(
            "{id}: its earlier import cannot be read, so nothing was compared"
        ));
        return Ok(Vec::new());
    };
    let mut fields = Vec::new();
    let mut edit = TaskEdit::default();
    let is_final = ours.state.is_final();
    let mut take = |name: &str, was_changed: bool, is_ours: bool, is_same: bool| {
        if !was_changed || is_same {
            return false;
        }
        if !is_ours || is_final {
            let why = match is_final {
                true => format!("{} is {}", ours.id, ours.state),
                false => format!("it was also changed in {}", ours.id),
            };
            report
                .kept
                .push(format!("{}: {name}: {why}", item.origin.id));
            return false;
        }
        fields.push(name.to_owned());
        true
    };
    if take(
        "title",
        before.title != item.title,
        ours.title == before.title,
        ours.title == item.title,
    ) {
        edit.title = Some(item.title.clone());
    }
    if take(
        "spec",
        before.spec != item.spec,
        ours.spec == before.spec,
        ours.spec == item.spec,
    ) {
        edit.spec = Some(item.spec.clone());
    }
    if take(
        "priority",
        before.priority != item.priority,
        ours.priority == before.priority,
        ours.priority == item.priority,
    ) {
        edit.priority = Some(item.priority);
    }
    let assigned = take(
        "assignee",
        before.assignee != item.assignee,
        ours.assignee == before.assignee,
        ours.assignee == item.assignee,
    );
    if assigned {
        assign(write, ours, item.assignee.as_ref())?;
    }
    // Labels are merged one by one, because they cannot conflict.
    edit.add_labels = item.labels.difference(&before.labels).cloned().collect();
    edit.remove_labels = before.labels.difference(&item.labels).cloned().collect();
    if before.labels != item.labels {
        fields.push("labels".to_owned());
    }
    if !edit.is_empty() {
        edit_task(write, ours.id, &edit)?;
    }
    if before.state != item.state && follow(write, import, ours, item, report)? {
        fields.push("state".to_owned());
    }
    Ok(fields)
}

/// Updates a task's state from its list, if possible; returns whether it changed.
fn follow(
    write: &Write<'_>,
    import: &TaskImport<'_>,
    ours: &Task,
    item: &ImportedTask,
    report: &mut ImportReport,
) -> Result<bool, StoreError> {
    let is_free = matches!(ours.state, TaskState::Draft | TaskState::Ready);
    match (item.state, ours.state) {
        (ImportedState::Done, TaskState::Done)
        | (ImportedState::Cancelled, TaskState::Cancelled)
        | (ImportedState::Draft, TaskState::Draft) => return Ok(false),
        (ImportedState::Ready, state) if !state.is_final() && state != TaskState::Draft => {
            return Ok(false);
        }
        (ImportedState::Done, _) if is_free => {
            let task = read_task(write.db, ours.id)?;
            finish(write, import, &task, item)?;
            return Ok(true);
        }
        (ImportedState::Cancelled, state) if !state.is_final() => {
            let note = item.note.clone();
            apply_step(write, ours.id, &TaskStep::Cancel { note }, None)?;
            return Ok(true);
        }
        (ImportedState::Ready, TaskState::Draft) => {
            apply_step(write, ours.id, &TaskStep::Publish, None)?;
            return Ok(true);
        }
        _ => {}
    }
    let (id, here, there) = (ours.id, ours.state, to_json(&item.state)?);
    let there = there.trim_matches('"').to_owned();
    report.kept.push(format!(
        "{}: state: {id} stays {here}; the list says {there}",
        item.origin.id
    ));
    Ok(false)
}

/// Why a task needs another one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    /// Its list says that it needs the other task.
    Needs,
    /// The other task is a part of it.
    Parts,
}

/// Adds the needs that a task's list names, except those from an earlier import.
fn link(
    write: &Write<'_>,
    ids: &BTreeMap<String, TaskId>,
    task: TaskId,
    (item, before): (&ImportedTask, Option<&ImportedTask>),
    wanted: Wanted,
    report: &mut ImportReport,
) -> Result<(), StoreError> {
    let named = match wanted {
        Wanted::Needs => &item.needs,
        Wanted::Parts => &item.parts,
    };
    let is_new = |id: &String| {
        before.is_none_or(|before| !before.needs.contains(id) && !before.parts.contains(id))
    };
    let foreign = item.origin.id.as_str();
    let state = read_task(write.db, task)?.state;
    let may = before.is_none() || matches!(state, TaskState::Draft | TaskState::Ready);
    for id in named.iter().filter(|id| is_new(id)) {
        let Some(needed) = ids.get(id).copied() else {
            report
                .kept
                .push(format!("{foreign}: needs {id}, which is not in the list"));
            continue;
        };
        if !may {
            report
                .kept
                .push(format!("{foreign}: needs {id}: {task} is {state}"));
            continue;
        }
        match link_need(write, task, needed) {
            Err(StoreError::Need(NeedRefusal::Cycle(_))) if wanted == Wanted::Parts => {
                let why =
                    format!("{foreign}: does not need its part {id}, because the part needs it");
                report.kept.push(why);
            }
            other => other?,
        }
    }
    Ok(())
}

/// Removes the needs of a task that its list no longer names.
fn unlink(
    write: &Write<'_>,
    ids: &BTreeMap<String, TaskId>,
    task: TaskId,
    item: &ImportedTask,
    before: Option<&ImportedTask>,
) -> Result<(), StoreError> {
    for id in before.into_iter().flat_map(|it| it.needs.iter()) {
        if item.needs.contains(id) || item.parts.contains(id) {
            continue;
        }
        if let Some(needed) = ids.get(id)
            && read_needs(write.db)?
                .needs_of_task(task)
                .any(|it| it == *needed)
        {
            remove_need(write, task, *needed)?;
        }
    }
    Ok(())
}
