//! Tasks of other lists: brought in once, brought up to date after that.

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

/// Where a task stands in the list that it comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ImportedState {
    /// Not yet to be claimed.
    Draft,
    /// To be done.
    Ready,
    /// Done there.
    Done,
    /// No longer wanted there.
    Cancelled,
}

/// A task of another list, in the terms of a team.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportedTask {
    /// Where it comes from.
    pub origin: TaskOrigin,
    /// One line.
    pub title: String,
    /// What is wanted.
    pub spec: String,
    /// Higher is claimed first.
    pub priority: i64,
    /// What it is found by.
    pub labels: BTreeSet<Label>,
    /// For whom it is kept.
    pub assignee: Option<Assignee>,
    /// Where it stands there.
    pub state: ImportedState,
    /// Why it is no longer wanted.
    pub note: String,
    /// What it needs, by ids of the same list.
    pub needs: BTreeSet<String>,
    /// Its parts, by ids of the same list: it needs each of them, unless a part needs it.
    pub parts: BTreeSet<String>,
}

/// What an import did, or would do.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ImportReport {
    /// Tasks that were added.
    pub added: Vec<ImportedRow>,
    /// Tasks that are others in the list now, and were changed here too.
    pub changed: Vec<ImportedRow>,
    /// How many are as they were.
    pub unchanged: u64,
    /// What was not taken over, and why.
    pub kept: Vec<String>,
}

/// A task of an import.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ImportedRow {
    /// The task here.
    pub task: TaskId,
    /// Its id there.
    pub id: String,
    /// Its title.
    pub title: String,
    /// Which fields changed; empty for one that was added.
    pub fields: Vec<String>,
}

/// All that an import is made of.
pub struct TaskImport<'a> {
    /// The list.
    pub source: &'a str,
    /// Its tasks, in its order. Each id is there once.
    pub tasks: &'a [ImportedTask],
    /// What a task that was imported earlier was in the terms of a team.
    pub earlier: &'a dyn Fn(&TaskOrigin) -> Option<ImportedTask>,
    /// The tree of what is done already.
    pub tree: &'a TreeHash,
    /// Whether nothing is changed, and only the report made.
    pub dry_run: bool,
}

impl Team {
    /// Adds the tasks of another list, and brings those up to date that came from it before: all of
    /// it, or nothing. What was changed here and there stays as it is here. The lead or a person.
    ///
    /// # Errors
    ///
    /// If the actor may not, a text is too long, or needs go round in a circle.
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
            let report = carry_out(write, import);
            if import.dry_run {
                write.db.execute_batch("ROLLBACK TO trial; RELEASE trial")?;
            }
            report
        })
    }
}

fn carry_out(write: &Write<'_>, import: &TaskImport<'_>) -> Result<ImportReport, StoreError> {
    let mut report = ImportReport::default();
    let mut ids = known_ids(write, import.source)?;
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
    // What the list says comes first: a whole does not need a part that needs it.
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

/// The tasks that came from a list, by their ids there.
fn known_ids(write: &Write<'_>, source: &str) -> Result<BTreeMap<String, TaskId>, StoreError> {
    let mut statement = write
        .db
        .prepare_cached("SELECT foreign_id, task FROM task_origin WHERE source = ?1")?;
    let rows = statement.query_map([source], |row| Ok((row.get(0)?, TaskId::new(row.get(1)?))))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Adds a task as it stands in its list.
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
    keep_origin(write, task.id, &item.origin)?;
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

/// Writes down where a task comes from, with an event.
fn keep_origin(write: &Write<'_>, task: TaskId, origin: &TaskOrigin) -> Result<(), StoreError> {
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

/// Takes a task for done that no member holds, because its list says so.
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

/// Brings a task up to date: gives the fields that were changed.
fn update(
    write: &Write<'_>,
    import: &TaskImport<'_>,
    ours: &Task,
    item: &ImportedTask,
    before: Option<&ImportedTask>,
    report: &mut ImportReport,
) -> Result<Vec<String>, StoreError> {
    keep_origin(write, ours.id, &item.origin)?;
    let Some(before) = before else {
        let id = ours.id;
        report
            .kept
            .push(format!("{id}: what it was before cannot be read any more"));
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
                false => format!("it was changed in {} too", ours.id),
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
    // Labels are taken over one by one: none of them is in the way of another.
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

/// Lets a task stand where it stands in its list now, if it can; says whether it does.
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
        "{}: state: {id} is {here} and stays so; the list says {there}",
        item.origin.id
    ));
    Ok(false)
}

/// Why a task needs another.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    /// Its list says so.
    Needs,
    /// The other is a part of it.
    Parts,
}

/// Lets a task need what its list names, unless it did so before.
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
            Err(StoreError::Need(NeedRefusal::Circle(_))) if wanted == Wanted::Parts => {
                let why = format!("{foreign}: its part {id} needs it, so it does not need {id}");
                report.kept.push(why);
            }
            other => other?,
        }
    }
    Ok(())
}

/// Takes the needs from a task that its list had and has no longer.
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
            && read_needs(write.db)?.of_task(task).any(|it| it == *needed)
        {
            remove_need(write, task, *needed)?;
        }
    }
    Ok(())
}
