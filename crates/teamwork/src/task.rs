//! Adds, claims, advances and finishes tasks.

use agon_caller::depth::refuse_nested;
use agon_caller::{Caller, Code, Failure};
use agon_team::change::Change;
use agon_team::id::{Epoch, TaskId, TreeHash};
use agon_team::store::{
    Actor, ClaimRequest, HolderStep, NewTask, StoreError, TaskWhy, Team, TeamStep,
};
use agon_team::task::Task;
use schemars::JsonSchema;
use serde::Serialize;

use super::git::run_git;
use super::member::actor;
use super::new_task::checked;
use super::open_team::{failure, open};
use super::spans::RequestSpan;
use super::text::clean_line;

/// The name and version of the task document.
pub const TEAM_TASK_SCHEMA: &str = "agon.team_task/1";
/// The name and version of the document about what a task waits for.
pub const TEAM_WHY_SCHEMA: &str = "agon.team_why/1";

/// A task after a step: `agon.team_task/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TeamTaskDoc {
    #[schemars(extend("const" = TEAM_TASK_SCHEMA))]
    schema: &'static str,
    /// The task.
    pub task: Task,
}

/// A task and everything that it waits for: `agon.team_why/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TeamWhyDoc {
    #[schemars(extend("const" = TEAM_WHY_SCHEMA))]
    schema: &'static str,
    /// The task and what it waits for.
    #[serde(flatten)]
    pub why: TaskWhy,
}

/// Opens the team, performs an action as the caller, and returns the task after it.
pub(super) fn act(
    caller: &Caller,
    op: &'static str,
    task: Option<TaskId>,
    act: impl FnOnce(&mut Team, &Actor) -> Result<Task, StoreError>,
) -> Result<TeamTaskDoc, Failure> {
    refuse_nested(caller)?;
    let (mut team, location) = open(caller)?;
    let actor = actor(caller, &team, &location)?;
    let span = RequestSpan::begin("task", op, task.as_ref().map(|it| it as _));
    span.by(actor.label());
    span.end(act(&mut team, &actor).map(task_document).map_err(failure))
}

/// Wraps a task in its document.
pub(super) const fn task_document(task: Task) -> TeamTaskDoc {
    TeamTaskDoc {
        schema: TEAM_TASK_SCHEMA,
        task,
    }
}

/// Adds a task. Secrets in its texts are removed.
///
/// # Errors
///
/// Fails if a text is too long, a needed task does not exist, or the caller is not a member.
pub fn add(caller: &Caller, new: NewTask) -> Result<TeamTaskDoc, Failure> {
    let new = checked(caller, new)?;
    act(caller, "add", None, |team, actor| {
        team.add_task(actor, &new)
    })
}

/// Claims a task for the caller's member, under a new epoch.
///
/// # Errors
///
/// Fails if the task is not ready or is blocked, or no task can be claimed.
pub async fn claim(caller: &Caller, request: &ClaimRequest) -> Result<TeamTaskDoc, Failure> {
    // If the repository has no commits, the task has no base to compare a change with.
    let head = read_commit(caller, "HEAD").await.ok();
    let request = ClaimRequest {
        base: head.map(|(id, _)| id),
        ..request.clone()
    };
    act(caller, "claim", request.task, |team, actor| {
        team.claim(actor, &request)
    })
}

/// Returns the named epoch, otherwise the task's current one; the store checks who holds the task.
///
/// # Errors
///
/// If there is no such task.
pub fn epoch_or_current(
    caller: &Caller,
    task: TaskId,
    named: Option<Epoch>,
) -> Result<Epoch, Failure> {
    match named {
        Some(epoch) => Ok(epoch),
        None => Ok(open(caller)?.0.task(task).map_err(failure)?.epoch),
    }
}

/// Takes a step of a task that the caller's member holds at this epoch, which defaults to the epoch
/// of its claim.
///
/// # Errors
///
/// Fails if the epoch is over, another member holds the task, or the task's state does not allow
/// the step.
pub fn step(
    caller: &Caller,
    task: TaskId,
    epoch: Option<Epoch>,
    step: HolderStep,
) -> Result<TeamTaskDoc, Failure> {
    let epoch = epoch_or_current(caller, task, epoch)?;
    let step = match step {
        HolderStep::Release { note, has_commits } => HolderStep::Release {
            note: clean_line(&note),
            has_commits,
        },
        HolderStep::GiveUp { note } => HolderStep::GiveUp {
            note: clean_line(&note),
        },
        other => other,
    };
    let op = match step {
        HolderStep::Renew { .. } => "renew",
        HolderStep::Start => "start",
        HolderStep::Wait { .. } => "wait",
        HolderStep::Resume => "resume",
        HolderStep::Submit { .. } | HolderStep::SubmitUnchanged { .. } => "submit",
        HolderStep::Release { .. } => "release",
        HolderStep::GiveUp { .. } => "fail",
    };
    act(caller, op, Some(task), |team, actor| {
        team.step(actor, task, epoch, &step)
    })
}

/// Takes a step of a task from outside, without holding it.
///
/// # Errors
///
/// Fails if the caller may not, or the task's state does not allow the step.
pub fn direct(caller: &Caller, task: TaskId, step: TeamStep) -> Result<TeamTaskDoc, Failure> {
    let step = match step {
        TeamStep::Cancel { note } => TeamStep::Cancel {
            note: clean_line(&note),
        },
        TeamStep::Revoke { note } => TeamStep::Revoke {
            note: clean_line(&note),
        },
        TeamStep::Reopen { attempts, note } => TeamStep::Reopen {
            attempts,
            note: clean_line(&note),
        },
        other => other,
    };
    let op = match step {
        TeamStep::Publish => "publish",
        TeamStep::Cancel { .. } => "cancel",
        TeamStep::Revoke { .. } => "revoke",
        TeamStep::Reopen { .. } => "reopen",
    };
    act(caller, op, Some(task), |team, actor| {
        team.direct(actor, task, &step)
    })
}

/// Marks a task as done if the change submitted at this epoch is still there and its evidence is
/// complete. The epoch defaults to the task's current one.
///
/// # Errors
///
/// Fails if evidence is missing (the failure lists all of it), or the task is at another epoch.
pub async fn done(
    caller: &Caller,
    task: TaskId,
    epoch: Option<Epoch>,
) -> Result<TeamTaskDoc, Failure> {
    let epoch = epoch_or_current(caller, task, epoch)?;
    let (mut team, _) = open(caller)?;
    let submitted = team.task(task).map_err(failure)?.evidence;
    let tree = match submitted.map(|evidence| evidence.change) {
        Some(Change::Commit { id }) => read_commit(caller, &id).await?.1,
        // Without a commit the store refuses it and says what is missing.
        Some(Change::Diff { .. } | Change::Elsewhere { .. }) | None => {
            let none = "0".repeat(40).parse();
            none.map_err(|error| Failure::from_error(Code::Bug, &error))?
        }
    };
    act(caller, "done", Some(task), |team, actor| {
        team.accept(actor, task, epoch, &tree)
    })
}

/// Makes a task need another one.
///
/// # Errors
///
/// Fails if one of them does not exist, this would create a cycle, or the task is in progress or
/// over.
pub fn add_need(caller: &Caller, task: TaskId, needed: TaskId) -> Result<TeamTaskDoc, Failure> {
    act(caller, "add_need", Some(task), |team, actor| {
        team.add_need(actor, task, needed)?;
        team.task(task)
    })
}

/// Removes a task's need for another one.
///
/// # Errors
///
/// Fails if there is no such task, or the caller may not.
pub fn remove_need(caller: &Caller, task: TaskId, needed: TaskId) -> Result<TeamTaskDoc, Failure> {
    act(caller, "remove_need", Some(task), |team, actor| {
        team.remove_need(actor, task, needed)?;
        team.task(task)
    })
}

/// Returns everything that a task waits for.
///
/// # Errors
///
/// Fails if there is no such task.
pub fn why(caller: &Caller, task: TaskId) -> Result<TeamWhyDoc, Failure> {
    let (mut team, _) = open(caller)?;
    Ok(TeamWhyDoc {
        schema: TEAM_WHY_SCHEMA,
        why: team.why(task).map_err(failure)?,
    })
}

/// Returns the full id of a commit, and its tree.
pub(super) async fn read_commit(
    caller: &Caller,
    commit: &str,
) -> Result<(String, TreeHash), Failure> {
    let missing = || {
        let message = format!("this repository has no commit {commit}");
        Failure::new(Code::NoCommit, message)
            .hint("commit the change, then name the commit or HEAD")
    };
    let (id, tree) = (format!("{commit}^{{commit}}"), format!("{commit}^{{tree}}"));
    let mut found = Vec::new();
    for name in [id, tree] {
        let args = ["rev-parse", "--verify", "--end-of-options", &name];
        let printed = run_git(caller, &caller.cwd, &args).await;
        found.push(printed.map_err(|_| missing())?.trim().to_owned());
    }
    match <[String; 2]>::try_from(found) {
        Ok([id, tree]) => Ok((id, tree.parse().map_err(|_| missing())?)),
        Err(_) => Err(missing()),
    }
}
