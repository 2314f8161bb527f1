//! Releases a task that its holder gives back.

use agon_caller::{Caller, Failure};
use agon_team::id::{Epoch, TaskId};
use agon_team::store::HolderStep;

use super::open_team::{failure, open};
use super::task::{TeamTaskDoc, read_commit, step};

/// Releases a task that the caller's member holds. A claim that was not started does not count as
/// work on the task, unless commits were made since.
///
/// # Errors
///
/// Fails like [`step`].
pub async fn release(
    caller: &Caller,
    task: TaskId,
    epoch: Option<Epoch>,
    note: String,
) -> Result<TeamTaskDoc, Failure> {
    let found = open(caller)?.0.task(task).map_err(failure)?;
    let head = read_commit(caller, "HEAD").await;
    let has_commits = match (&found.base, head) {
        (Some(base), Ok((head, _))) => head != base.commit,
        (None, _) | (_, Err(_)) => false,
    };
    step(
        caller,
        task,
        epoch,
        HolderStep::Release { note, has_commits },
    )
}
