//! Watches all sessions: judges each by its signals, and ends or restarts it if necessary.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use agon_caller::depth::refuse_nested;
use agon_caller::{Caller, Failure};
use agon_proc::{Group, Survivor, end_survivor, is_leader_running};
use agon_team::id::{MemberName, RunId, SessionId};
use agon_team::ladder::{ProcessSignal, Rung, SessionState};
use agon_team::store::{
    Judged, NewSession, Observation, SessionDoc, SessionProcess, Team, TeamLocation,
};
use agon_team::task::TaskState;
use schemars::JsonSchema;
use serde::Serialize;
use tokio_util::sync::CancellationToken;

use super::lease::{Lease, is_gone};
use super::member::lead;
use super::open_team::{failure, open, open_at, share};
use super::start::{Prepared, begin, begin_in_background};
use super::trees;

/// The name and version of the watch document.
pub const TEAM_WATCH_SCHEMA: &str = "agon.team_watch/1";

/// How often the watch renews its lease, which lasts much longer.
const RENEW_INTERVAL: Duration = Duration::from_secs(60 * 60);

/// The findings and actions of the watch in one round: `agon.team_watch/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TeamWatchDoc {
    #[schemars(extend("const" = TEAM_WATCH_SCHEMA))]
    schema: &'static str,
    /// The open sessions, the earliest first.
    pub sessions: Vec<WatchedSession>,
}

/// A session with the watch's judgement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct WatchedSession {
    /// Its id.
    pub session: SessionId,
    /// Its member.
    pub member: MemberName,
    /// Its state.
    pub state: SessionState,
    /// The signals behind the state.
    pub evidence: Vec<String>,
    /// Whether its state changed.
    pub changed: bool,
    /// The step that was taken now.
    pub step: Rung,
    /// The result of ending or starting a process, in one line; null if neither was done.
    pub outcome: Option<String>,
}

/// Watches the sessions of the caller's team, for one round or until cancelled. `see` receives each
/// round.
///
/// # Errors
///
/// Fails if another process is watching, the caller may not watch, or the store cannot be written.
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
        let round = watch_round(caller, &mut team, &location).await?;
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

/// Judges every open session once.
pub(super) async fn watch_round(
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
        let seen = Observation {
            process: process_signal(process.as_ref(), runner.as_deref()),
            tree: match &session.work_tree {
                Some(tree) => trees::fingerprint(caller, &PathBuf::from(tree)).await,
                None => None,
            },
        };
        let judged = team
            .judge_session(session.session, &seen)
            .map_err(failure)?;
        // A failed restart is reported and must not keep the other sessions from being judged.
        let outcome = match perform_step(caller, location, &judged).await {
            Ok(outcome) => outcome,
            Err(error) => Some(format!("not restarted: {}", error.message)),
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

/// Returns whether the recorded processes are running; a process id alone proves nothing. While the
/// process that runs the turn is alive, only that process decides how the tool ended.
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

/// Performs the parts of a step that the store cannot: ends Agon's own processes, and restarts a
/// session.
async fn perform_step(
    caller: &Caller,
    location: &TeamLocation,
    judged: &Judged,
) -> Result<Option<String>, Failure> {
    match judged.rung {
        Rung::Terminate => Ok(Some(end(judged.process.clone()).await)),
        // The previous processes must not run beside the next session. They are ended here too, in
        // case an earlier watch was killed before it ended them.
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

/// Ends a process group that Agon started, if it still is the same group.
async fn end(process: Option<SessionProcess>) -> String {
    let Some(process) = process else {
        return "it has no process".to_owned();
    };
    let ended = tokio::task::spawn_blocking(move || end_survivor(&group_of(&process))).await;
    let words = match ended {
        Ok(Survivor::Gone) => "none of its processes was running",
        Ok(Survivor::Ended) => "ended its processes",
        Ok(Survivor::Reused) => "its process id now belongs to another program, left alone",
        Ok(Survivor::Stuck) | Err(_) => "could not end its processes",
    };
    words.to_owned()
}

/// Returns whether a member belongs to a run, such as `r1-reviewer`: only the run knows its orders.
fn is_run_member(name: &MemberName) -> bool {
    let run = name.as_str().split_once('-').map(|(run, _)| run);
    run.is_some_and(|run| run.parse::<RunId>().is_ok())
}

/// Restarts a session in the same work tree, if its task can still be claimed.
fn restart(
    caller: &Caller,
    location: &TeamLocation,
    before: &SessionDoc,
) -> Result<String, Failure> {
    let mut team = open_at(caller, location)?;
    if before.task.is_none() && is_run_member(&before.member) {
        team.close_session(before.session).map_err(failure)?;
        return Ok("not restarted: its run restarts it".to_owned());
    }
    if let Some(task) = before.task {
        let state = team.task(task).map_err(failure)?.state;
        if state != TaskState::Ready {
            team.close_session(before.session).map_err(failure)?;
            return Ok(format!("not restarted: {task} is {state}"));
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
        // Not known yet: the process that will run the turn records itself.
        runner: None,
    };
    let session = match begin(&mut team, location, &token, new) {
        Ok(session) => session,
        Err(error) => {
            team.close_session(before.session).map_err(failure)?;
            return Ok(format!("not restarted: {}", error.message));
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
    Ok(format!("restarted as {session}"))
}
