//! Requests, releases and lists locks.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::glob::{GlobSet, PathGlob};
use crate::id::{Epoch, LockId, TaskId};
use crate::lock::{LockMode, PathLock};
use crate::store::actor::Actor;
use crate::store::error::StoreError;
use crate::store::queue::{break_deadlocks, grant, grant_unblocked_locks, remove_lock};
use crate::store::rows::{read_locks, read_task};
use crate::store::team::Team;
use crate::store::write::{Write, to_json};
use crate::task::Fence;

/// A request for a lock.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LockRequest {
    /// The task to lock for, which the caller holds.
    pub task: TaskId,
    /// The task's epoch.
    pub epoch: Epoch,
    /// The paths to lock.
    pub globs: GlobSet,
    /// Whether the lock is shared or exclusive.
    pub mode: LockMode,
    /// The reason, shown to those who wait for it.
    #[serde(default)]
    pub reason: String,
}

/// The result of a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LockAnswer {
    /// The lock; if it is not granted, it is waiting in the queue.
    pub lock: PathLock,
    /// The locks that it waits for.
    pub behind: Vec<PathLock>,
}

impl Team {
    /// Requests a lock, which is granted at once or queued. It ends with its task's lease.
    ///
    /// If waiting creates a deadlock, the task in it that was claimed last gives way. If that is
    /// another task, its waiting lock is withdrawn and its holder gets a message.
    ///
    /// # Errors
    ///
    /// Fails with [`StoreError::Deadlock`] if this task has to give way, and if the epoch is over
    /// or the task has too many locks.
    pub fn lock(&mut self, actor: &Actor, request: &LockRequest) -> Result<LockAnswer, StoreError> {
        self.write(actor, |write| {
            let task = request.task;
            let fence = fence(actor, request.epoch)?;
            read_task(write.db, task)?.check_fence(&fence, "locked for")?;
            if !request.reason.is_empty() {
                write.check_line("reason", &request.reason)?;
            }
            let before = read_locks(write.db)?;
            let max = write.limits.max_locks;
            if before
                .locks()
                .iter()
                .filter(|lock| lock.task == task)
                .count()
                >= max
            {
                return Err(StoreError::TooManyLocks { task, max });
            }
            write
                .db
                .prepare_cached(
                    "INSERT INTO path_lock (task, epoch, holder, globs, mode, granted, reason)
                     VALUES (?1, ?2, ?3, ?4, ?5, 0, ?6)",
                )?
                .execute((
                    task.number(),
                    request.epoch.0,
                    fence.member.as_str(),
                    to_json(&request.globs)?,
                    request.mode.as_str(),
                    &request.reason,
                ))?;
            let id = LockId::new(write.db.last_insert_rowid());
            let detail = json!({ "task": task, "globs": request.globs, "mode": request.mode });
            write.event("lock.asked", &id.to_string(), &detail)?;
            grant_or_wait(write, id, task)
        })
    }

    /// Releases a lock or withdraws a waiting one, and grants the locks that waited for it.
    ///
    /// # Errors
    ///
    /// If the task has no such lock, or the epoch is over.
    pub fn unlock(
        &mut self,
        actor: &Actor,
        task: TaskId,
        epoch: Epoch,
        lock: LockId,
    ) -> Result<(), StoreError> {
        self.write(actor, |write| {
            read_task(write.db, task)?.check_fence(&fence(actor, epoch)?, "unlocked for")?;
            let queue = read_locks(write.db)?;
            if !queue
                .locks()
                .iter()
                .any(|it| it.id == lock && it.task == task)
            {
                return Err(StoreError::NoLock(lock));
            }
            remove_lock(write, lock, "lock.released")?;
            grant_unblocked_locks(write)
        })
    }

    /// Returns all locks, granted and waiting, in the order of their requests.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn locks(&mut self) -> Result<Vec<PathLock>, StoreError> {
        Ok(read_locks(self.read()?)?.locks().to_vec())
    }

    /// Returns when each granted lock was granted, in milliseconds since 1970.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn grant_times(&mut self) -> Result<BTreeMap<LockId, i64>, StoreError> {
        let mut statement = self.read()?.prepare_cached(
            "SELECT path_lock.id, MAX(event.at_ms) FROM path_lock
             JOIN event ON event.subject = 'l' || path_lock.id AND event.kind = 'lock.granted'
             WHERE path_lock.granted GROUP BY path_lock.id",
        )?;
        let rows =
            statement.query_map([], |row| Ok((row.get(0).map(LockId::new)?, row.get(1)?)))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Returns the granted locks of other members that forbid the caller to edit a path, relative
    /// to the repository. The path of a folder ends with `/`.
    ///
    /// # Errors
    ///
    /// If the path leaves the repository.
    pub fn locks_against(
        &mut self,
        actor: &Actor,
        path: &str,
    ) -> Result<Vec<PathLock>, StoreError> {
        let glob = PathGlob::file(path)?;
        let queue = read_locks(self.read()?)?;
        let of_others = |lock: &&PathLock| Some(&lock.holder) != actor.name();
        Ok(queue
            .locks_against_edit(None, &glob)
            .filter(of_others)
            .cloned()
            .collect())
    }
}

fn fence(actor: &Actor, epoch: Epoch) -> Result<Fence, StoreError> {
    let member = actor.name().ok_or(StoreError::NotMember)?.clone();
    Ok(Fence { member, epoch })
}

fn grant_or_wait(write: &Write<'_>, id: LockId, task: TaskId) -> Result<LockAnswer, StoreError> {
    let queue = read_locks(write.db)?;
    let new = queue
        .locks()
        .iter()
        .find(|lock| lock.id == id)
        .ok_or(StoreError::NoLock(id))?;
    if queue.blockers(new).next().is_none() {
        grant(write, id)?;
    } else if let Some(cycle) = break_deadlocks(write, Some(task))? {
        return Err(StoreError::Deadlock(cycle));
    }
    let queue = read_locks(write.db)?;
    let lock = queue
        .locks()
        .iter()
        .find(|lock| lock.id == id)
        .ok_or(StoreError::NoLock(id))?;
    let behind = if lock.granted {
        Vec::new()
    } else {
        queue.blockers(lock).cloned().collect()
    };
    Ok(LockAnswer {
        lock: lock.clone(),
        behind,
    })
}
