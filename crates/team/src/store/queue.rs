//! Applies steps of tasks, and releases and grants the locks that depend on them.

use serde_json::json;

use crate::id::{LockId, MemberName, MessageId, TaskId};
use crate::lock::{PathLock, last_claimed};
use crate::store::actor::{Actor, LEAD};
use crate::store::error::StoreError;
use crate::store::rows::{claimed_at, parse, read_locks, read_task, write_task};
use crate::store::write::Write;
use crate::task::{Fence, Task, TaskState, TaskStep};

/// Applies a step to a task, with its event; the task's locks end with its lease.
pub(super) fn apply_step(
    write: &Write<'_>,
    id: TaskId,
    step: &TaskStep,
    fence: Option<&Fence>,
) -> Result<Task, StoreError> {
    let before = read_task(write.db, id)?;
    let after = before.apply(step, fence)?;
    let kind = format!("task.{}", step.as_str().replace(' ', "_"));
    let mut detail = describe(&after);
    if matches!(step, TaskStep::Reopen { .. }) {
        // The event keeps these values, because reopening removes them from the task.
        detail["was"] = json!({
            "state": before.state,
            "evidence": before.evidence,
            "note": before.note,
        });
    }
    let event = write.event(&kind, &id.to_string(), &detail)?;
    write_task(
        write.db,
        &after,
        event,
        matches!(step, TaskStep::Claim { .. }),
    )?;
    if before.lease.is_some() && after.lease.is_none() {
        release_all(write, id)?;
    }
    if before.state != TaskState::Failed && after.state == TaskState::Failed {
        notify_leads(write, &after)?;
    }
    Ok(after)
}

/// Notifies the leads about a failed task: its attempts are used up, or its holder gave it up.
fn notify_leads(write: &Write<'_>, task: &Task) -> Result<(), StoreError> {
    let (id, attempt, max) = (task.id, task.attempt, task.max_attempts);
    let body = format!(
        "{id} failed: that was attempt {attempt} of {max}. To make it ready again, run `agon team task reopen {id}` with a note."
    );
    let mut statement = write.db.prepare_cached(
        "SELECT name FROM member WHERE role = ?1 AND left_ms IS NULL ORDER BY name",
    )?;
    let names = statement
        .query_map([LEAD], |row| row.get::<_, String>(0))?
        .collect::<Result<Vec<_>, _>>()?;
    for name in names {
        let lead = parse(&name)?;
        if write.actor.name() != Some(&lead) {
            post(write, &Actor::team(), &Draft::notice(&lead, &body))?;
        }
    }
    Ok(())
}

/// Returns the detail of a task's event: the fields that show the task's state after it.
pub(super) fn describe(task: &Task) -> serde_json::Value {
    json!({
        "state": task.state,
        "epoch": task.epoch,
        "holder": task.lease.as_ref().map(|lease| &lease.holder),
        "attempt": task.attempt,
        "note": task.note,
    })
}

/// Releases all locks of a task, and grants the locks that waited for them.
fn release_all(write: &Write<'_>, task: TaskId) -> Result<(), StoreError> {
    let mut statement = write
        .db
        .prepare_cached("SELECT id FROM path_lock WHERE task = ?1 ORDER BY id")?;
    let rows = statement.query_map([task.number()], |row| row.get(0).map(LockId::new))?;
    let locks: Vec<LockId> = rows.collect::<Result<_, _>>()?;
    for lock in &locks {
        remove_lock(write, *lock, "lock.released")?;
    }
    if locks.is_empty() {
        Ok(())
    } else {
        grant_unblocked_locks(write)
    }
}

/// Removes a lock, with its event.
pub(super) fn remove_lock(write: &Write<'_>, lock: LockId, kind: &str) -> Result<(), StoreError> {
    write.event(kind, &lock.to_string(), &json!({}))?;
    write
        .db
        .prepare_cached("DELETE FROM path_lock WHERE id = ?1")?
        .execute([lock.number()])?;
    Ok(())
}

/// Grants every lock that nothing blocks any more.
pub(super) fn grant_unblocked_locks(write: &Write<'_>) -> Result<(), StoreError> {
    for lock in read_locks(write.db)?.grant() {
        grant(write, lock)?;
    }
    Ok(())
}

pub(super) fn grant(write: &Write<'_>, lock: LockId) -> Result<(), StoreError> {
    write.event_by(
        &Actor::team(),
        "lock.granted",
        &lock.to_string(),
        &json!({}),
    )?;
    set_granted(write, lock, true)
}

pub(super) fn set_granted(
    write: &Write<'_>,
    lock: LockId,
    granted: bool,
) -> Result<(), StoreError> {
    write
        .db
        .prepare_cached("UPDATE path_lock SET granted = ?2 WHERE id = ?1")?
        .execute((lock.number(), granted))?;
    Ok(())
}

/// Resolves every deadlock: the waiting locks of the last-claimed task in it are withdrawn, and its
/// holder is notified. If `asking` is that task, its cycle is returned and left alone.
pub(super) fn break_deadlocks(
    write: &Write<'_>,
    asking: Option<TaskId>,
) -> Result<Option<Vec<TaskId>>, StoreError> {
    while let Some(cycle) = read_locks(write.db)?.find_cycle() {
        let mut ages = std::collections::BTreeMap::new();
        for task in &cycle {
            ages.insert(*task, claimed_at(write.db, *task)?);
        }
        let Some(young) = last_claimed(&cycle, |task| ages.get(&task).copied().unwrap_or_default())
        else {
            break;
        };
        if Some(young) == asking {
            return Ok(Some(cycle));
        }
        let queue = read_locks(write.db)?;
        let waiting: Vec<&PathLock> = queue
            .locks()
            .iter()
            .filter(|lock| lock.task == young && !lock.granted)
            .collect();
        for lock in &waiting {
            remove_lock(write, lock.id, "lock.withdrawn")?;
        }
        if let Some(lock) = waiting.first() {
            let tasks: Vec<String> = cycle.iter().map(TaskId::to_string).collect();
            let body = format!(
                "{} no longer waits for a lock on {}: {} waited for each other. Release a lock that \
                 another of them waits for, or work without this one.",
                young,
                lock.globs,
                tasks.join(", ")
            );
            post(write, &Actor::team(), &Draft::notice(&lock.holder, &body))?;
        }
        grant_unblocked_locks(write)?;
    }
    Ok(None)
}

/// A message that passed its checks.
pub(super) struct Draft<'a> {
    pub(super) thread: Option<MessageId>,
    /// The recipient, as the sender wrote it.
    pub(super) recipient: String,
    pub(super) members: Vec<MemberName>,
    pub(super) body: &'a str,
    pub(super) urgent: bool,
    pub(super) key: Option<&'a str>,
}

impl<'a> Draft<'a> {
    pub(super) fn notice(to: &MemberName, body: &'a str) -> Self {
        Self {
            thread: None,
            recipient: to.to_string(),
            members: vec![to.clone()],
            body,
            urgent: false,
            key: None,
        }
    }
}

/// Queues a message for each of its readers, with its event. The event does not contain the body,
/// because not everyone who may read the log may read every message.
pub(super) fn post(
    write: &Write<'_>,
    from: &Actor,
    draft: &Draft<'_>,
) -> Result<MessageId, StoreError> {
    let thread = draft.thread.map(MessageId::number);
    write
        .db
        .prepare_cached(
            "INSERT INTO message (thread, sender, trust, recipient, body, key, sent_ms, urgent)
             VALUES (coalesce(?1, 0), ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        )?
        .execute((
            thread,
            from.label(),
            from.trust().as_str(),
            &draft.recipient,
            draft.body,
            draft.key,
            write.now.wall_ms,
            draft.urgent,
        ))?;
    let message = MessageId::new(write.db.last_insert_rowid());
    if thread.is_none() {
        write
            .db
            .prepare_cached("UPDATE message SET thread = id WHERE id = ?1")?
            .execute([message.number()])?;
    }
    for member in &draft.members {
        write
            .db
            .prepare_cached(
                "INSERT INTO delivery (message, member, state, fetch) VALUES (?1, ?2, 'queued', 0)",
            )?
            .execute((message.number(), member.as_str()))?;
    }
    let mut detail = json!({ "to": draft.members, "bytes": draft.body.len() });
    if draft.urgent {
        detail["urgent"] = true.into();
    }
    write.event_by(from, "mail.sent", &message.to_string(), &detail)?;
    Ok(message)
}
