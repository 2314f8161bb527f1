//! Judges sessions by their signals, and takes the steps that the store can take.

use std::time::Duration;

use serde_json::json;

use crate::id::{MemberName, SessionId, TaskId};
use crate::ladder::{History, ProcessSignal, Rung, SessionState, Signals, assess, next_rung};
use crate::store::actor::{Actor, LEAD};
use crate::store::error::StoreError;
use crate::store::queue::{Draft, apply_step, post};
use crate::store::rows::{parse, read_task, signed};
use crate::store::sessions::{
    SessionDoc, SessionProcess, SessionRow, close, read_session, set_state,
};
use crate::store::team::Team;
use crate::store::write::Write;
use crate::task::{Task, TaskState, TaskStep};

/// Observations of a session from outside the store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observation {
    /// The state of its process.
    pub process: ProcessSignal,
    /// A fingerprint of its work tree; null if the tree could not be read.
    pub tree: Option<String>,
}

/// The result of judging a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judged {
    /// The session after the step.
    pub session: SessionDoc,
    /// Whether its state changed.
    pub has_changed: bool,
    /// The step that was taken. The caller must end and start processes itself, and is asked again
    /// until it has done so.
    pub rung: Rung,
    /// The process to end.
    pub process: Option<SessionProcess>,
}

impl Team {
    /// Judges a session by its signals and takes the next step, in one transaction: notifies the
    /// lead, asks the member, revokes the lease, or fails the task.
    ///
    /// # Errors
    ///
    /// If there is no such session or the file cannot be written.
    pub fn judge_session(
        &mut self,
        id: SessionId,
        seen: &Observation,
    ) -> Result<Judged, StoreError> {
        self.write(&Actor::team(), |write| {
            let row = record_tree(
                write,
                read_session(write.db, id, write.now.uptime_ms)?,
                seen,
            )?;
            let process = row.process.clone();
            if row.doc.closed {
                return Ok(Judged {
                    session: row.doc,
                    has_changed: false,
                    rung: Rung::None,
                    process,
                });
            }
            let held = tasks_held_by(write, &row.doc.member)?;
            let limits = &write.limits.ladder;
            let mut health = assess(&signals(write, &row, seen, &held), limits);
            if let Some(ending) = &row.doc.ending
                && health.state == SessionState::Dead
            {
                health.evidence.push(ending.said.clone());
            }
            let has_changed = set_state(write, &row, health.state, &health.evidence)?;
            let history = history(write, &row, seen, health.state)?;
            let rung = next_rung(health.state, &history, limits);
            if rung == Rung::None {
                if history.last.is_none() && row.doc.rung != Rung::None {
                    set_rung(write, id, Rung::None)?;
                    write.event("session.well", &id.to_string(), &json!({}))?;
                }
            } else {
                apply_rung(write, &row, rung, &health.evidence)?;
            }
            Ok(Judged {
                session: read_session(write.db, id, write.now.uptime_ms)?.doc,
                has_changed,
                rung,
                process,
            })
        })
    }
}

/// Records whether the work tree changed since the last check.
fn record_tree(
    write: &Write<'_>,
    mut row: SessionRow,
    seen: &Observation,
) -> Result<SessionRow, StoreError> {
    let Some(tree) = &seen.tree else {
        return Ok(row);
    };
    if row.tree.as_ref() == Some(tree) {
        return Ok(row);
    }
    // The first observation is the state at the session's start, not an edit, so use the time of
    // the start.
    let at = match row.tree {
        None => row.began_uptime_ms,
        Some(_) => write.now.uptime_ms,
    };
    write
        .db
        .prepare_cached("UPDATE session SET tree = ?2, edit_ms = ?3 WHERE id = ?1")?
        .execute((row.doc.session.number(), tree, signed(at)))?;
    row.edit_at = Some(at);
    row.doc.ages.edit_ms = Some(write.now.uptime_ms.saturating_sub(at));
    row.tree = Some(tree.clone());
    Ok(row)
}

/// The tasks that a member holds.
fn tasks_held_by(write: &Write<'_>, member: &MemberName) -> Result<Vec<Task>, StoreError> {
    let mut statement = write
        .db
        .prepare_cached("SELECT id FROM task WHERE holder = ?1 ORDER BY id")?;
    let ids = statement
        .query_map([member.as_str()], |row| row.get(0))?
        .collect::<Result<Vec<i64>, _>>()?;
    ids.into_iter()
        .map(|id| read_task(write.db, TaskId::new(id)))
        .collect()
}

fn signals(write: &Write<'_>, row: &SessionRow, seen: &Observation, held: &[Task]) -> Signals {
    let ages = &row.doc.ages;
    let age = |ms: Option<u64>| ms.map(Duration::from_millis);
    // A member counts as waiting only if all of its tasks wait: otherwise it is working on another
    // one and should give signs of life.
    let waits = |task: &Task| {
        let waiting = task.waiting.as_ref();
        task.state == TaskState::Waiting
            && waiting.is_some_and(|it| !it.until.has_passed(write.now))
    };
    let has_edited = row.edit_at.is_some_and(|at| at > row.began_uptime_ms);
    Signals {
        process: seen.process,
        host_event: age(ages.host_event_ms),
        team_call: age(ages.team_call_ms),
        edit: age(ages.edit_ms),
        renewal: age(ages.renewal_ms),
        open_tool: age(ages.open_tool_ms),
        since_spawn: Duration::from_millis(ages.started_ms),
        has_started: ages.host_event_ms.is_some() || ages.team_call_ms.is_some() || has_edited,
        // After its lease was revoked, a member has no task. It must not count as idle, or the
        // ladder would stop.
        has_task: !held.is_empty() || row.doc.rung >= Rung::Revoke,
        declared_wait: !held.is_empty() && held.iter().all(waits),
        repeats: row.repeats,
        idle_turns: row.idle_turns,
        ending: row.end(),
    }
}

fn history(
    write: &Write<'_>,
    row: &SessionRow,
    seen: &Observation,
    state: SessionState,
) -> Result<History, StoreError> {
    let is_well = matches!(
        state,
        SessionState::Spawning
            | SessionState::Working
            | SessionState::Waiting
            | SessionState::Idle
            | SessionState::Quiet
    );
    // After a lease was revoked, the ladder continues even if the session gives signs of life
    // again.
    let is_over = row.doc.rung == Rung::None || is_well && row.doc.rung < Rung::Revoke;
    let age = write.now.uptime_ms.saturating_sub(row.rung_at);
    let role: String = write
        .db
        .prepare_cached("SELECT role FROM member WHERE name = ?1")?
        .query_row([row.doc.member.as_str()], |row| row.get(0))?;
    Ok(History {
        last: (!is_over).then(|| (row.doc.rung, Duration::from_millis(age))),
        restarts: row.doc.restarts,
        // Agon started every session: members who joined by hand have none.
        is_ours: true,
        may_live: seen.process != ProcessSignal::Gone,
        is_lead: role == LEAD,
    })
}

fn set_rung(write: &Write<'_>, id: SessionId, rung: Rung) -> Result<(), StoreError> {
    write
        .db
        .prepare_cached("UPDATE session SET rung = ?2, rung_ms = ?3 WHERE id = ?1")?
        .execute((id.number(), rung.as_str(), signed(write.now.uptime_ms)))?;
    Ok(())
}

/// Carries out a rung of the ladder, as far as the store can.
fn apply_rung(
    write: &Write<'_>,
    row: &SessionRow,
    rung: Rung,
    evidence: &[String],
) -> Result<(), StoreError> {
    let doc = &row.doc;
    let why = evidence.join("; ");
    match rung {
        // Nothing to record here: the session that replaces this one records the restart.
        Rung::None | Rung::Restart => return Ok(()),
        Rung::Notice => {
            let body = format!("{} shows no sign of progress: {why}.", doc.member);
            notify_lead(write, &doc.member, &body)?;
        }
        Rung::Nudge => {
            let body = format!(
                "Are you still working? ({why}.) Report what you wait for with `agon team task wait`, \
                 continue, or release the task; otherwise its lease is revoked."
            );
            post(write, &Actor::team(), &Draft::notice(&doc.member, &body))?;
        }
        Rung::Revoke => {
            for task in tasks_held_by(write, &doc.member)? {
                let note = cut(
                    &format!("the lease of {} was revoked: {why}", doc.member),
                    write,
                );
                apply_step(write, task.id, &TaskStep::Revoke { note }, None)?;
            }
        }
        Rung::Terminate => {}
        Rung::Fail => {
            if let Some(task) = doc.task {
                let state = read_task(write.db, task)?.state;
                let note = cut(
                    &format!("given up after {} restarts: {why}", doc.restarts),
                    write,
                );
                if state == TaskState::Ready {
                    apply_step(write, task, &TaskStep::Fail { note }, None)?;
                }
            }
        }
        Rung::ReplaceLead => {
            let body = format!(
                "The lead {} is gone: {why}. A person must start another one; mail to the lead waits.",
                doc.member
            );
            notify_all(write, &doc.member, &body)?;
        }
    }
    let detail = json!({
        "member": doc.member, "step": rung, "state": doc.state, "evidence": evidence,
    });
    write.event("session.step", &doc.session.to_string(), &detail)?;
    set_rung(write, doc.session, rung)?;
    if matches!(rung, Rung::Fail | Rung::ReplaceLead) {
        close(write, doc.session, rung)?;
    }
    Ok(())
}

fn cut(text: &str, write: &Write<'_>) -> String {
    let max = write.limits.max_line_bytes;
    let end = (0..=max.min(text.len()))
        .rev()
        .find(|&at| text.is_char_boundary(at));
    text.get(..end.unwrap_or_default())
        .unwrap_or_default()
        .to_owned()
}

/// Notifies the leads; if there is none, only the event records it.
fn notify_lead(write: &Write<'_>, but: &MemberName, body: &str) -> Result<(), StoreError> {
    for (name, role) in members(write)? {
        if role == LEAD && name != *but {
            post(write, &Actor::team(), &Draft::notice(&name, body))?;
        }
    }
    Ok(())
}

fn notify_all(write: &Write<'_>, but: &MemberName, body: &str) -> Result<(), StoreError> {
    for (name, _) in members(write)? {
        if name != *but {
            post(write, &Actor::team(), &Draft::notice(&name, body))?;
        }
    }
    Ok(())
}

fn members(write: &Write<'_>) -> Result<Vec<(MemberName, String)>, StoreError> {
    let mut statement = write
        .db
        .prepare_cached("SELECT name, role FROM member WHERE left_ms IS NULL ORDER BY name")?;
    let mut rows = statement.query(())?;
    let mut members = Vec::new();
    while let Some(row) = rows.next()? {
        let name: String = row.get(0)?;
        members.push((parse(&name)?, row.get(1)?));
    }
    Ok(members)
}
