//! Locks: asked for, given up, looked at.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::glob::{GlobSet, PathGlob};
use crate::id::{Epoch, LockId, TaskId};
use crate::lock::{LockMode, PathLock};
use crate::store::actor::Actor;
use crate::store::error::StoreError;
use crate::store::queue::{break_circles, grant, grant_waiting, remove_lock};
use crate::store::rows::{read_locks, read_task};
use crate::store::team::Team;
use crate::store::write::{Write, to_json};
use crate::task::Fence;

/// A lock that is wanted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LockRequest {
    /// For which task, which the caller holds.
    pub task: TaskId,
    /// At which epoch.
    pub epoch: Epoch,
    /// On what.
    pub globs: GlobSet,
    /// Against whom.
    pub mode: LockMode,
    /// Why, for those who wait for it.
    #[serde(default)]
    pub reason: String,
}

/// What came of a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LockAnswer {
    /// The lock; it waits where it is not granted.
    pub lock: PathLock,
    /// What stands before it.
    pub behind: Vec<PathLock>,
}

impl Team {
    /// Asks for a lock: granted at once, or put into the queue. It ends with the lease of its task.
    ///
    /// Where waiting closes a circle, the task of it that was claimed last gives way: if that is
    /// another, it waits no more and its holder gets a message.
    ///
    /// # Errors
    ///
    /// [`StoreError::Deadlock`] if this one is to give way; if the epoch is over or the task has too
    /// many locks.
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

    /// Gives up a lock, or the wait for it, and grants what waited for it.
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
            grant_waiting(write)
        })
    }

    /// All locks, granted and waiting, in the order in which they were asked for.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn locks(&mut self) -> Result<Vec<PathLock>, StoreError> {
        Ok(read_locks(self.read()?)?.locks().to_vec())
    }

    /// When each granted lock was granted, in milliseconds since 1970.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn times_of_grants(&mut self) -> Result<BTreeMap<LockId, i64>, StoreError> {
        let mut statement = self.read()?.prepare_cached(
            "SELECT path_lock.id, MAX(event.at_ms) FROM path_lock
             JOIN event ON event.subject = 'l' || path_lock.id AND event.kind = 'lock.granted'
             WHERE path_lock.granted GROUP BY path_lock.id",
        )?;
        let rows =
            statement.query_map([], |row| Ok((row.get(0).map(LockId::new)?, row.get(1)?)))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The locks that forbid the caller to edit a path, relative to the repository: granted ones of
    /// tasks that the caller does not hold. That of a folder ends with `/`.
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
            .against_edit(None, &glob)
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
    } else if let Some(circle) = break_circles(write, Some(task))? {
        return Err(StoreError::Deadlock(circle));
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
