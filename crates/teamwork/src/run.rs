//! Runs a goal (`agon team run`): makes a plan, has its tasks worked on in separate work trees and
//! reviewed by other members, and merges them one at a time onto the run's branch.
//!
//! Every step first reads the store and git, and then does what is missing. The same loop therefore
//! continues a run that was killed at any moment.

mod change_debate;
mod conflict_markers;
mod debate;
mod execution;
mod findings;
mod gates;
mod land;
mod left_out;
mod merge;
mod next_steps;
mod objections;
mod plan;
mod progress;
mod review;
mod ruling;
mod task_part;
mod verdict;
mod waits;
mod work;

pub use self::execution::{TeamRunState, nothing_executed_reason};
pub use self::land::{TEAM_LANDED_SCHEMA, TeamLandedDoc, land};
pub use self::left_out::LeftOutTask;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::{Arc, MutexGuard};
use std::time::Instant;

use agon_caller::depth::refuse_nested;

use agon_caller::{CallFront, Caller, Code, Failure, FailureKind, Hint};
use agon_git::Fetched;
use agon_install::team_files::TeamLayers;
use agon_install::team_roster::TeamRoster;
use agon_record::spec::ToolName;
use agon_seats::tools::{require_debaters, require_members};
use agon_team::id::{GateName, RunId, TaskId};
use agon_team::run_policy::RunPolicy;
use agon_team::store::{Actor, NewRun, RunDoc, RunStage, Team, TeamLocation};
use agon_team::task::{Task, TaskState};
use schemars::JsonSchema;
use serde::Serialize;
use tokio_util::sync::CancellationToken;
use tracing::Instrument as _;

use self::task_part::TaskPart;
use self::waits::Waits;
use super::git::run_git;
use super::lease::Lease;
use super::member::lead;
use super::open_team::{SharedTeam, failure, lock, open, share};
use super::run_policy;
use super::spans::RunSpan;
use super::text::{clean, clean_line};
use super::trees;
use super::turn::find_worker;

/// The name and version of the run document.
pub const TEAM_RUN_SCHEMA: &str = "agon.team_run/1";

/// A run to start or resume.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunRequest {
    /// The goal; `None` to resume a run.
    pub goal: Option<String>,
    /// The run to resume.
    pub resume: Option<RunId>,
    /// The AI tools of its members. Tasks take turns with them, and a change is reviewed by another
    /// tool than its author's if there is one.
    pub hosts: Vec<String>,
    /// The gates that each task must pass; by default all gates of the team.
    pub gates: Option<BTreeSet<GateName>>,
    /// Whether its plan is approved without a debate.
    pub agreed: bool,
    /// The most tokens that the run may use.
    pub max_tokens: Option<u64>,
    /// The profile of the team; by default the current one.
    pub profile: Option<String>,
}

/// The state and result of a run: `agon.team_run/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TeamRunDoc {
    #[schemars(extend("const" = TEAM_RUN_SCHEMA))]
    schema: &'static str,
    /// The run.
    #[serde(flatten)]
    pub run: RunDoc,
    /// The branch that its changes are merged to.
    pub branch: String,
    /// Why nothing was executed in it; null if a gate runs a command.
    pub nothing_executed: Option<String>,
    /// Its tasks with their results.
    pub report: Vec<RunTaskReport>,
}

/// The result of a task of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RunTaskReport {
    /// The task, with who worked on it and the evidence that it is done.
    pub task: Task,
    /// The role that works on it.
    pub role: String,
    /// The commit with which its change was merged to the run's branch; null if it was not.
    pub merged: Option<String>,
    /// Whether it is done without a gate and without approval by a member that did not work on it.
    pub unchecked: bool,
}

/// The context of a run, which every step uses.
pub(super) struct RunContext<'a> {
    caller: &'a Caller,
    team: SharedTeam,
    location: TeamLocation,
    actor: Actor,
    run: RunId,
    hosts: Vec<String>,
    gates: BTreeSet<GateName>,
    /// The settings that the run started with.
    policy: RunPolicy,
    /// The changes that wait for a person's decision.
    waits: Waits,
    begun: Instant,
    cancel: &'a CancellationToken,
}

/// Returns the name of a run's branch.
pub(crate) fn branch_of(run: RunId) -> String {
    format!("agon/{run}")
}

/// Returns the name of the work tree in which a run merges and checks changes.
pub(crate) fn check_tree_name(run: RunId) -> String {
    format!("{run}-check")
}

/// Starts or resumes a run, and works until nothing more can be done. Only the lead or a person may
/// call this.
///
/// # Errors
///
/// Fails if the caller may not run goals, a host is unknown, another process runs it, or the store
/// cannot be written. A failed task is not an error: the report contains it.
pub async fn run(
    caller: &Caller,
    request: &RunRequest,
    front: &mut dyn CallFront,
) -> Result<TeamRunDoc, Failure> {
    refuse_nested(caller)?;
    let (mut team, location) = open(caller)?;
    let actor = lead(caller, &team, &location, "run a goal")?;
    let id = match request.resume {
        Some(id) => id,
        None => begin(caller, &mut team, &location, &actor, request).await?,
    };
    let team = share(team);
    let lease = Lease::take(Arc::clone(&team), &format!("run {id}"))?;
    let found = lock(&team).run(id).map_err(failure)?;
    let cancel = front.cancel_token();
    let context = RunContext {
        caller,
        team,
        location,
        actor,
        run: id,
        hosts: found.hosts.clone(),
        gates: found.gates.clone(),
        policy: found.policy.clone(),
        waits: Waits::default(),
        begun: Instant::now(),
        cancel: &cancel,
    };
    context.announce_team(front);
    if request.agreed && !found.agreed {
        let mut team = context.team();
        team.approve_plan(&context.actor, id).map_err(failure)?;
    }
    context.recover_from_kill().await?;
    if found.stage == RunStage::Stopped {
        context.restore_stage(&found)?;
    }
    if request.resume.is_some() {
        let now = context.team().run(id).map_err(failure)?;
        front.note(&context.next_steps(&now)?);
    }
    let span = RunSpan::begin(&mut context.team(), id);
    let advanced = context.advance(&lease, front);
    let advanced = advanced.instrument(span.span()).await;
    span.end(&mut context.team(), advanced.is_ok());
    if let Err(error) = advanced {
        return Err(context.stop_after_failure(&lease, error));
    }
    context.report()
}

async fn begin(
    caller: &Caller,
    team: &mut Team,
    location: &TeamLocation,
    actor: &Actor,
    request: &RunRequest,
) -> Result<RunId, Failure> {
    let missing = |parameter: &'static str, hint: Hint| {
        Failure::new(Code::MissingParameter, format!("missing {parameter}"))
            .parameter(parameter)
            .hint(hint)
    };
    let goal = request
        .goal
        .as_deref()
        .filter(|goal| !goal.trim().is_empty());
    let goal = goal.ok_or_else(|| missing("goal", "state the goal in a sentence".into()))?;
    if request.hosts.is_empty() {
        let hint = Hint::new("name the AI tool that does the work, with ").flag("host");
        return Err(missing("host", hint));
    }
    let roster = TeamRoster::read(caller, &TeamLayers::of_profile(request.profile.as_deref()))?;
    let policy = run_policy::resolve(roster.settings());
    let of_roles = policy.hosts.iter().filter(|(role, _)| policy.has(role));
    for host in request.hosts.iter().chain(of_roles.map(|(_, host)| host)) {
        find_worker(caller, host)?;
    }
    require_consent(caller, request, &policy).await?;
    if !request.agreed {
        // Its debate starts without a person, after the plan is paid for.
        require_debaters(caller).await?;
    }
    let new = NewRun {
        goal: clean(goal),
        hosts: request.hosts.clone(),
        gates: gates::choose(location, request.gates.as_ref())?,
        base: trees::head(caller, &caller.cwd).await?,
        agreed: request.agreed,
        max_tokens: request.max_tokens,
        policy,
    };
    let id = team.begin_run(actor, &new).map_err(failure)?;
    let branch = branch_of(id);
    if trees::has_branch(caller, &branch).await? {
        let error = branch_exists_failure(id);
        team.end_run(actor, id, RunStage::Stopped, Some(&error.message))
            .map_err(failure)?;
        return Err(error);
    }
    Ok(id)
}

/// Refuses tools that only the project's file gives to a role, and that the user has not allowed.
async fn require_consent(
    caller: &Caller,
    request: &RunRequest,
    policy: &RunPolicy,
) -> Result<(), Failure> {
    let layers = TeamLayers::of_profile(request.profile.as_deref()).without_project();
    // A profile that only the project has names no tools of the user.
    let own = TeamRoster::read(caller, &layers).ok();
    let own = own.map(|own| run_policy::resolve(own.settings()).hosts);
    let own = own.iter().flat_map(BTreeMap::values);
    let named = request.hosts.iter().chain(own);
    let members = policy.hosts.iter().filter(|(role, _)| policy.has(role));
    let members = members.map(|(_, host)| host);
    require_members(caller, &tool_names(named), &tool_names(members)).await
}

fn tool_names<'a>(hosts: impl Iterator<Item = &'a String>) -> BTreeSet<ToolName> {
    hosts.filter_map(|host| host.parse().ok()).collect()
}

impl RunContext<'_> {
    /// Locks the team for one store call.
    fn team(&self) -> MutexGuard<'_, Team> {
        lock(&self.team)
    }

    /// Puts a stopped run back to the stage where it stopped, because a person resumed it.
    fn restore_stage(&self, run: &RunDoc) -> Result<(), Failure> {
        let stage = match (&run.plan, run.tasks.is_empty()) {
            (None, _) => RunStage::Planning,
            (Some(_), true) => RunStage::Debating,
            (Some(_), false) => RunStage::Working,
        };
        self.team()
            .end_run(&self.actor, self.run, stage, None)
            .map_err(failure)
    }

    /// Fails if a person stopped the run.
    fn check_cancel(&self) -> Result<(), Failure> {
        if !self.cancel.is_cancelled() {
            return Ok(());
        }
        let message = "the run was stopped".to_owned();
        Err(Failure::new(Code::Cancelled, message).hint(self.resume_hint()))
    }

    /// Returns the AI tool for a role: the tool configured for it, otherwise the tool at this
    /// position in the list, which wraps around.
    fn host(&self, role: &str, place: usize) -> &str {
        if let Some(host) = self.policy.hosts.get(role) {
            return host;
        }
        let place = place.checked_rem(self.hosts.len()).unwrap_or_default();
        self.hosts
            .get(place)
            .map(String::as_str)
            .unwrap_or_default()
    }

    /// Stops the run after a failed step and records the reason, because its branch may lack tasks.
    fn stop_after_failure(&self, lease: &Lease, error: Failure) -> Failure {
        // If a person cancelled it, or another process has taken over the run, it is not stopped.
        if error.kind == FailureKind::Cancelled || lease.renew().is_err() {
            return error;
        }
        // If the store cannot be written, the first error is still the one to report.
        self.stop(&self.line(&error.message)).ok();
        let hint = error.hint.clone().unwrap_or_default();
        error.hint(hint.join("; then ", self.resume_hint()))
    }

    fn resume_hint(&self) -> Hint {
        Hint::new("resume it with ").quoted(format!("team run --resume {}", self.run))
    }

    /// Takes steps until none is left.
    async fn advance(&self, lease: &Lease, front: &mut dyn CallFront) -> Result<(), Failure> {
        loop {
            self.check_cancel()?;
            lease.renew()?;
            let run = self.read()?;
            let is_spent = run.max_tokens.is_some_and(|max| run.tokens >= max);
            if is_spent && !matches!(run.stage, RunStage::Done | RunStage::Stopped) {
                return self.stop("its token limit is reached");
            }
            match run.stage {
                RunStage::Planning => self.plan(&run, front).await?,
                RunStage::Debating if run.agreed => self
                    .team()
                    .begin_work(&self.actor, self.run)
                    .map_err(failure)?,
                RunStage::Debating => self.debate(&run, front).await?,
                RunStage::Working => {
                    if !self.work_round(front).await? {
                        return self.finish().await;
                    }
                }
                RunStage::Done | RunStage::Stopped => return Ok(()),
            }
        }
    }

    /// Takes one round over the tasks; returns `false` if nothing more can be done.
    async fn work_round(&self, front: &mut dyn CallFront) -> Result<bool, Failure> {
        if let Some(fetched) = self.make_tree().await? {
            front.note(&trees::describe_fetched(&fetched));
        }
        let run = self.read()?;
        // Merge first, so that tasks started now build on the merged changes.
        let mut has_done = false;
        for task in self.open_tasks(&run)? {
            // `Done` here means that the run was killed before it recorded the merge.
            if matches!(task.state, TaskState::Review | TaskState::Done) {
                has_done |= self.review_and_merge(&run, &task, front).await?;
                if self.read()?.stage != RunStage::Working {
                    return Ok(true);
                }
            }
        }
        if has_done {
            return Ok(true);
        }
        let mut ready = Vec::new();
        for task in self.open_tasks(&run)? {
            let why = self.team().why(task.id).map_err(failure)?;
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
        let ready = self.choose_to_start(&run, ready)?;
        if ready.is_empty() {
            return Ok(false);
        }
        for (task, part) in &ready {
            let (role, host) = (part.role, self.author_host(part));
            let title = clean_line(&task.title);
            let said = format!("{}: {host} is working as {role}: {title}", task.id);
            self.say(front, &said);
        }
        let turns = ready.iter().map(|(task, part)| self.work(task, part));
        let ended = futures_util::future::join_all(turns).await;
        for ((task, _), turn) in ready.iter().zip(ended) {
            let turn = turn?;
            for check in &turn.checks {
                self.say(front, &format!("{}: {check}", task.id));
            }
            self.say(front, &format!("{}: {}", task.id, turn.said));
        }
        self.check_cancel()?;
        Ok(true)
    }

    /// Reads the run's current state.
    fn read(&self) -> Result<RunDoc, Failure> {
        self.team().run(self.run).map_err(failure)
    }

    /// Reads the current state of the tasks that were not merged in `run`.
    fn open_tasks(&self, run: &RunDoc) -> Result<Vec<Task>, Failure> {
        let open = run.tasks.iter().filter(|it| it.merged.is_none());
        open.map(|it| self.team().task(it.task).map_err(failure))
            .collect()
    }

    /// Ends the run as done, or stops it with the reasons if tasks are left.
    async fn finish(&self) -> Result<(), Failure> {
        let open = self.open_tasks(&self.read()?)?;
        if open.is_empty() {
            return self
                .team()
                .end_run(&self.actor, self.run, RunStage::Done, None)
                .map_err(failure);
        }
        let mut asks = Vec::new();
        let mut words = Vec::new();
        for task in &open {
            match self.waits.ask(task) {
                Some(ask) => asks.push(ask),
                None => words.push(left_out::reason(&mut self.team(), task)?),
            }
        }
        if !words.is_empty() {
            asks.push(format!("not all tasks could be done: {}", words.join("; ")));
        }
        self.stop(&self.line(&asks.join("; ")))
    }

    fn stop(&self, why: &str) -> Result<(), Failure> {
        self.team()
            .end_run(&self.actor, self.run, RunStage::Stopped, Some(why))
            .map_err(failure)
    }

    fn report(&self) -> Result<TeamRunDoc, Failure> {
        let run = self.read()?;
        let tasks = run.tasks.clone();
        let unchecked = self.team().unchecked_tasks().map_err(failure)?;
        let defined = crate::gate::read(&self.location)?.gates;
        let report: Result<Vec<RunTaskReport>, Failure> = tasks
            .into_iter()
            .map(|it| {
                let task = self.team().task(it.task).map_err(failure)?;
                Ok(RunTaskReport {
                    role: TaskPart::of(&run, it.task)?.role.to_owned(),
                    task,
                    merged: it.merged,
                    unchecked: unchecked.contains(&it.task),
                })
            })
            .collect();
        Ok(TeamRunDoc {
            schema: TEAM_RUN_SCHEMA,
            branch: branch_of(self.run),
            nothing_executed: execution::nothing_executed(&run, &defined),
            report: report?,
            run,
        })
    }

    /// Returns the path of the run's work tree.
    fn tree(&self) -> Result<PathBuf, Failure> {
        Ok(trees::folder(self.caller, &self.location)?.join(self.run.to_string()))
    }

    /// Makes the run's work tree on its branch. An older branch with the same name does not belong
    /// to the run.
    async fn make_tree(&self) -> Result<Option<Fetched>, Failure> {
        let run = self.read()?;
        let (base, tree) = (run.base, self.tree()?);
        let is_new = !trees::is_whole(&self.location, &tree)
            && run.tasks.iter().all(|it| it.merged.is_none());
        if is_new && trees::has_branch(self.caller, &branch_of(self.run)).await? {
            let branch = format!("refs/heads/{}", branch_of(self.run));
            let head = run_git(self.caller, &self.caller.cwd, &["rev-parse", &branch]).await?;
            if head.trim() != base {
                return Err(branch_exists_failure(self.run));
            }
        }
        trees::make_and_unlock(self.caller, &tree, &branch_of(self.run), &base).await
    }

    /// Shortens a text to a line that the store accepts.
    fn line(&self, text: &str) -> String {
        let line = clean_line(text);
        let end = (0..=line.len().min(480))
            .rev()
            .find(|&at| line.is_char_boundary(at));
        line.get(..end.unwrap_or_default())
            .unwrap_or_default()
            .to_owned()
    }
}

fn branch_exists_failure(run: RunId) -> Failure {
    let message = format!("the branch {} already exists", branch_of(run));
    Failure::new(Code::BranchExists, message)
        .hint("rename it or delete it with `git branch -D`, then start the run again")
}

/// Returns the name of the member that works on a task of a run.
fn worker_member_name(run: RunId, task: TaskId) -> String {
    format!("{run}-{task}")
}

#[cfg(test)]
pub(crate) use self::debate::wanted;
#[cfg(test)]
pub(crate) use self::objections::statement_roles;
