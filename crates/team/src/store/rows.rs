//! Reads and writes the rows of tasks, needs and locks.

use std::str::FromStr;

use rusqlite::{Connection, OptionalExtension as _, Row};
use serde::de::DeserializeOwned;

use crate::glob::GlobSet;
use crate::id::{Epoch, LockId, MemberName, TaskId};
use crate::lock::{LockMode, LockQueue, PathLock};
use crate::needs::Needs;
use crate::store::error::StoreError;
use crate::store::write::to_json;
use crate::task::{Assignee, Label, Lease, Task, TaskOrigin, TaskState, WaitReason, Waiting};
use crate::time::Deadline;

/// Parses a stored text.
pub(super) fn parse<T>(text: &str) -> Result<T, StoreError>
where
    T: FromStr<Err: std::fmt::Display>,
{
    text.parse()
        .map_err(|error: T::Err| StoreError::Damaged(error.to_string()))
}

pub(super) fn from_json<T: DeserializeOwned>(text: &str) -> Result<T, StoreError> {
    serde_json::from_str(text).map_err(|error| StoreError::Damaged(error.to_string()))
}

/// Parses a stored enum name.
pub(super) fn parse_word<T: DeserializeOwned>(text: &str) -> Result<T, StoreError> {
    serde_json::from_value(text.into()).map_err(|error| StoreError::Damaged(error.to_string()))
}

const TASKS: &str = "SELECT id, title, spec, state, priority, epoch, holder, lease_boot,
        lease_uptime_ms, lease_wall_ms, wait_reason, wait_until, attempt, max_attempts, needs_review,
        evidence, note,
        (SELECT json_group_array(gate) FROM task_gate WHERE task_gate.task = task.id),
        (SELECT json_group_array(member) FROM task_worker WHERE task_worker.task = task.id),
        place, assignee, base,
        (SELECT json_group_array(label) FROM task_label WHERE task_label.task = task.id),
        (SELECT source FROM task_origin WHERE task_origin.task = task.id),
        (SELECT foreign_id FROM task_origin WHERE task_origin.task = task.id),
        (SELECT fields FROM task_origin WHERE task_origin.task = task.id)
    FROM task";

fn parse_task_row(row: &Row<'_>) -> Result<Task, StoreError> {
    let text = |at: usize| row.get::<_, String>(at);
    let optional = |at: usize| row.get::<_, Option<String>>(at);
    let lease = match optional(6)? {
        None => None,
        Some(holder) => Some(Lease {
            holder: parse(&holder)?,
            until: Deadline {
                boot: text(7)?.into(),
                uptime_ms: unsigned(row.get(8)?)?,
                wall_ms: row.get(9)?,
            },
        }),
    };
    let waiting = match (optional(10)?, optional(11)?) {
        (Some(reason), Some(until)) => Some(Waiting {
            reason: parse_word::<WaitReason>(&reason)?,
            until: from_json(&until)?,
        }),
        _ => None,
    };
    let origin = match (optional(23)?, optional(24)?, optional(25)?) {
        (Some(source), Some(id), Some(fields)) => Some(TaskOrigin {
            source,
            id,
            fields: from_json(&fields)?,
        }),
        _ => None,
    };
    Ok(Task {
        id: TaskId::new(row.get(0)?),
        title: text(1)?,
        spec: text(2)?,
        state: parse_word::<TaskState>(&text(3)?)?,
        priority: row.get(4)?,
        epoch: Epoch(row.get(5)?),
        lease,
        waiting,
        attempt: row.get(12)?,
        max_attempts: row.get(13)?,
        needs_review: row.get(14)?,
        evidence: optional(15)?.as_deref().map(from_json).transpose()?,
        note: optional(16)?,
        gates: from_json(&text(17)?)?,
        workers: from_json(&text(18)?)?,
        place: row.get(19)?,
        assignee: optional(20)?.as_deref().map(from_json).transpose()?,
        base: optional(21)?.as_deref().map(from_json).transpose()?,
        labels: from_json(&text(22)?)?,
        origin,
    })
}

fn unsigned(number: i64) -> Result<u64, StoreError> {
    u64::try_from(number).map_err(|error| StoreError::Damaged(error.to_string()))
}

pub(super) fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

pub(super) fn read_task(db: &Connection, id: TaskId) -> Result<Task, StoreError> {
    let mut statement = db.prepare_cached(&format!("{TASKS} WHERE id = ?1"))?;
    let found = statement
        .query_row([id.number()], |row| Ok(parse_task_row(row)))
        .optional()?;
    found.ok_or(StoreError::NoTask(id))?
}

/// Reads all tasks, sorted by id.
pub(super) fn read_tasks(db: &Connection) -> Result<Vec<Task>, StoreError> {
    let mut statement = db.prepare_cached(&format!("{TASKS} ORDER BY id"))?;
    let mut rows = statement.query(())?;
    let mut tasks = Vec::new();
    while let Some(row) = rows.next()? {
        tasks.push(parse_task_row(row)?);
    }
    Ok(tasks)
}

/// Writes a task after a step; `claimed` says whether the step was a claim.
pub(super) fn write_task(
    db: &Connection,
    task: &Task,
    event: i64,
    claimed: bool,
) -> Result<(), StoreError> {
    let until = task.lease.as_ref().map(|lease| &lease.until);
    let waiting = task.waiting.as_ref();
    let wait_until = waiting.map(|waiting| to_json(&waiting.until)).transpose()?;
    let evidence = task.evidence.as_ref().map(to_json).transpose()?;
    db.prepare_cached(
        "UPDATE task SET state = ?2, epoch = ?3, holder = ?4, lease_boot = ?5, lease_uptime_ms = ?6,
            lease_wall_ms = ?7, wait_reason = ?8, wait_until = ?9, attempt = ?10, max_attempts = ?11,
            evidence = ?12, note = ?13, changed_seq = ?14,
            claimed_seq = CASE WHEN ?15 THEN ?14 ELSE claimed_seq END, base = ?16
         WHERE id = ?1",
    )?
    .execute(rusqlite::params![
        task.id.number(),
        task.state.as_str(),
        task.epoch.0,
        task.lease.as_ref().map(|lease| lease.holder.as_str()),
        until.map(|until| &*until.boot),
        until.map(|until| signed(until.uptime_ms)),
        until.map(|until| until.wall_ms),
        waiting.map(|waiting| waiting.reason.as_str()),
        wait_until,
        task.attempt,
        task.max_attempts,
        evidence,
        task.note,
        event,
        claimed,
        task.base.as_ref().map(to_json).transpose()?,
    ])?;
    for worker in &task.workers {
        db.prepare_cached("INSERT OR IGNORE INTO task_worker (task, member) VALUES (?1, ?2)")?
            .execute((task.id.number(), worker.as_str()))?;
    }
    Ok(())
}

/// Writes a task's assignee.
pub(super) fn write_assignee(
    db: &Connection,
    task: TaskId,
    assignee: Option<&Assignee>,
) -> Result<(), StoreError> {
    let assignee = assignee.map(to_json).transpose()?;
    db.prepare_cached("UPDATE task SET assignee = ?2 WHERE id = ?1")?
        .execute((task.number(), assignee))?;
    Ok(())
}

/// Adds a label to a task.
pub(super) fn insert_label(db: &Connection, task: TaskId, label: &Label) -> Result<(), StoreError> {
    db.prepare_cached("INSERT OR IGNORE INTO task_label (task, label) VALUES (?1, ?2)")?
        .execute((task.number(), label.as_str()))?;
    Ok(())
}

/// Returns whether there is a current member with this name.
pub(super) fn is_joined(db: &Connection, name: &MemberName) -> Result<bool, StoreError> {
    let mut statement =
        db.prepare_cached("SELECT 1 FROM member WHERE name = ?1 AND left_ms IS NULL")?;
    Ok(statement.exists([name.as_str()])?)
}

/// Returns the number of the event with which a task was last claimed; larger means later.
pub(super) fn claimed_at(db: &Connection, task: TaskId) -> Result<i64, StoreError> {
    let mut statement = db.prepare_cached("SELECT claimed_seq FROM task WHERE id = ?1")?;
    Ok(statement.query_row([task.number()], |row| row.get(0))?)
}

pub(super) fn task_exists(db: &Connection, task: TaskId) -> Result<bool, StoreError> {
    let mut statement = db.prepare_cached("SELECT 1 FROM task WHERE id = ?1")?;
    Ok(statement.exists([task.number()])?)
}

pub(super) fn read_needs(db: &Connection) -> Result<Needs, StoreError> {
    let mut statement = db.prepare_cached("SELECT task, needs FROM dep")?;
    let mut rows = statement.query(())?;
    let mut needs = Needs::default();
    while let Some(row) = rows.next()? {
        needs.insert(TaskId::new(row.get(0)?), TaskId::new(row.get(1)?));
    }
    Ok(needs)
}

/// Returns the unfinished tasks that a task needs.
pub(super) fn open_needs(db: &Connection, task: TaskId) -> Result<Vec<TaskId>, StoreError> {
    let mut statement = db.prepare_cached(
        "SELECT needs FROM dep JOIN task ON task.id = dep.needs
         WHERE dep.task = ?1 AND task.state <> 'done' ORDER BY needs",
    )?;
    let rows = statement.query_map([task.number()], |row| row.get(0).map(TaskId::new))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

pub(super) fn read_locks(db: &Connection) -> Result<LockQueue, StoreError> {
    let mut statement = db.prepare_cached(
        "SELECT id, task, epoch, holder, globs, mode, granted, reason FROM path_lock ORDER BY id",
    )?;
    let mut rows = statement.query(())?;
    let mut locks = Vec::new();
    while let Some(row) = rows.next()? {
        let text = |at: usize| row.get::<_, String>(at);
        locks.push(PathLock {
            id: LockId::new(row.get(0)?),
            task: TaskId::new(row.get(1)?),
            epoch: Epoch(row.get(2)?),
            holder: parse(&text(3)?)?,
            globs: GlobSet::from_store(from_json(&text(4)?)?),
            mode: parse_word::<LockMode>(&text(5)?)?,
            granted: row.get(6)?,
            reason: text(7)?,
        });
    }
    Ok(LockQueue::of(locks))
}
