//! Runs one turn of a member: runs its tool, records its signs of life, and checks what it left.

mod broken_locks;
mod budget;
mod check_list;
mod checks;
mod ending;
mod other_trees;
mod output;
mod setup;
mod submission;
mod tool;
mod usage;
mod worker;

use std::path::{Path, PathBuf};
use std::sync::{Arc, MutexGuard};

use agon_agents::profile::Access;
use agon_agents::{Environment, WorkOutcome};
use agon_caller::{Caller, Code, Failure, orphans};
use agon_prompt::team::{Order, repair_order};
use agon_team::id::{RunId, SessionId};
use agon_team::ladder::{ProcessSignal, SessionState};
use agon_team::store::{
    Actor, MemberToken, Observation, SessionDoc, SessionEnding, Team, TeamLocation, TurnUsage,
};
use agon_team::task::Task;
use schemars::JsonSchema;
use serde::Serialize;
use tokio_util::sync::CancellationToken;

use self::budget::{counted, excess_reason};
pub use self::checks::TeamCheck;
use self::ending::judge_end;
use self::other_trees::started_members_trees;
use self::output::{clean, last_chars, store_output};
use self::setup::TurnSetup;
use self::submission::{has_submitted, submit};
use self::usage::{add, usage_of};
pub(super) use self::worker::{find_worker, hosts_that_follow_links};
use super::broken_locks::BrokenLock;
use super::git::open_objects;
use super::lease::this_process;
use super::lost_sessions::unjudged_base;
use super::open_team::{SharedTeam, failure, lock};
use super::permissions;
use super::spans::TurnSpan;
use super::trees;

/// The result of a turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TeamTurn {
    /// How it ended: `finished`, `failed_empty` or `dead`.
    pub state: SessionState,
    /// How it ended, in one line.
    pub said: String,
    /// The commit that it made; null if it changed nothing.
    pub commit: Option<String>,
    /// The model's last reply, without secrets; at most its last 200,000 characters.
    pub reply: Option<String>,
    /// Work trees that were written during the turn although no other started member was working in
    /// them. The main tree and the trees of members who joined by hand do not count against the
    /// turn.
    pub outside: Vec<PathBuf>,
    /// Other members' locks on files that it changed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub broken_locks: Vec<BrokenLock>,
    /// The tokens that it used, in and out; null if its tool does not report them.
    pub tokens: Option<u64>,
    /// The checks that Agon ran in its work tree before submitting the change, in order.
    pub checks: Vec<TeamCheck>,
    /// Why its member does not get another turn on the task; `None` within the role's budget.
    #[serde(skip)]
    over_budget: Option<String>,
}

impl TeamTurn {
    /// Combines the turn with a further run of its tool.
    fn repaired(self, next: Self) -> Self {
        let mut outside = self.outside;
        outside.extend(next.outside);
        outside.sort();
        outside.dedup();
        let tokens = [self.tokens, next.tokens];
        Self {
            outside,
            tokens: tokens.into_iter().flatten().reduce(u64::saturating_add),
            reply: next.reply.or(self.reply),
            ..next
        }
    }
}

/// A turn to run.
pub(super) struct TurnOrder<'a> {
    pub(super) session: SessionId,
    pub(super) token: &'a MemberToken,
    /// The order besides the task, or instead of it.
    pub(super) order: Option<&'a Order>,
    /// Whether its change is submitted for its task.
    pub(super) submits: bool,
    /// Whether this process watches the turn itself; otherwise `agon team watch` does.
    pub(super) is_watched: bool,
    /// The run that it belongs to, whose token limit applies.
    pub(super) run: Option<RunId>,
}

/// The description of a turn that a person stopped.
const STOPPED: &str = "it was stopped";
/// Maximum number of characters of the last reply in the document.
const MAX_REPLY_CHARS: usize = 200_000;
/// How often a member may repair its change after a failed check.
pub(super) const MAX_REPAIRS: u32 = 2;

/// Runs a turn: from the prompt to the end of its process, the check of what it left, and the
/// record in the store.
///
/// # Errors
///
/// Fails if the session is not the member's, or the store cannot be written. A tool's failure is
/// reported in the turn.
pub(super) async fn run_turn(
    caller: &Caller,
    location: &TeamLocation,
    team: &SharedTeam,
    order: &TurnOrder<'_>,
    cancel: &CancellationToken,
) -> Result<TeamTurn, Failure> {
    let actor = lock(team).authenticate(order.token).map_err(failure)?;
    let session = session_of(&mut lock(team), &actor, order.session)?;
    orphans::remove(&Environment::new(caller.vars_os.clone())).await;
    let span = TurnSpan::begin(caller, &mut lock(team), order.session);
    let running = RunningTurn {
        caller,
        location,
        order,
        cancel,
        session,
        actor,
        team: Arc::clone(team),
    };
    let ran = running.run().await;
    let turn = ran.unwrap_or_else(|error| dead_turn(error.message));
    running.give_up_over_budget(&turn)?;
    running.record_end(&turn)?;
    span.end(&mut running.team(), turn.state, turn.outside.len());
    Ok(turn)
}

/// Returns the open session of `actor`, and records that this process runs it.
fn session_of(team: &mut Team, actor: &Actor, id: SessionId) -> Result<SessionDoc, Failure> {
    let session = team.session(id).map_err(failure)?;
    if actor.name() != Some(&session.member) || session.closed {
        let message = format!("the session {id} does not belong to this member, or is closed");
        return Err(Failure::new(Code::NotMember, message));
    }
    let runner = this_process();
    if team.session_runner(id).map_err(failure)?.as_ref() != Some(&runner) {
        team.record_runner(id, &runner).map_err(failure)?;
    }
    Ok(session)
}

/// A turn while it runs.
struct RunningTurn<'a> {
    caller: &'a Caller,
    location: &'a TeamLocation,
    order: &'a TurnOrder<'a>,
    cancel: &'a CancellationToken,
    session: SessionDoc,
    actor: Actor,
    team: SharedTeam,
}

impl RunningTurn<'_> {
    fn team(&self) -> MutexGuard<'_, Team> {
        lock(&self.team)
    }

    /// Runs the turn: runs its tool and then the checks of its task. The member may repair failed
    /// checks a few times. Then the change is submitted.
    async fn run(&self) -> Result<TeamTurn, Failure> {
        if let Some(why) = self.budget_refusal()? {
            return Ok(TeamTurn {
                over_budget: Some(why.clone()),
                ..dead_turn(why)
            });
        }
        let mut setup = self.set_up().await?;
        let mut taken = TurnUsage::default();
        let mut turn = self.run_tool(&setup, &mut taken).await?;
        let mut checks = Vec::new();
        for repair in 1..=MAX_REPAIRS + 1 {
            if !self.is_checked(&turn)? {
                break;
            }
            let Some(failed) = self.run_checks(&setup, &mut checks).await? else {
                break;
            };
            let is_over = counted(&taken) > setup.budget;
            if repair > MAX_REPAIRS || is_over || self.is_token_limit_reached(&turn)? {
                break;
            }
            let salt = format!("repair {} {repair}", self.session.session);
            let order = repair_order(&salt, &failed.check, &failed.outcome, &failed.output);
            self.set_up_repair(&mut setup, &order).await?;
            let next = self.run_tool(&setup, &mut taken).await?;
            let is_same = next.commit == turn.commit;
            turn = turn.repaired(next);
            if let Some(check) = checks.last_mut() {
                check.repairs = repair;
            }
            // The repair changed nothing, so the check would fail again.
            if is_same {
                break;
            }
        }
        self.report_broken_locks(&setup, &mut turn).await?;
        turn.checks = checks;
        turn.over_budget = excess_reason(&taken, &setup.role, setup.budget);
        self.submit(&setup, &mut turn).await;
        Ok(turn)
    }

    /// Runs the tool until it ends, and commits and judges what it left.
    async fn run_tool(
        &self,
        setup: &TurnSetup,
        taken: &mut TurnUsage,
    ) -> Result<TeamTurn, Failure> {
        let outcome = self.work(setup, counted(taken)).await?;
        *taken = add(taken, &usage_of(&outcome));
        // Ignore an error: a failure to record usage must not lose the member's work.
        self.team().record_usage(self.session.session, taken).ok();
        store_output(&self.session, &outcome, self.order.token);
        let mut turn = self.collect_result(setup, &outcome).await?;
        let since = unjudged_base(&mut self.team(), &self.session)?;
        let since = since.unwrap_or_else(|| setup.base.clone());
        // Check the tree after every outcome, before git reads it.
        if let Err(error) = check_tree(self.caller, &setup.tree, &since).await {
            turn.said = error.message;
            return Ok(turn);
        }
        if let Err(why) = &outcome.reply
            && !why.is_empty_success
        {
            turn.said = clean(&why.said, self.order.token);
            return Ok(turn);
        }
        if setup.may_write() {
            if let Some(said) = self.refuse_change(setup, &since).await? {
                turn.said = said;
                return Ok(turn);
            }
            turn.commit = self.commit(setup).await?;
        }
        self.judge(setup, &mut turn)?;
        Ok(turn)
    }

    /// Collects the tool's reply and usage, and the other work trees written meanwhile.
    async fn collect_result(
        &self,
        setup: &TurnSetup,
        outcome: &WorkOutcome,
    ) -> Result<TeamTurn, Failure> {
        let other_trees = &setup.other_trees;
        let written =
            other_trees.trees_written_since(self.caller, self.location, &self.team, &self.session);
        let outside = written.await?;
        let reply = outcome.reply.as_ref().ok();
        let reply = reply.map(|text| clean(text, self.order.token));
        let tokens = outcome
            .usage
            .map(|usage| usage.input.saturating_add(usage.output));
        Ok(TeamTurn {
            // Keep the end of the reply, which contains the verdict or plan.
            reply: reply.map(|text| last_chars(&text, MAX_REPLY_CHARS)),
            outside,
            tokens,
            ..dead_turn(String::new())
        })
    }

    /// Returns why the changes since a commit may not be committed, or `None` if they may.
    async fn refuse_change(
        &self,
        setup: &TurnSetup,
        since: &str,
    ) -> Result<Option<String>, Failure> {
        let (caller, location) = (self.caller, self.location);
        let merging = setup.merging.as_deref();
        let changed = trees::changed_paths(caller, &setup.tree, since, merging).await?;
        let member = self.member(setup);
        let links = changed.iter().filter(|it| it.is_gitlink);
        let refused = permissions::find_denied_submodule(caller, location, &member, links);
        // A run checks the other changes itself and sends them back to their author.
        if refused.is_some() || self.order.is_watched {
            return Ok(refused);
        }
        let changed: Vec<String> = changed.into_iter().map(|it| it.path).collect();
        Ok(permissions::find_denied_change(
            caller, location, &member, &changed,
        ))
    }

    /// Commits what the member left; returns `None` if it changed nothing.
    async fn commit(&self, setup: &TurnSetup) -> Result<Option<String>, Failure> {
        let member = &self.session.member;
        let message = commit_message(setup.task.as_ref(), &self.session);
        let branch = trees::branch_of(member);
        trees::commit(self.caller, &setup.tree, &branch, member, &message).await?;
        let head = trees::head(self.caller, &setup.tree).await?;
        Ok((head != setup.base).then_some(head))
    }

    /// Decides how the turn ended, from its changes and the log written meanwhile.
    fn judge(&self, setup: &TurnSetup, turn: &mut TeamTurn) -> Result<(), Failure> {
        let member = &self.session.member;
        let submitted = self
            .session
            .task
            .map(|task| has_submitted(&self.team, task, member));
        let has_submitted = submitted.transpose()?.unwrap_or_default();
        let has_evidence = match setup.access {
            Access::Writes => turn.commit.is_some() || has_submitted,
            Access::Reads => turn
                .reply
                .as_ref()
                .is_some_and(|text| !text.trim().is_empty()),
        };
        let of_started = started_members_trees(&self.team, member)?;
        (turn.state, turn.said) = judge_end(has_evidence, &turn.outside, &of_started);
        Ok(())
    }

    /// Submits the commit of a turn that finished, if the order says so.
    async fn submit(&self, setup: &TurnSetup, turn: &mut TeamTurn) {
        let (Some(commit), Some(task)) = (&turn.commit, self.session.task) else {
            return;
        };
        if !self.order.submits || turn.state != SessionState::Finished {
            return;
        }
        let tree = &setup.tree;
        let submitted = submit(self.caller, &self.team, &self.actor, task, tree, commit).await;
        turn.said = match submitted {
            Ok(true) => return,
            Ok(false) => format!("its work is in {commit}, but it no longer holds {task}"),
            Err(error) => format!("its work could not be submitted: {}", error.message),
        };
        turn.state = SessionState::Dead;
    }

    /// Records how the session ended.
    fn record_end(&self, turn: &TeamTurn) -> Result<(), Failure> {
        let mut team = self.team();
        let (id, is_finished) = (self.session.session, turn.state == SessionState::Finished);
        if self.cancel.is_cancelled() && !is_finished {
            team.stop_session(id, STOPPED).map_err(failure)?;
            return Ok(());
        }
        let ending = SessionEnding {
            is_complete: turn.state != SessionState::Dead,
            has_evidence: is_finished,
            said: turn.said.clone(),
        };
        team.end_session(id, &ending).map_err(failure)?;
        if !is_finished {
            // Judge the session now, so that its task and locks are released at once; the watch
            // decides about a restart.
            let seen = Observation {
                process: ProcessSignal::Gone,
                tree: None,
            };
            team.judge_session(id, &seen).map_err(failure)?;
        }
        Ok(())
    }
}

fn dead_turn(said: String) -> TeamTurn {
    TeamTurn {
        state: SessionState::Dead,
        said,
        commit: None,
        reply: None,
        outside: Vec::new(),
        broken_locks: Vec::new(),
        tokens: None,
        checks: Vec::new(),
        over_budget: None,
    }
}

/// Refuses a work tree whose `.git` points elsewhere now, or that contains nested repositories
/// which the turn's first commit does not have.
async fn check_tree(caller: &Caller, tree: &Path, base: &str) -> Result<(), Failure> {
    let session = open_objects(caller, tree)?;
    trees::refuse_repositories(&session, base).await
}

fn commit_message(task: Option<&Task>, session: &SessionDoc) -> String {
    match task {
        Some(task) => format!("{}\n\nTask {} by {}.", task.title, task.id, session.member),
        None => format!("Work of {} in session {}", session.member, session.session),
    }
}
