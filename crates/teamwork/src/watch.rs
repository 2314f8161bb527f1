//! The watch: looks at every session, judges it by its signals, and does what is to be done.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use agon_caller::depth::refuse_nested;
use agon_caller::{Caller, Failure};
use agon_proc::{Group, Survivor, end_survivor, is_leader_running};
use agon_team::id::{MemberName, RunId, SessionId};
use agon_team::ladder::{ProcessSignal, Rung, SessionState};
use agon_team::store::{
    Judged, NewSession, SessionDoc, SessionProcess, Sighting, Team, TeamLocation,
};
use agon_team::task::TaskState;
use schemars::JsonSchema;
use serde::Serialize;
use tokio_util::sync::CancellationToken;

use super::door::{failure, open, open_at, share};
use super::lease::{Lease, is_gone};
use super::member::lead;
use super::start::{Prepared, begin, begin_in_background};
use super::trees;

/// The name and version of the document of what the watch saw.
pub const TEAM_WATCH_SCHEMA: &str = "agon.team_watch/1";

/// How often its lease is made longer; it lasts much longer than that.
const RENEW_INTERVAL: Duration = Duration::from_secs(60 * 60);

/// What the watch saw and did in one round: `agon.team_watch/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TeamWatchDoc {
    #[schemars(extend("const" = TEAM_WATCH_SCHEMA))]
    schema: &'static str,
    /// The sessions that something is done about, the earliest first.
    pub sessions: Vec<WatchedSession>,
}

/// A session, as the watch judged it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct WatchedSession {
    /// Its number.
    pub session: SessionId,
    /// Whose it is.
    pub member: MemberName,
    /// How it is.
    pub state: SessionState,
    /// What says so.
    pub evidence: Vec<String>,
    /// Whether its state is another than before.
    pub changed: bool,
    /// What was done about it now.
    pub step: Rung,
    /// What came of ending or starting a process, in a line; null where neither was done.
    pub outcome: Option<String>,
}

/// Watches over the sessions of the caller's team: one round, or until it is cancelled. `see` gets
/// each round.
///
/// # Errors
///
/// If another process watches, the caller may not, or the store cannot be written.
pub async fn watch(
    caller: &Caller,
    once: bool,
    see: &mut dyn FnMut(&TeamWatchDoc) -> Result<(), Failure>,
    cancel: &CancellationToken,
) -> Result<(), Failure> {
    refuse_nested(caller)?;
    let (mut team, location) = open(caller)?;
    lead(caller, &team, &location, "watch over the members")?;
    let interval = Duration::from_millis(team.limits().watch_ms.max(1));
    let lease = Lease::take(share(open_at(caller, &location)?), "watch")?;
    let mut renewed = Instant::now();
    loop {
        if renewed.elapsed() >= RENEW_INTERVAL {
            lease.renew()?;
            renewed = Instant::now();
        }
        let round = look(caller, &mut team, &location).await?;
        see(&round)?;
        if once {
            break;
        }
        tokio::select! {
            () = cancel.cancelled() => break,
            () = tokio::time::sleep(interval) => {}
        }
    }
    Ok(())
}

/// One round.
pub(super) async fn look(
    caller: &Caller,
    team: &mut Team,
    location: &TeamLocation,
) -> Result<TeamWatchDoc, Failure> {
    let open: Vec<SessionDoc> = team
        .sessions()
        .map_err(failure)?
        .into_iter()
        .filter(|session| !session.closed)
        .collect();
    let mut sessions = Vec::new();
    for session in open {
        let process = team.session_process(session.session).map_err(failure)?;
        let runner = team.session_runner(session.session).map_err(failure)?;
        let seen = Sighting {
            process: process_signal(process.as_ref(), runner.as_deref()),
            tree: match &session.work_tree {
                Some(tree) => trees::look(caller, &PathBuf::from(tree)).await,
                None => None,
            },
        };
        let judged = team
            .judge_session(session.session, &seen)
            .map_err(failure)?;
        // That one session cannot be started again is told, and the others are looked at all the same.
        let outcome = match carry_out(caller, location, &judged).await {
            Ok(outcome) => outcome,
            Err(error) => Some(format!("not started again: {}", error.message)),
        };
        sessions.push(WatchedSession {
            session: judged.session.session,
            member: judged.session.member,
            state: judged.session.state,
            evidence: judged.session.evidence,
            changed: judged.has_changed,
            step: judged.rung,
            outcome,
        });
    }
    Ok(TeamWatchDoc {
        schema: TEAM_WATCH_SCHEMA,
        sessions,
    })
}

/// Whether the processes that Agon wrote down are there: a number alone says nothing. As long as the
/// one is there that carries the turn out, it is that one's to say how the tool ended.
fn process_signal(process: Option<&SessionProcess>, runner: Option<&str>) -> ProcessSignal {
    let is_running = process.map(|process| is_leader_running(&group_of(process)));
    match (is_running, runner.map(is_gone)) {
        (Some(true), _) | (_, Some(false)) => ProcessSignal::Alive,
        (None, None) => ProcessSignal::Unknown,
        (Some(false), _) | (None, Some(true)) => ProcessSignal::Gone,
    }
}

pub(super) fn group_of(process: &SessionProcess) -> Group {
    Group {
        pgid: process.pgid,
        leader_start: process.leader_start,
        boot: process.boot.clone(),
        mark: process.mark.clone(),
    }
}

/// Does of a step what the store cannot: ends our own processes, and starts a session again.
async fn carry_out(
    caller: &Caller,
    location: &TeamLocation,
    judged: &Judged,
) -> Result<Option<String>, Failure> {
    match judged.rung {
        Rung::Terminate => Ok(Some(end(judged.process.clone()).await)),
        // Nothing of the session before may go on beside the next: it is ended here too, should an
        // earlier watch have been killed before it could.
        Rung::Restart => {
            end(judged.process.clone()).await;
            restart(caller, location, &judged.session).map(Some)
        }
        Rung::Fail | Rung::ReplaceLead => {
            end(judged.process.clone()).await;
            Ok(None)
        }
        Rung::None | Rung::Notice | Rung::Nudge | Rung::Revoke => Ok(None),
    }
}

/// Ends a process group that Agon started, if it still is that one.
async fn end(process: Option<SessionProcess>) -> String {
    let Some(process) = process else {
        return "it has no process".to_owned();
    };
    let ended = tokio::task::spawn_blocking(move || end_survivor(&group_of(&process))).await;
    let words = match ended {
        Ok(Survivor::Gone) => "nothing of it was running",
        Ok(Survivor::Ended) => "its processes were ended",
        Ok(Survivor::Reused) => "its number is another's by now, which was left alone",
        Ok(Survivor::Stuck) | Err(_) => "its processes could not be ended",
    };
    words.to_owned()
}

/// Whether a member's name is that of one of a run, such as `r1-reviewer`: what it is to do is known
/// there alone.
fn is_of_run(name: &MemberName) -> bool {
    let run = name.as_str().split_once('-').map(|(run, _)| run);
    run.is_some_and(|run| run.parse::<RunId>().is_ok())
}

/// Starts a session again, in the same work tree, where its task is still to be had.
fn restart(
    caller: &Caller,
    location: &TeamLocation,
    before: &SessionDoc,
) -> Result<String, Failure> {
    let mut team = open_at(caller, location)?;
    if before.task.is_none() && is_of_run(&before.member) {
        team.close_session(before.session).map_err(failure)?;
        return Ok("not started again: its run does that".to_owned());
    }
    if let Some(task) = before.task {
        let state = team.task(task).map_err(failure)?.state;
        if state != TaskState::Ready {
            team.close_session(before.session).map_err(failure)?;
            return Ok(format!("not started again: {task} is {state}"));
        }
    }
    let token = team.renew_token(&before.member).map_err(failure)?;
    let new = NewSession {
        member: before.member.clone(),
        host: before.host.clone(),
        model: before.model.clone(),
        profile: before.profile.clone(),
        task: before.task,
        work_tree: before.work_tree.clone(),
        log: None,
        base: before.base.clone(),
        replaces: Some(before.session),
        // The process that is started for it says so itself.
        runner: None,
    };
    let session = match begin(&mut team, location, &token, new) {
        Ok(session) => session,
        Err(error) => {
            team.close_session(before.session).map_err(failure)?;
            return Ok(format!("not started again: {}", error.message));
        }
    };
    let prepared = Prepared {
        location: location.clone(),
        session,
        token,
        member: before.member.clone(),
        tree: before
            .work_tree
            .clone()
            .map(PathBuf::from)
            .unwrap_or_default(),
        branch: trees::branch_of(&before.member),
        fetched: None,
        notes: Vec::new(),
    };
    begin_in_background(caller, &mut team, &prepared)?;
    Ok(format!("started again as {session}"))
}
