//! One turn of a member: its tool runs, its signs are written down, and what it left is looked at.

mod beside;
mod ending;
mod output;
mod submission;
mod tool;
mod worker;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use agon_agents::profile::Access;
use agon_agents::{Environment, WorkOutcome};
use agon_caller::{Caller, Failure, FailureKind, orphans};
use agon_hosts::content::agent::Power;
use agon_install::team_files::TeamLayers;
use agon_install::team_roster::TeamRoster;
use agon_team::id::{MemberName, SessionId};
use agon_team::ladder::{ProcessSignal, SessionState};
use agon_team::policy::MemberSpending;
use agon_team::store::{
    Actor, MemberToken, SessionDoc, SessionEnding, Sighting, Team, TeamLocation, TurnTokens,
    TurnUsage,
};
use agon_team::task::Task;
use schemars::JsonSchema;
use serde::Serialize;
use tokio_util::sync::CancellationToken;

use self::beside::{Beside, trees_of_started};
use self::ending::judge_end;
use self::output::{clean, keep_output, last_chars};
use self::submission::{has_submitted, submit};
use self::tool::{effort_of, work};
pub(super) use self::worker::find_worker;
use super::door::{failure, open_at};
use super::git::open_objects;
use super::lease::this_process;
use super::lost::unjudged_since;
use super::permissions;
use super::prompt::{self, Briefing};
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
    /// The tokens that it took, in and out; null where its tool does not say.
    pub tokens: Option<u64>,
}

/// A turn to be carried out.
pub(super) struct TurnOrder<'a> {
    pub(super) session: SessionId,
    pub(super) token: &'a MemberToken,
    /// What is to be done besides the task, or in its place.
    pub(super) order: Option<&'a str>,
    /// Whether a change is submitted as that of its task.
    pub(super) submits: bool,
    /// Whether this process watches over it itself; else the watch does.
    pub(super) is_watched: bool,
}

/// What is said of a turn that a person broke off.
const STOPPED: &str = "it was stopped";
/// Characters of the last words that go into the document.
const MAX_REPLY_CHARS: usize = 200_000;

/// The team of a turn, which its watch and its signs write to while it runs.
type SharedTeam = Arc<Mutex<Team>>;

fn lock(team: &SharedTeam) -> MutexGuard<'_, Team> {
    team.lock().unwrap_or_else(PoisonError::into_inner)
}

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
    order: &TurnOrder<'_>,
    cancel: &CancellationToken,
) -> Result<TeamTurn, Failure> {
    let mut team = open_at(caller, location)?;
    let actor = team.authenticate(order.token).map_err(failure)?;
    let session = team.session(order.session).map_err(failure)?;
    if actor.name() != Some(&session.member) || session.closed {
        let message = format!("{} is no session of this member's", order.session);
        return Err(Failure::new(FailureKind::Usage, "not_member", message));
    }
    let runner = this_process();
    if team
        .session_runner(order.session)
        .map_err(failure)?
        .as_ref()
        != Some(&runner)
    {
        team.record_runner(order.session, &runner)
            .map_err(failure)?;
    }
    orphans::remove(&Environment::new(caller.vars_os.clone())).await;
    let span = TurnSpan::begin(caller, &mut team, order.session);
    let team = Arc::new(Mutex::new(team));
    let ran = run(caller, location, order, &session, &actor, &team, cancel).await;
    let turn = match ran {
        Ok(turn) => turn,
        Err(error) => lost(error.message),
    };
    if cancel.is_cancelled() && turn.state != SessionState::Finished {
        let mut team = lock(&team);
        team.stop_session(order.session, STOPPED).map_err(failure)?;
        span.end(&mut team, turn.state, turn.outside.len());
        return Ok(turn);
    }
    let ending = SessionEnding {
        is_complete: turn.state != SessionState::Dead,
        has_evidence: turn.state == SessionState::Finished,
        said: turn.said.clone(),
    };
    let mut team = lock(&team);
    team.end_session(order.session, &ending).map_err(failure)?;
    if turn.state != SessionState::Finished {
        // What it had is taken back at once; whether it is started again is the watch's to say.
        let seen = Sighting {
            process: ProcessSignal::Gone,
            tree: None,
        };
        team.judge_session(order.session, &seen).map_err(failure)?;
    }
    span.end(&mut team, turn.state, turn.outside.len());
    Ok(turn)
}

fn lost(said: String) -> TeamTurn {
    TeamTurn {
        state: SessionState::Dead,
        said,
        commit: None,
        reply: None,
        outside: Vec::new(),
        tokens: None,
    }
}

async fn run(
    caller: &Caller,
    location: &TeamLocation,
    order: &TurnOrder<'_>,
    session: &SessionDoc,
    actor: &Actor,
    team: &SharedTeam,
    cancel: &CancellationToken,
) -> Result<TeamTurn, Failure> {
    let tree = session.work_tree.as_ref().map(PathBuf::from);
    let tree = tree.ok_or_else(|| {
        let message = format!("{} has no work tree", session.session);
        Failure::new(FailureKind::Store, "store", message)
    })?;
    // The session has the tree to itself.
    trees::unlock(location, &tree);
    let (profile, worker) = find_worker(caller, &session.host)?;
    let roster = TeamRoster::read(caller, &TeamLayers::default())?;
    let role = role_of(team, &session.member)?;
    let (role, settings) = roster.role(&role)?;
    let access = match settings.may.value.contains(&Power::Edit) {
        true => Access::Writes,
        false => Access::Reads,
    };
    let task = session.task.map(|task| lock(team).task(task)).transpose();
    let task = task.map_err(failure)?;
    let handover = handover(team, session)?;
    let onset = profile.context_degradation(session.model.as_deref()).onset;
    let prompt = prompt::write(
        caller,
        &Briefing {
            member: &session.member,
            role,
            host: &session.host,
            may_write: access == Access::Writes,
            task: task.as_ref(),
            order: order.order,
            handover: handover.as_deref(),
            onset,
            session: session.session,
        },
    )?;
    if worker.follows_links()
        && let Some(link) = trees::find_way_out(caller, &tree).await?
    {
        let message = format!(
            "{} follows links, and {link} leads out of the work tree",
            profile.title
        );
        return Err(Failure::new(FailureKind::Usage, "cannot_work", message));
    }
    let Some(of_role) = actor.role() else {
        let message = format!("{} is not the session of a member", session.session);
        return Err(Failure::new(FailureKind::Usage, "not_member", message));
    };
    let member = permissions::MemberSession {
        host: &session.host,
        role: of_role,
        tree: &tree,
        may_edit: access == Access::Writes,
        spent: MemberSpending::default(),
    };
    let policy = permissions::for_member(caller, location, &member);
    let beside = Beside::look(caller, location, &tree).await?;
    let base = match &session.base {
        Some(base) => base.clone(),
        None => trees::head(caller, &tree).await?,
    };
    // What the member finds there is not its own; later it may say so of anything.
    let merging = trees::merging(caller, &tree).await;
    let outcome = work(
        caller,
        &worker,
        &prompt,
        access,
        policy.as_ref(),
        &tree,
        order,
        session,
        effort_of(settings.effort.value),
        team,
        cancel,
    )
    .await?;
    record_usage(team, session.session, &outcome);
    keep_output(session, &outcome, order.token);
    let outside = beside
        .written_since(caller, location, team, session)
        .await?;
    let said_by = |text: &str| clean(text, order.token);
    let reply = outcome.reply.as_ref().ok().map(|text| said_by(text));
    let tokens = outcome
        .usage
        .map(|usage| usage.input.saturating_add(usage.output));
    let mut turn = TeamTurn {
        // Verdicts and plans stand at the end.
        reply: reply.map(|text| last_chars(&text, MAX_REPLY_CHARS)),
        outside,
        tokens,
        ..lost(String::new())
    };
    let since = unjudged_since(&mut lock(team), session)?;
    let since = since.unwrap_or_else(|| base.clone());
    // Whatever it came to: no git is to look at the tree before this.
    if let Err(error) = check_tree(caller, &tree, &since).await {
        turn.said = error.message;
        return Ok(turn);
    }
    if let Err(why) = &outcome.reply
        && !why.is_empty_success
    {
        turn.said = said_by(&why.said);
        return Ok(turn);
    }
    if access == Access::Writes {
        let merging = merging.as_deref();
        let changed = trees::changed_paths(caller, &tree, &since, merging).await?;
        let links = changed.iter().filter(|it| it.is_gitlink);
        if let Some(said) = permissions::refused_gitlink(caller, location, &member, links) {
            turn.said = said;
            return Ok(turn);
        }
        let changed: Vec<String> = changed.into_iter().map(|it| it.path).collect();
        // A run sends it back to its author with a word.
        if !order.is_watched
            && let Some(said) = permissions::refused_change(caller, location, &member, &changed)
        {
            turn.said = said;
            return Ok(turn);
        }
        let message = commit_message(task.as_ref(), session);
        let branch = trees::branch_of(&session.member);
        trees::commit(caller, &tree, &branch, &session.member, &message).await?;
        let head = trees::head(caller, &tree).await?;
        turn.commit = (head != base).then_some(head);
    }
    let has_submitted = session
        .task
        .map(|task| has_submitted(team, task, &session.member));
    let has_submitted = has_submitted.transpose()?.unwrap_or_default();
    let has_evidence = match access {
        Access::Writes => turn.commit.is_some() || has_submitted,
        Access::Reads => turn
            .reply
            .as_ref()
            .is_some_and(|text| !text.trim().is_empty()),
    };
    let of_started = trees_of_started(team, &session.member)?;
    (turn.state, turn.said) = judge_end(has_evidence, &turn.outside, &of_started);
    if let (true, true, Some(commit), Some(task)) = (
        order.submits,
        turn.state == SessionState::Finished,
        &turn.commit,
        session.task,
    ) {
        match submit(caller, team, actor, task, &tree, commit).await {
            Ok(true) => {}
            Ok(false) => {
                turn.state = SessionState::Dead;
                turn.said = format!("its work is in {commit}, but it holds {task} no longer");
            }
            Err(error) => {
                turn.state = SessionState::Dead;
                turn.said = format!("its work could not be submitted: {}", error.message);
            }
        }
    }
    Ok(turn)
}

/// Refuses a work tree whose `.git` leads elsewhere by now, or that has repositories which the commit
/// that the turn began at has not.
async fn check_tree(caller: &Caller, tree: &Path, base: &str) -> Result<(), Failure> {
    let session = open_objects(caller, tree)?;
    trees::refuse_repositories(&session, base).await
}

/// Writes down what a turn took, as far as its tool says; that it cannot be written costs no work.
fn record_usage(team: &SharedTeam, session: SessionId, outcome: &WorkOutcome) {
    let usage = TurnUsage {
        took_ms: u64::try_from(outcome.took.as_millis()).unwrap_or(u64::MAX),
        tokens: outcome.usage.map(|usage| TurnTokens {
            input: usage.input,
            cached: usage.cached,
            output: usage.output,
            estimated: usage.estimated,
        }),
        cost_micros: outcome.usage.and_then(|usage| usage.cost_micros),
    };
    lock(team).record_usage(session, &usage).ok();
}

fn role_of(team: &SharedTeam, member: &MemberName) -> Result<String, Failure> {
    let members = lock(team).members().map_err(failure)?;
    let found = members.into_iter().find(|it| it.name == *member);
    Ok(found.map(|it| it.role.to_string()).unwrap_or_default())
}

/// What the session before this one left, where this one takes its place.
fn handover(team: &SharedTeam, session: &SessionDoc) -> Result<Option<String>, Failure> {
    if session.restarts == 0 {
        return Ok(None);
    }
    let sessions = lock(team).sessions().map_err(failure)?;
    let before = sessions
        .into_iter()
        .rfind(|it| it.member == session.member && it.session < session.session);
    Ok(before.map(|it| {
        let how = it
            .ending
            .map_or_else(|| it.evidence.join("; "), |ending| ending.said);
        format!("GitSession {} was lost: {how}", it.session)
    }))
}

fn commit_message(task: Option<&Task>, session: &SessionDoc) -> String {
    match task {
        Some(task) => format!("{}\n\nTask {} by {}.", task.title, task.id, session.member),
        None => format!("Work of {} in session {}", session.member, session.session),
    }
}
