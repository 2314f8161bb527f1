//! `agon team run`: a goal, a plan, its tasks worked on in trees of their own, reviewed by another
//! member, and merged one at a time onto a branch of the run.
//!
//! Every step looks at the store and at git first, and does what is missing: a run that was killed at
//! any instant goes on by the same loop.

mod debate;
mod merge;
mod plan;
mod review;
mod work;

use std::path::PathBuf;

use agon_team::id::{RunId, TaskId};
use agon_team::mail::Trust;
use agon_team::store::{Actor, NewRun, RunDoc, RunStage, StoreError, Team, TeamLocation};
use agon_team::task::{Task, TaskState};
use schemars::JsonSchema;
use serde::Serialize;
use tokio_util::sync::CancellationToken;

use super::door::{failure, open};
use super::lease::Lease;
use super::member::actor;
use super::text::clean;
use super::trees;
use super::turn::find_worker;
use crate::caller::Caller;
use crate::context::run_git;
use crate::depth::refuse_nested;
use crate::failure::{Failure, FailureKind};

/// The name and version of the document of a run.
pub const TEAM_RUN_SCHEMA: &str = "agon.team_run/1";
/// The name and version of the document of a run whose branch was taken.
pub const TEAM_LANDED_SCHEMA: &str = "agon.team_landed/1";

/// What a run is to reach.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunRequest {
    /// The goal; none to go on with `resume`.
    pub goal: Option<String>,
    /// The run to go on with.
    pub resume: Option<RunId>,
    /// The AI tool of its members.
    pub host: Option<String>,
    /// Whether its plan is agreed to.
    pub agreed: bool,
    /// The most tokens that it may take.
    pub max_tokens: Option<u64>,
}

/// What a run came to: `agon.team_run/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TeamRunDoc {
    #[schemars(extend("const" = TEAM_RUN_SCHEMA))]
    schema: &'static str,
    /// The run.
    #[serde(flatten)]
    pub run: RunDoc,
    /// The branch with all that was merged.
    pub branch: String,
    /// Its tasks, each with what became of it.
    pub report: Vec<RunTaskReport>,
}

/// What became of a task of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RunTaskReport {
    /// The task, with who worked on it and on what evidence it is done.
    pub task: Task,
    /// The commit by which its change is on the branch of the run; null where it is not.
    pub merged: Option<String>,
}

/// A run whose branch a person took over: `agon.team_landed/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TeamLandedDoc {
    #[schemars(extend("const" = TEAM_LANDED_SCHEMA))]
    schema: &'static str,
    /// The run.
    pub run: RunId,
    /// The branch that was moved.
    pub branch: String,
    /// Where it is now.
    pub commit: String,
    /// Whether it was moved forward alone, without a merge.
    pub fast_forward: bool,
}

/// What every step of a run needs.
pub(super) struct RunContext<'a> {
    caller: &'a Caller,
    location: TeamLocation,
    actor: Actor,
    run: RunId,
    host: String,
    cancel: &'a CancellationToken,
}

/// Workers that run at once.
const MAX_WORKERS: usize = 2;

/// The branch of a run.
fn branch_of(run: RunId) -> String {
    format!("agon/{run}")
}

/// Begins a run, or goes on with one, until nothing more can be done. The lead or a person.
///
/// # Errors
///
/// If the caller may not, the host is unknown, another process runs it, or the store cannot be
/// written. That a task fails is told in the report.
pub async fn run(
    caller: &Caller,
    request: &RunRequest,
    cancel: &CancellationToken,
) -> Result<TeamRunDoc, Failure> {
    refuse_nested(caller)?;
    let (mut team, location) = open(caller)?;
    let actor = actor(caller, &team, &location)?;
    if actor.trust() < Trust::Lead {
        return Err(failure(StoreError::NotAllowed {
            actor: actor.label().to_owned(),
            act: "run a goal",
        }));
    }
    let id = match request.resume {
        Some(id) => id,
        None => begin(caller, &mut team, &actor, request).await?,
    };
    let found = team.run(id).map_err(failure)?;
    let _lease = Lease::take(caller, &location, &format!("run {id}"))?;
    let context = RunContext {
        caller,
        location,
        actor,
        run: id,
        host: found.host.clone(),
        cancel,
    };
    if request.agreed && !found.agreed {
        team.agree_to_plan(&context.actor, id).map_err(failure)?;
    }
    if found.stage == RunStage::Stopped {
        context.go_on(&mut team, &found)?;
    }
    context.advance(&mut team).await?;
    context.report(&mut team)
}

async fn begin(
    caller: &Caller,
    team: &mut Team,
    actor: &Actor,
    request: &RunRequest,
) -> Result<RunId, Failure> {
    let missing = |parameter: &'static str, hint: &str| {
        Failure::new(
            FailureKind::Usage,
            "missing_parameter",
            format!("no {parameter} is named"),
        )
        .parameter(parameter)
        .hint(hint)
    };
    let goal = request
        .goal
        .as_deref()
        .filter(|goal| !goal.trim().is_empty());
    let goal = goal.ok_or_else(|| missing("goal", "say what is to be reached, in a sentence"))?;
    let host = request.host.as_deref();
    let host = host.ok_or_else(|| missing("host", "name the AI tool that works, with --host"))?;
    find_worker(caller, host)?;
    let new = NewRun {
        goal: clean(goal),
        host: host.to_owned(),
        base: trees::head(caller, &caller.cwd).await?,
        agreed: request.agreed,
        max_tokens: request.max_tokens,
    };
    team.begin_run(actor, &new).map_err(failure)
}

impl RunContext<'_> {
    /// A run that stopped goes on where it was, since a person says so.
    fn go_on(&self, team: &mut Team, run: &RunDoc) -> Result<(), Failure> {
        let stage = match (&run.plan, run.tasks.is_empty()) {
            (None, _) => RunStage::Planning,
            (Some(_), true) => RunStage::Debating,
            (Some(_), false) => RunStage::Working,
        };
        team.end_run(&self.actor, self.run, stage, None)
            .map_err(failure)
    }

    /// Takes steps until none is left.
    async fn advance(&self, team: &mut Team) -> Result<(), Failure> {
        loop {
            if self.cancel.is_cancelled() {
                let message = "the run was stopped".to_owned();
                return Err(Failure::new(FailureKind::Cancelled, "cancelled", message)
                    .hint(format!("go on with `agon team run --resume {}`", self.run)));
            }
            let run = team.run(self.run).map_err(failure)?;
            let is_spent = run.max_tokens.is_some_and(|max| run.tokens >= max);
            if is_spent && !matches!(run.stage, RunStage::Done | RunStage::Stopped) {
                return self.stop(team, "its tokens are spent");
            }
            match run.stage {
                RunStage::Planning => self.plan(team, &run).await?,
                RunStage::Debating if run.agreed => {
                    team.begin_work(&self.actor, self.run).map_err(failure)?
                }
                RunStage::Debating => self.debate(team, &run).await?,
                RunStage::Working => {
                    if !self.work_round(team).await? {
                        return self.finish(team);
                    }
                }
                RunStage::Done | RunStage::Stopped => return Ok(()),
            }
        }
    }

    /// One round over the tasks; false where nothing more can be done.
    async fn work_round(&self, team: &mut Team) -> Result<bool, Failure> {
        self.make_tree().await?;
        self.take_back_lost(team).await?;
        // Merged first, so that what is begun now begins from it.
        let mut has_done = false;
        for task in self.tasks(team)? {
            if task.state == TaskState::Review {
                has_done |= self.review_and_merge(team, &task).await?;
            }
        }
        if has_done {
            return Ok(true);
        }
        let mut ready = Vec::new();
        for task in self.tasks(team)? {
            let why = team.why(task.id).map_err(failure)?;
            let is_blocked = why.waits_for.iter().any(|one| {
                matches!(
                    one,
                    agon_team::why::WaitsFor::Need { .. }
                        | agon_team::why::WaitsFor::LostNeed { .. }
                )
            });
            if task.state == TaskState::Ready && !is_blocked {
                ready.push(task);
            }
        }
        ready.truncate(MAX_WORKERS);
        if ready.is_empty() {
            return Ok(false);
        }
        let turns = ready.iter().map(|task| self.work(task));
        let ended = futures_util::future::join_all(turns).await;
        for turn in ended {
            let tokens = turn?.tokens.unwrap_or_default();
            team.spend(self.run, tokens).map_err(failure)?;
        }
        Ok(true)
    }

    /// The tasks of the run, those that are not merged yet.
    fn tasks(&self, team: &mut Team) -> Result<Vec<Task>, Failure> {
        let run = team.run(self.run).map_err(failure)?;
        let open = run.tasks.iter().filter(|it| it.merged.is_none());
        open.map(|it| team.task(it.task).map_err(failure)).collect()
    }

    fn finish(&self, team: &mut Team) -> Result<(), Failure> {
        let open = self.tasks(team)?;
        if open.is_empty() {
            return team
                .end_run(&self.actor, self.run, RunStage::Done, None)
                .map_err(failure);
        }
        let words: Vec<String> = open
            .iter()
            .map(|task| format!("{} is {}", task.id, task.state))
            .collect();
        self.stop(
            team,
            &format!("not all could be done: {}", words.join(", ")),
        )
    }

    fn stop(&self, team: &mut Team, why: &str) -> Result<(), Failure> {
        team.end_run(&self.actor, self.run, RunStage::Stopped, Some(why))
            .map_err(failure)
    }

    fn report(&self, team: &mut Team) -> Result<TeamRunDoc, Failure> {
        let run = team.run(self.run).map_err(failure)?;
        let tasks = run.tasks.clone();
        let report: Result<Vec<RunTaskReport>, Failure> = tasks
            .into_iter()
            .map(|it| {
                Ok(RunTaskReport {
                    task: team.task(it.task).map_err(failure)?,
                    merged: it.merged,
                })
            })
            .collect();
        Ok(TeamRunDoc {
            schema: TEAM_RUN_SCHEMA,
            branch: branch_of(self.run),
            report: report?,
            run,
        })
    }

    /// The work tree of the run.
    fn tree(&self) -> Result<PathBuf, Failure> {
        Ok(trees::folder(self.caller, &self.location)?.join(self.run.to_string()))
    }

    /// Makes the work tree of the run, on its branch.
    async fn make_tree(&self) -> Result<(), Failure> {
        let (mut team, _) = open(self.caller)?;
        let base = team.run(self.run).map_err(failure)?.base;
        let tree = self.tree()?;
        trees::make(self.caller, &tree, &branch_of(self.run), &base).await
    }

    /// A short line for the store.
    fn line(&self, text: &str) -> String {
        let line: String = clean(text)
            .chars()
            .map(|c| if c.is_control() { ' ' } else { c })
            .collect();
        let end = (0..=line.len().min(480))
            .rev()
            .find(|&at| line.is_char_boundary(at));
        line.get(..end.unwrap_or_default())
            .unwrap_or_default()
            .to_owned()
    }
}

/// The member of a run that works on a task.
fn worker_of(run: RunId, task: TaskId) -> String {
    format!("{run}-{task}")
}

/// Moves the branch that the caller has checked out to what a run came to: forward, or by a merge. A
/// person asks for it.
///
/// # Errors
///
/// If the caller neither leads nor is a person, the work tree is not clean, or git refuses.
pub async fn land(caller: &Caller, run: RunId) -> Result<TeamLandedDoc, Failure> {
    refuse_nested(caller)?;
    let (mut team, location) = open(caller)?;
    let asking = actor(caller, &team, &location)?;
    if asking.trust() < Trust::Lead {
        return Err(failure(StoreError::NotAllowed {
            actor: asking.label().to_owned(),
            act: "land a run",
        }));
    }
    team.run(run).map_err(failure)?;
    let tree = location.work_tree.clone().unwrap_or(caller.cwd.clone());
    let status = run_git(
        caller,
        &tree,
        &["status", "--porcelain=v1", "--untracked-files=no"],
    )
    .await?;
    if !status.trim().is_empty() {
        let message = "there are changes here that are not committed".to_owned();
        return Err(Failure::new(FailureKind::Usage, "not_clean", message)
            .hint("commit them first, or put them aside with `git stash`"));
    }
    let before = trees::head(caller, &tree).await?;
    let branch = branch_of(run);
    let forward = run_git(caller, &tree, &["merge", "-q", "--ff-only", &branch]).await;
    if forward.is_err() {
        let merged = run_git(caller, &tree, &["merge", "-q", "--no-edit", &branch]).await;
        if let Err(error) = merged {
            run_git(caller, &tree, &["merge", "--abort"]).await.ok();
            return Err(error.hint(format!("merge {branch} by hand, and solve the conflict")));
        }
    }
    let name = run_git(caller, &tree, &["rev-parse", "--abbrev-ref", "HEAD"]).await?;
    let commit = trees::head(caller, &tree).await?;
    Ok(TeamLandedDoc {
        schema: TEAM_LANDED_SCHEMA,
        run,
        branch: name.trim().to_owned(),
        fast_forward: forward.is_ok() && commit != before,
        commit,
    })
}
