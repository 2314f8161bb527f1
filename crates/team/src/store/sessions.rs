//! Sessions: the runs of members' AI tools that Agon started, with their signals.

mod begin;

use rusqlite::{Connection, OptionalExtension as _, Row};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

pub use self::begin::NewSession;
use crate::id::{MemberName, SessionId, TaskId};
use crate::ladder::{Rung, SessionEnd, SessionState};
use crate::store::actor::Actor;
use crate::store::error::StoreError;
use crate::store::queue::apply_step;
use crate::store::rows::{from_json, parse, parse_word, read_task, signed};
use crate::store::team::Team;
use crate::store::write::{Write, to_json};
use crate::task::{Fence, TaskStep};

/// The identity of a process group, so that no other group is ever ended in its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionProcess {
    /// The id of the group and of its leader.
    pub pgid: i32,
    /// When the leader started, in clock ticks since boot.
    pub leader_start: u64,
    /// The boot id of the machine.
    pub boot: String,
    /// The mark in the environment of its processes.
    pub mark: String,
}

/// Signs of life from a session's tool.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HostReport {
    /// Whether its tool printed something.
    pub has_event: bool,
    /// Whether a tool call is running.
    pub has_open_tool: bool,
    /// How many of its last calls were identical.
    pub repeats: u32,
    /// The number of turns since it last edited or changed the board.
    pub idle_turns: u32,
}

/// How a session ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SessionEnding {
    /// Whether its process exited on its own and its tool reported success.
    pub is_complete: bool,
    /// Whether it made the requested change, submission or answer.
    pub has_evidence: bool,
    /// How it ended, in one line.
    pub said: String,
}

/// The time since each signal was last seen, in milliseconds; null if it never was.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SignalAges {
    /// Its start.
    pub started_ms: u64,
    /// Output of its tool.
    pub host_event_ms: Option<u64>,
    /// Its calls to the team.
    pub team_call_ms: Option<u64>,
    /// Changes in its work tree.
    pub edit_ms: Option<u64>,
    /// Renewals of its lease.
    pub renewal_ms: Option<u64>,
    /// The start of the tool call that is running.
    pub open_tool_ms: Option<u64>,
}

/// A session of a member.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SessionDoc {
    /// Its id.
    pub session: SessionId,
    /// Its member.
    pub member: MemberName,
    /// Its AI tool.
    pub host: String,
    /// Its model; null if the tool chooses it.
    pub model: Option<String>,
    /// Its profile of the settings; null for the current one.
    #[serde(default)]
    pub profile: Option<String>,
    /// The task that it was started for.
    pub task: Option<TaskId>,
    /// Its work tree.
    pub work_tree: Option<String>,
    /// The file with its output.
    pub log: Option<String>,
    /// The commit that its changes are compared with.
    pub base: Option<String>,
    /// Its process id; null before it has one.
    pub pid: Option<i32>,
    /// When it began, in milliseconds since 1970.
    pub began_ms: i64,
    /// Its state.
    pub state: SessionState,
    /// The signals behind the state.
    pub evidence: Vec<String>,
    /// When the state last changed, in milliseconds since 1970.
    pub changed_ms: i64,
    /// The last step that was taken.
    pub rung: Rung,
    /// How often it was restarted before.
    pub restarts: u32,
    /// How it ended; null while it is running, or if it was lost.
    pub ending: Option<SessionEnding>,
    /// Whether no further step is needed.
    pub closed: bool,
    /// Its signals.
    pub ages: SignalAges,
}

/// A row, with the columns that documents do not contain.
pub(super) struct SessionRow {
    pub(super) doc: SessionDoc,
    pub(super) process: Option<SessionProcess>,
    pub(super) began_uptime_ms: u64,
    pub(super) edit_at: Option<u64>,
    pub(super) repeats: u32,
    pub(super) idle_turns: u32,
    pub(super) tree: Option<String>,
    pub(super) rung_at: u64,
}

impl SessionRow {
    /// Returns how it ended, for the rules; `None` if it was lost.
    pub(super) fn end(&self) -> Option<SessionEnd> {
        let ending = self.doc.ending.as_ref().filter(|it| it.is_complete)?;
        Some(SessionEnd {
            has_evidence: ending.has_evidence,
        })
    }
}

const SESSIONS: &str = "SELECT id, member, host, model, task, work_tree, log, restarts, pgid,
        leader_start, mark, boot, began_ms, began_uptime_ms, host_event_ms, team_call_ms, edit_ms,
        renewal_ms, open_tool_ms, repeats, idle_turns, tree, state, evidence, changed_ms, rung,
        rung_ms, ending, closed, base, profile
    FROM session";

fn row_of(row: &Row<'_>, now: u64) -> Result<SessionRow, StoreError> {
    let number = |at: usize| -> Result<Option<u64>, StoreError> {
        let value: Option<i64> = row.get(at)?;
        Ok(value.map(|it| u64::try_from(it).unwrap_or_default()))
    };
    let age = |at: usize| Ok::<_, StoreError>(number(at)?.map(|it| now.saturating_sub(it)));
    let pgid: Option<i32> = row.get(8)?;
    let process = match (pgid, number(9)?, row.get(10)?) {
        (Some(pgid), Some(leader_start), Some(mark)) => Some(SessionProcess {
            pgid,
            leader_start,
            boot: row.get(11)?,
            mark,
        }),
        _ => None,
    };
    let began = number(13)?.unwrap_or_default();
    let ending: Option<String> = row.get(27)?;
    let task: Option<i64> = row.get(4)?;
    let doc = SessionDoc {
        session: SessionId::new(row.get(0)?),
        member: parse(&row.get::<_, String>(1)?)?,
        host: row.get(2)?,
        model: row.get(3)?,
        task: task.map(TaskId::new),
        work_tree: row.get(5)?,
        log: row.get(6)?,
        base: row.get(29)?,
        profile: row.get(30)?,
        pid: pgid,
        began_ms: row.get(12)?,
        state: parse_word(&row.get::<_, String>(22)?)?,
        evidence: from_json(&row.get::<_, String>(23)?)?,
        changed_ms: row.get(24)?,
        rung: parse_word(&row.get::<_, String>(25)?)?,
        restarts: row.get(7)?,
        ending: ending.as_deref().map(from_json).transpose()?,
        closed: row.get(28)?,
        ages: SignalAges {
            started_ms: now.saturating_sub(began),
            host_event_ms: age(14)?,
            team_call_ms: age(15)?,
            edit_ms: age(16)?,
            renewal_ms: age(17)?,
            open_tool_ms: age(18)?,
        },
    };
    Ok(SessionRow {
        doc,
        process,
        began_uptime_ms: began,
        edit_at: number(16)?,
        repeats: row.get(19)?,
        idle_turns: row.get(20)?,
        tree: row.get(21)?,
        rung_at: number(26)?.unwrap_or_default(),
    })
}

pub(super) fn read_session(
    db: &Connection,
    id: SessionId,
    now: u64,
) -> Result<SessionRow, StoreError> {
    let mut statement = db.prepare_cached(&format!("{SESSIONS} WHERE id = ?1"))?;
    let found = statement
        .query_row([id.number()], |row| Ok(row_of(row, now)))
        .optional()?;
    found.ok_or(StoreError::NoSession(id))?
}

/// Closes a session, so that no further step is taken.
pub(super) fn close(write: &Write<'_>, id: SessionId, rung: Rung) -> Result<(), StoreError> {
    write
        .db
        .prepare_cached("UPDATE session SET closed = 1, rung = ?2, rung_ms = ?3 WHERE id = ?1")?
        .execute((id.number(), rung.as_str(), signed(write.now.uptime_ms)))?;
    Ok(())
}

/// Records the state of a session, with an event if it changed.
pub(super) fn set_state(
    write: &Write<'_>,
    row: &SessionRow,
    state: SessionState,
    evidence: &[String],
) -> Result<bool, StoreError> {
    if row.doc.state == state {
        write
            .db
            .prepare_cached("UPDATE session SET evidence = ?2 WHERE id = ?1")?
            .execute((row.doc.session.number(), to_json(&evidence)?))?;
        return Ok(false);
    }
    let name = state.as_str();
    write
        .db
        .prepare_cached(
            "UPDATE session SET state = ?2, evidence = ?3, changed_ms = ?4 WHERE id = ?1",
        )?
        .execute((
            row.doc.session.number(),
            name,
            to_json(&evidence)?,
            write.now.wall_ms,
        ))?;
    let detail = json!({
        "member": row.doc.member, "before": row.doc.state, "evidence": evidence,
    });
    write.event(
        &format!("session.{name}"),
        &row.doc.session.to_string(),
        &detail,
    )?;
    Ok(true)
}

fn write_runner(write: &Write<'_>, id: SessionId, runner: &str) -> Result<(), StoreError> {
    let changed = write
        .db
        .prepare_cached("UPDATE session SET runner = ?2 WHERE id = ?1")?
        .execute((id.number(), runner))?;
    if changed == 0 {
        return Err(StoreError::NoSession(id));
    }
    let detail = json!({ "process": runner });
    write.event("session.runner", &id.to_string(), &detail)?;
    Ok(())
}

impl Team {
    /// Records the process group of a session, before its tool gets any input.
    ///
    /// # Errors
    ///
    /// Fails if there is no such session, or it is closed; its tool must be ended then.
    pub fn record_process(
        &mut self,
        id: SessionId,
        process: &SessionProcess,
    ) -> Result<(), StoreError> {
        self.write(&Actor::team(), |write| {
            let changed = write
                .db
                .prepare_cached(
                    "UPDATE session SET pgid = ?2, leader_start = ?3, boot = ?4, mark = ?5
                     WHERE id = ?1 AND closed = 0",
                )?
                .execute((
                    id.number(),
                    process.pgid,
                    signed(process.leader_start),
                    &process.boot,
                    &process.mark,
                ))?;
            if changed == 0 {
                return Err(StoreError::NoSession(id));
            }
            write.event(
                "session.process",
                &id.to_string(),
                &json!({ "pid": process.pgid }),
            )?;
            Ok(())
        })
    }

    /// Records which process runs a session's turn and will report its end. The format of `runner`
    /// is the caller's.
    ///
    /// # Errors
    ///
    /// If there is no such session, or the file cannot be written.
    pub fn record_runner(&mut self, id: SessionId, runner: &str) -> Result<(), StoreError> {
        self.write(&Actor::team(), |write| write_runner(write, id, runner))
    }

    /// Returns the process that runs a session's turn.
    ///
    /// # Errors
    ///
    /// If there is no such session.
    pub fn session_runner(&mut self, id: SessionId) -> Result<Option<String>, StoreError> {
        let mut statement = self
            .read()?
            .prepare_cached("SELECT runner FROM session WHERE id = ?1")?;
        let found = statement
            .query_row([id.number()], |row| row.get(0))
            .optional()?;
        found.ok_or(StoreError::NoSession(id))
    }

    /// Records signs of life from a session's tool. They are measurements, not decisions, so no
    /// event is written.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn record_host_signs(
        &mut self,
        id: SessionId,
        report: &HostReport,
    ) -> Result<(), StoreError> {
        self.write(&Actor::team(), |write| {
            let now = signed(write.now.uptime_ms);
            write
                .db
                .prepare_cached(
                    "UPDATE session SET
                         host_event_ms = CASE WHEN ?2 THEN ?3 ELSE host_event_ms END,
                         open_tool_ms = CASE WHEN ?4 THEN coalesce(open_tool_ms, ?3) END,
                         repeats = ?5, idle_turns = ?6
                     WHERE id = ?1",
                )?
                .execute((
                    id.number(),
                    report.has_event,
                    now,
                    report.has_open_tool,
                    report.repeats,
                    report.idle_turns,
                ))?;
            Ok(())
        })
    }

    /// Extends the lease of a session's task while its tool gives signs of life. This does not
    /// count as a sign.
    ///
    /// # Errors
    ///
    /// Fails if another member has the task now, or the file cannot be written.
    pub fn extend_session_lease(&mut self, id: SessionId) -> Result<(), StoreError> {
        self.write(&Actor::team(), |write| {
            let row = read_session(write.db, id, write.now.uptime_ms)?;
            let Some(task) = row.doc.task.filter(|_| !row.doc.closed) else {
                return Ok(());
            };
            let found = read_task(write.db, task)?;
            let is_held = found
                .lease
                .as_ref()
                .is_some_and(|lease| lease.holder == row.doc.member);
            if !is_held {
                return Ok(());
            }
            let until = write.now.after(write.limits.lease(None));
            if found
                .lease
                .is_some_and(|lease| lease.until.uptime_ms > until.uptime_ms)
            {
                return Ok(());
            }
            let fence = Fence {
                member: row.doc.member,
                epoch: found.epoch,
            };
            apply_step(write, task, &TaskStep::Renew { until }, Some(&fence))?;
            Ok(())
        })
    }

    /// Returns a session.
    ///
    /// # Errors
    ///
    /// Fails if there is no such session.
    pub fn session(&mut self, id: SessionId) -> Result<SessionDoc, StoreError> {
        let now = self.now().uptime_ms;
        Ok(read_session(self.read()?, id, now)?.doc)
    }

    /// Returns the process group of a session, or `None` before it has one.
    ///
    /// # Errors
    ///
    /// If there is no such session.
    pub fn session_process(&mut self, id: SessionId) -> Result<Option<SessionProcess>, StoreError> {
        let now = self.now().uptime_ms;
        Ok(read_session(self.read()?, id, now)?.process)
    }

    /// Returns every session, the earliest first.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn sessions(&mut self) -> Result<Vec<SessionDoc>, StoreError> {
        let now = self.now().uptime_ms;
        read_sessions(self.read()?, now)
    }
}

/// Reads every session as of `now`, in milliseconds since boot.
pub(super) fn read_sessions(db: &Connection, now: u64) -> Result<Vec<SessionDoc>, StoreError> {
    let mut statement = db.prepare_cached(&format!("{SESSIONS} ORDER BY id"))?;
    let mut rows = statement.query(())?;
    let mut sessions = Vec::new();
    while let Some(row) = rows.next()? {
        sessions.push(row_of(row, now)?.doc);
    }
    Ok(sessions)
}
