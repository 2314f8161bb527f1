//! One turn of a member: its tool runs, its signs are written down, and what it left is looked at.

mod beside;
mod broken;
mod budget;
mod check_list;
mod checks;
mod ending;
mod output;
mod setup;
mod submission;
mod taken;
mod tool;
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
    Actor, MemberToken, SessionDoc, SessionEnding, Sighting, Team, TeamLocation, TurnUsage,
};
use agon_team::task::Task;
use schemars::JsonSchema;
use serde::Serialize;
use tokio_util::sync::CancellationToken;

use self::beside::trees_of_started;
use self::budget::{counted, why_over};
pub use self::checks::TeamCheck;
use self::ending::judge_end;
use self::output::{clean, keep_output, last_chars};
use self::setup::TurnSetup;
use self::submission::{has_submitted, submit};
use self::taken::{add, usage_of};
pub(super) use self::worker::{find_worker, hosts_that_follow_links};
use super::broken::BrokenLock;
use super::door::{SharedTeam, failure, lock};
use super::git::open_objects;
use super::lease::this_process;
use super::lost::unjudged_since;
use super::permissions;
use super::spans::TurnSpan;
use super::trees;

/// What became of a turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TeamTurn {
    /// How it ended: `finished`, `failed_empty` or `dead`.
    pub state: SessionState,
    /// How, in a line.
    pub said: String,
    /// The commit that it left; null where it changed nothing.
    pub commit: Option<String>,
    /// What its model said in the end, without secrets; the last 200,000 characters.
    pub reply: Option<String>,
    /// Work trees that were written while it ran, and that no other member whom Agon started was at
    /// work in. The main one, and those of members who joined, say nothing against it.
    pub outside: Vec<PathBuf>,
    /// Locks of other members on what it changed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub broken_locks: Vec<BrokenLock>,
    /// The tokens that it took, in and out; null where its tool does not say.
    pub tokens: Option<u64>,
    /// The checks that Agon ran in its work tree before the change was submitted, in order.
    pub checks: Vec<TeamCheck>,
    /// Why its member gets no further turn on the task; none where the budget of its role holds.
    #[serde(skip)]
    over_budget: Option<String>,
}

impl TeamTurn {
    /// The turn with what a further run of its tool came to.
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

/// A turn to be carried out.
pub(super) struct TurnOrder<'a> {
    pub(super) session: SessionId,
    pub(super) token: &'a MemberToken,
    /// What is to be done besides the task, or in its place.
    pub(super) order: Option<&'a Order>,
    /// Whether a change is submitted as that of its task.
    pub(super) submits: bool,
    /// Whether this process watches over it itself; else the watch does.
    pub(super) is_watched: bool,
    /// The run that it is of, whose bound of tokens it keeps.
    pub(super) run: Option<RunId>,
}

/// What is said of a turn that a person broke off.
const STOPPED: &str = "it was stopped";
/// Characters of the last words that go into the document.
const MAX_REPLY_CHARS: usize = 200_000;
/// How often a member is shown what a check of its change printed, to repair it.
pub(super) const MAX_REPAIRS: u32 = 2;

/// Carries a turn out: from the prompt to the end of its process, what it left, and the word in the
/// store.
///
/// # Errors
///
/// If the session is not the member's, or the store cannot be written. A tool that fails is
/// told in the turn.
pub(super) async fn carry_out(
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
    let turn = ran.unwrap_or_else(|error| lost(error.message));
    running.give_up_spent(&turn)?;
    running.record_end(&turn)?;
    span.end(&mut running.team(), turn.state, turn.outside.len());
    Ok(turn)
}

/// The session of `actor` that is open, with this process written down as the one that runs it.
fn session_of(team: &mut Team, actor: &Actor, id: SessionId) -> Result<SessionDoc, Failure> {
    let session = team.session(id).map_err(failure)?;
    if actor.name() != Some(&session.member) || session.closed {
        let message = format!("{id} is no session of this member's");
        return Err(Failure::new(Code::NotMember, message));
    }
    let runner = this_process();
    if team.session_runner(id).map_err(failure)?.as_ref() != Some(&runner) {
        team.record_runner(id, &runner).map_err(failure)?;
    }
    Ok(session)
}

/// What a turn holds while it runs.
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

    /// Carries the turn out: its tool runs, the checks of its task run on what it left, and what they
    /// find goes back to it a few times. Then the change is submitted.
    async fn run(&self) -> Result<TeamTurn, Failure> {
        if let Some(why) = self.why_spent()? {
            return Ok(TeamTurn {
                over_budget: Some(why.clone()),
                ..lost(why)
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
            if repair > MAX_REPAIRS || is_over || self.is_spent(&turn)? {
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
            // The same tree fails the same check.
            if is_same {
                break;
            }
        }
        self.report_broken_locks(&setup, &mut turn).await?;
        turn.checks = checks;
        turn.over_budget = why_over(&taken, &setup.role, setup.budget);
        self.submit(&setup, &mut turn).await;
        Ok(turn)
    }

    /// Runs the tool until it ended and what it left is committed and judged.
    async fn run_tool(
        &self,
        setup: &TurnSetup,
        taken: &mut TurnUsage,
    ) -> Result<TeamTurn, Failure> {
        let outcome = self.work(setup, counted(taken)).await?;
        *taken = add(taken, &usage_of(&outcome));
        // That it cannot be written costs no work.
        self.team().record_usage(self.session.session, taken).ok();
        keep_output(&self.session, &outcome, self.order.token);
        let mut turn = self.look_at(setup, &outcome).await?;
        let since = unjudged_since(&mut self.team(), &self.session)?;
        let since = since.unwrap_or_else(|| setup.base.clone());
        // Whatever it came to: no git is to look at the tree before this.
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

    /// What the tool said, what it took and what was written meanwhile.
    async fn look_at(&self, setup: &TurnSetup, outcome: &WorkOutcome) -> Result<TeamTurn, Failure> {
        let beside = &setup.beside;
        let written = beside.written_since(self.caller, self.location, &self.team, &self.session);
        let outside = written.await?;
        let reply = outcome.reply.as_ref().ok();
        let reply = reply.map(|text| clean(text, self.order.token));
        let tokens = outcome
            .usage
            .map(|usage| usage.input.saturating_add(usage.output));
        Ok(TeamTurn {
            // Verdicts and plans stand at the end.
            reply: reply.map(|text| last_chars(&text, MAX_REPLY_CHARS)),
            outside,
            tokens,
            ..lost(String::new())
        })
    }

    /// Why the changes since a commit may not be committed, if they may not.
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
        let refused = permissions::refused_gitlink(caller, location, &member, links);
        // A run sends it back to its author with a word.
        if refused.is_some() || self.order.is_watched {
            return Ok(refused);
        }
        let changed: Vec<String> = changed.into_iter().map(|it| it.path).collect();
        Ok(permissions::refused_change(
            caller, location, &member, &changed,
        ))
    }

    /// Commits what the member left; none where it changed nothing.
    async fn commit(&self, setup: &TurnSetup) -> Result<Option<String>, Failure> {
        let member = &self.session.member;
        let message = commit_message(setup.task.as_ref(), &self.session);
        let branch = trees::branch_of(member);
        trees::commit(self.caller, &setup.tree, &branch, member, &message).await?;
        let head = trees::head(self.caller, &setup.tree).await?;
        Ok((head != setup.base).then_some(head))
    }

    /// Says how the turn ended, by what it left and what was written meanwhile.
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
        let of_started = trees_of_started(&self.team, member)?;
        (turn.state, turn.said) = judge_end(has_evidence, &turn.outside, &of_started);
        Ok(())
    }

    /// Submits the commit of a turn that finished, where that is ordered.
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
            Ok(false) => format!("its work is in {commit}, but it holds {task} no longer"),
            Err(error) => format!("its work could not be submitted: {}", error.message),
        };
        turn.state = SessionState::Dead;
    }

    /// Writes down how the session ended.
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
            // What it had is taken back at once; whether it is started again is the watch's to say.
            let seen = Sighting {
                process: ProcessSignal::Gone,
                tree: None,
            };
            team.judge_session(id, &seen).map_err(failure)?;
        }
        Ok(())
    }
}

fn lost(said: String) -> TeamTurn {
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

/// Refuses a work tree whose `.git` leads elsewhere by now, or that has repositories which the commit
/// that the turn began at has not.
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
