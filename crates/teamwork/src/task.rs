//! Tasks: added, claimed, worked on, shown to be done.

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

use super::door::{failure, open};
use super::git::run_git;
use super::member::actor;
use super::new_task::checked;
use super::spans::RequestSpan;
use super::text::clean_line;

/// The name and version of the document of a task.
pub const TEAM_TASK_SCHEMA: &str = "agon.team_task/1";
/// The name and version of the document of what a task waits for.
pub const TEAM_WHY_SCHEMA: &str = "agon.team_why/1";

/// A task as it stands after a step: `agon.team_task/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TeamTaskDoc {
    #[schemars(extend("const" = TEAM_TASK_SCHEMA))]
    schema: &'static str,
    /// The task.
    pub task: Task,
}

/// A task, and all that it waits for: `agon.team_why/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TeamWhyDoc {
    #[schemars(extend("const" = TEAM_WHY_SCHEMA))]
    schema: &'static str,
    /// Both.
    #[serde(flatten)]
    pub why: TaskWhy,
}

/// Opens the team, lets the caller act in it, and gives the task as it stands then.
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

/// The document of a task.
pub(super) const fn task_document(task: Task) -> TeamTaskDoc {
    TeamTaskDoc {
        schema: TEAM_TASK_SCHEMA,
        task,
    }
}

/// Adds a task; secrets in its texts are left out.
///
/// # Errors
///
/// If a text is too long, what it needs does not exist, or the caller is not of the team.
pub fn add(caller: &Caller, new: NewTask) -> Result<TeamTaskDoc, Failure> {
    let new = checked(caller, new)?;
    act(caller, "add", None, |team, actor| {
        team.add_task(actor, &new)
    })
}

/// Gives the caller's member a task, under a new epoch.
///
/// # Errors
///
/// If it is not ready, is blocked, or none is to be had.
pub async fn claim(caller: &Caller, request: &ClaimRequest) -> Result<TeamTaskDoc, Failure> {
    // A repository without a commit has nothing that a change could differ from.
    let head = read_commit(caller, "HEAD").await.ok();
    let request = ClaimRequest {
        base: head.map(|(id, _)| id),
        ..request.clone()
    };
    act(caller, "claim", request.task, |team, actor| {
        team.claim(actor, &request)
    })
}

/// The epoch that is named, else that of the task now: the store checks who holds it.
///
/// # Errors
///
/// If there is no such task.
pub fn epoch_of(caller: &Caller, task: TaskId, named: Option<Epoch>) -> Result<Epoch, Failure> {
    match named {
        Some(epoch) => Ok(epoch),
        None => Ok(open(caller)?.0.task(task).map_err(failure)?.epoch),
    }
}

/// Takes a step of a task that the caller's member holds at this epoch; at that of its claim where
/// none is named.
///
/// # Errors
///
/// If the epoch is over, another member holds it, or the step does not lead from where it stands.
pub fn step(
    caller: &Caller,
    task: TaskId,
    epoch: Option<Epoch>,
    step: HolderStep,
) -> Result<TeamTaskDoc, Failure> {
    let epoch = epoch_of(caller, task, epoch)?;
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

/// Takes a step of a task from outside.
///
/// # Errors
///
/// If the caller may not, or the step does not lead from where the task stands.
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

/// Takes a task for done, if what was submitted at this epoch is still there and its evidence is
/// complete; at the epoch of the task now where none is named.
///
/// # Errors
///
/// If something is missing, all of which the failure says, or another epoch is under way.
pub async fn done(
    caller: &Caller,
    task: TaskId,
    epoch: Option<Epoch>,
) -> Result<TeamTaskDoc, Failure> {
    let epoch = epoch_of(caller, task, epoch)?;
    let (mut team, _) = open(caller)?;
    let submitted = team.task(task).map_err(failure)?.evidence;
    let tree = match submitted.map(|evidence| evidence.change) {
        Some(Change::Commit { id }) => read_commit(caller, &id).await?.1,
        // Without a change the store refuses it, and says what it lacks.
        Some(Change::Diff { .. } | Change::Elsewhere { .. }) | None => {
            let none = "0".repeat(40).parse();
            none.map_err(|error| Failure::from_error(Code::Bug, &error))?
        }
    };
    act(caller, "done", Some(task), |team, actor| {
        team.accept(actor, task, epoch, &tree)
    })
}

/// Lets a task need another.
///
/// # Errors
///
/// If one of them does not exist, a circle would come of it, or the task is under way or over.
pub fn add_need(caller: &Caller, task: TaskId, needed: TaskId) -> Result<TeamTaskDoc, Failure> {
    act(caller, "add_need", Some(task), |team, actor| {
        team.add_need(actor, task, needed)?;
        team.task(task)
    })
}

/// Lets a task no longer need another.
///
/// # Errors
///
/// If there is no such task or the caller may not.
pub fn remove_need(caller: &Caller, task: TaskId, needed: TaskId) -> Result<TeamTaskDoc, Failure> {
    act(caller, "remove_need", Some(task), |team, actor| {
        team.remove_need(actor, task, needed)?;
        team.task(task)
    })
}

/// All that a task waits for.
///
/// # Errors
///
/// If there is none.
pub fn why(caller: &Caller, task: TaskId) -> Result<TeamWhyDoc, Failure> {
    let (mut team, _) = open(caller)?;
    Ok(TeamWhyDoc {
        schema: TEAM_WHY_SCHEMA,
        why: team.why(task).map_err(failure)?,
    })
}

/// The whole id of a commit, and its tree.
pub(super) async fn read_commit(
    caller: &Caller,
    commit: &str,
) -> Result<(String, TreeHash), Failure> {
    let missing = || {
        let message = format!("this repository has no commit {commit}");
        Failure::new(Code::NoCommit, message)
            .hint("commit the change, then name its commit or HEAD")
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
