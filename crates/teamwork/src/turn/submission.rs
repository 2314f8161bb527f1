//! Submits the result of a turn as the change for its task.

use std::path::Path;

use agon_caller::{Caller, Code, Failure};
use agon_team::change::Change;
use agon_team::id::{MemberName, TaskId};
use agon_team::store::{Actor, HolderStep};
use agon_team::task::TaskState;

use super::{SharedTeam, lock};
use crate::git::run_git;
use crate::open_team::failure;

pub(super) fn has_submitted(
    team: &SharedTeam,
    task: TaskId,
    by: &MemberName,
) -> Result<bool, Failure> {
    let task = lock(team).task(task).map_err(failure)?;
    let is_over = matches!(task.state, TaskState::Review | TaskState::Done);
    Ok(is_over && task.evidence.is_some_and(|it| it.author == *by))
}

/// Submits a commit as the change for a task; returns whether the task has it.
pub(super) async fn submit(
    caller: &Caller,
    team: &SharedTeam,
    actor: &Actor,
    task: TaskId,
    tree: &Path,
    commit: &str,
) -> Result<bool, Failure> {
    let hash = run_git(caller, tree, &["rev-parse", "HEAD^{tree}"]).await?;
    let Ok(hash) = hash.trim().parse() else {
        let message = "git printed an invalid tree id".to_owned();
        return Err(Failure::new(Code::Bug, message));
    };
    let mut team = lock(team);
    let found = team.task(task).map_err(failure)?;
    let is_held = found.lease.as_ref().map(|lease| &lease.holder) == actor.name();
    if !is_held {
        // The member may have submitted it itself.
        let is_in = matches!(found.state, TaskState::Review | TaskState::Done);
        return Ok(is_in
            && found
                .evidence
                .is_some_and(|it| Some(&it.author) == actor.name()));
    }
    if found.state == TaskState::Claimed {
        team.step(actor, task, found.epoch, &HolderStep::Start)
            .map_err(failure)?;
    }
    if found.state == TaskState::Waiting {
        team.step(actor, task, found.epoch, &HolderStep::Resume)
            .map_err(failure)?;
    }
    let change = Change::Commit {
        id: commit.to_owned(),
    };
    let step = HolderStep::Submit { change, tree: hash };
    team.step(actor, task, found.epoch, &step)
        .map_err(failure)?;
    Ok(true)
}
