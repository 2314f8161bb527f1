//! Takes, waits for, releases and lists locks.

use std::time::{Duration, Instant};

use agon_caller::depth::refuse_nested;
use agon_caller::{Caller, Code, Failure};
use agon_team::glob::{GlobSet, PathGlob};
use agon_team::id::{Epoch, LockId};
use agon_team::lock::PathLock;
use agon_team::store::{LockAnswer, LockRequest, StoreError, TeamLocation};
use schemars::JsonSchema;
use serde::Serialize;
use tokio_util::sync::CancellationToken;

use super::member::actor;
use super::open_team::{failure, open};
use super::spans::RequestSpan;
use super::text::clean_line;

/// The name and version of the lock document.
pub const TEAM_LOCK_SCHEMA: &str = "agon.team_lock/1";
/// The name and version of the document of all locks.
pub const TEAM_LOCKS_SCHEMA: &str = "agon.team_locks/1";
/// The name and version of the document about a released lock.
pub const TEAM_UNLOCKED_SCHEMA: &str = "agon.team_unlocked/1";

// Two checks a second cost a busy team nothing, and the delay goes unnoticed.
/// The time between two checks of a waiting lock.
const POLL_INTERVAL: Duration = Duration::from_millis(500);

/// A lock, granted or in the queue: `agon.team_lock/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TeamLockDoc {
    #[schemars(extend("const" = TEAM_LOCK_SCHEMA))]
    schema: &'static str,
    /// The lock; if it is not granted, it is waiting in the queue.
    pub lock: PathLock,
    /// The locks that it waits for.
    pub behind: Vec<PathLock>,
}

/// All locks of a team: `agon.team_locks/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TeamLocksDoc {
    #[schemars(extend("const" = TEAM_LOCKS_SCHEMA))]
    schema: &'static str,
    /// The locks, granted and waiting, in the order in which they were requested.
    pub locks: Vec<PathLock>,
}

/// A lock that was released: `agon.team_unlocked/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TeamUnlockedDoc {
    #[schemars(extend("const" = TEAM_UNLOCKED_SCHEMA))]
    schema: &'static str,
    /// Its id.
    pub lock: LockId,
}

/// Requests a lock and waits for it for at most `wait`, or until `cancel`. After that it stays in
/// the queue and is granted as soon as nothing blocks it.
///
/// # Errors
///
/// Fails if the epoch is over, the task has too many locks, waiting would deadlock, or the lock is
/// withdrawn from the queue meanwhile.
pub async fn lock(
    caller: &Caller,
    request: &LockRequest,
    wait: Duration,
    cancel: &CancellationToken,
) -> Result<TeamLockDoc, Failure> {
    refuse_nested(caller)?;
    let (mut team, location) = open(caller)?;
    let actor = actor(caller, &team, &location)?;
    let request = LockRequest {
        globs: literal_existing_paths(&request.globs, &location),
        reason: clean_line(&request.reason),
        ..request.clone()
    };
    let span = RequestSpan::begin("lock", "take", Some(&request.task));
    span.by(actor.label());
    let mut answer = span.end(team.lock(&actor, &request).map_err(failure))?;
    let until = Instant::now() + wait;
    while !answer.lock.granted && !cancel.is_cancelled() {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            break;
        }
        tokio::select! {
            () = tokio::time::sleep(left.min(POLL_INTERVAL)) => {}
            () = cancel.cancelled() => {}
        }
        let locks = team.locks().map_err(failure)?;
        answer =
            find_lock_and_blockers(answer.lock.id, locks).ok_or_else(|| withdrawn(&answer.lock))?;
    }
    Ok(TeamLockDoc {
        schema: TEAM_LOCK_SCHEMA,
        lock: answer.lock,
        behind: answer.behind,
    })
}

/// Replaces each glob that is the literal path of an existing file by exactly that path: people
/// write `app/[slug]` and `etc/conf.d` as they see them.
fn literal_existing_paths(globs: &GlobSet, location: &TeamLocation) -> GlobSet {
    let exact = |glob: &PathGlob| {
        let path = location.work_tree.as_ref()?.join(glob.as_str());
        // To git, a link to a folder is a file.
        let meta = path.symlink_metadata().ok()?;
        Some(glob.clone().to_literal_path(meta.is_dir()))
    };
    globs.map(|glob| exact(glob).unwrap_or_else(|| glob.clone()))
}

/// Returns a lock and the locks that it waits for, or `None` if it no longer exists.
fn find_lock_and_blockers(id: LockId, locks: Vec<PathLock>) -> Option<LockAnswer> {
    let lock = locks.iter().find(|lock| lock.id == id)?.clone();
    let is_before = |other: &PathLock| {
        !lock.granted && (other.granted || other.id < lock.id) && other.conflict(&lock).is_some()
    };
    let behind = locks.into_iter().filter(is_before).collect();
    Some(LockAnswer { lock, behind })
}

fn withdrawn(lock: &PathLock) -> Failure {
    let (id, task, epoch) = (lock.id, lock.task, lock.epoch);
    let message =
        format!("{id} was withdrawn: claim {epoch} of {task} ended, or a deadlock was broken");
    Failure::new(Code::Withdrawn, message)
        .hint("your mail says if there was a deadlock: fetch it; otherwise claim the task again")
}

/// Releases a lock, or withdraws a waiting one, of a task that the caller's member holds at this
/// epoch.
///
/// # Errors
///
/// Fails if there is no such lock, or the epoch is over.
pub fn unlock(
    caller: &Caller,
    lock: LockId,
    epoch: Option<Epoch>,
) -> Result<TeamUnlockedDoc, Failure> {
    refuse_nested(caller)?;
    let (mut team, location) = open(caller)?;
    let actor = actor(caller, &team, &location)?;
    let locks = team.locks().map_err(failure)?;
    let found = locks.iter().find(|one| one.id == lock);
    let task = found.ok_or_else(|| failure(StoreError::NoLock(lock)))?.task;
    let epoch = match epoch {
        Some(epoch) => epoch,
        None => team.task(task).map_err(failure)?.epoch,
    };
    let span = RequestSpan::begin("lock", "release", Some(&task));
    span.by(actor.label());
    span.end(team.unlock(&actor, task, epoch, lock).map_err(failure))?;
    Ok(TeamUnlockedDoc {
        schema: TEAM_UNLOCKED_SCHEMA,
        lock,
    })
}

/// Returns all locks of the team; everyone who can read the repository may see them.
///
/// # Errors
///
/// If there is no team or its file cannot be read.
pub fn locks(caller: &Caller) -> Result<TeamLocksDoc, Failure> {
    let (mut team, _) = open(caller)?;
    Ok(TeamLocksDoc {
        schema: TEAM_LOCKS_SCHEMA,
        locks: team.locks().map_err(failure)?,
    })
}
