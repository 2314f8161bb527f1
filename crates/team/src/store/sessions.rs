//! Sessions: each run of a member's AI tool that Agon started, with its signals.

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
use crate::store::rows::{from_json, parse, read_task, signed, word};
use crate::store::team::Team;
use crate::store::write::{Write, to_json};
use crate::task::{Fence, TaskStep};

/// By what a process group is known: none other is ever ended for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionProcess {
    /// The number of the group and of its leader.
    pub pgid: i32,
    /// When the leader started, in ticks since the machine did.
    pub leader_start: u64,
    /// Which start of the machine that was.
    pub boot: String,
    /// What its processes have in their environment.
    pub mark: String,
}

/// What a session gave a sign by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HostReport {
    /// Whether its tool printed something.
    pub has_event: bool,
    /// Whether a call of a tool is under way.
    pub has_open_tool: bool,
    /// How often its last calls were one and the same.
    pub repeats: u32,
    /// Turns since it last edited or changed the board.
    pub idle_turns: u32,
}

/// How a session ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SessionEnding {
    /// Whether its process ended by itself and its tool says that all went well.
    pub is_complete: bool,
    /// Whether it changed, submitted or answered what was asked for.
    pub has_evidence: bool,
    /// How, in a line.
    pub said: String,
}

/// How long ago each signal was last seen, in milliseconds; null: never.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SignalAges {
    /// Since it was started.
    pub started_ms: u64,
    /// What its tool printed.
    pub host_event_ms: Option<u64>,
    /// Its calls to the team.
    pub team_call_ms: Option<u64>,
    /// Changes in its work tree.
    pub edit_ms: Option<u64>,
    /// Renewals of its lease.
    pub renewal_ms: Option<u64>,
    /// A call of a tool that is under way.
    pub open_tool_ms: Option<u64>,
}

/// A session of a member.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SessionDoc {
    /// Its number.
    pub session: SessionId,
    /// Whose it is.
    pub member: MemberName,
    /// In which AI tool.
    pub host: String,
    /// With which model; null where it is the tool's own choice.
    pub model: Option<String>,
    /// With which profile of the settings; null for the one that holds.
    #[serde(default)]
    pub profile: Option<String>,
    /// What it was started for.
    pub task: Option<TaskId>,
    /// Where it works.
    pub work_tree: Option<String>,
    /// The file that its output is kept in.
    pub log: Option<String>,
    /// The commit that what it does is seen against.
    pub base: Option<String>,
    /// The number of its process; null before it has one.
    pub pid: Option<i32>,
    /// When it began, in milliseconds since 1970.
    pub began_ms: i64,
    /// How it is.
    pub state: SessionState,
    /// What says so.
    pub evidence: Vec<String>,
    /// Since when, in milliseconds since 1970.
    pub changed_ms: i64,
    /// What was last done about it.
    pub rung: Rung,
    /// How often it was started again before.
    pub restarts: u32,
    /// How it ended; null while it runs, and where it was lost.
    pub ending: Option<SessionEnding>,
    /// Whether nothing more is done about it.
    pub closed: bool,
    /// Its signals.
    pub ages: SignalAges,
}

/// A row, with what no document shows.
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
    /// How it ended, for the rules; none where it was lost.
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
        state: word(&row.get::<_, String>(22)?)?,
        evidence: from_json(&row.get::<_, String>(23)?)?,
        changed_ms: row.get(24)?,
        rung: word(&row.get::<_, String>(25)?)?,
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

/// Closes a session: nothing more is done about it.
pub(super) fn close(write: &Write<'_>, id: SessionId, rung: Rung) -> Result<(), StoreError> {
    write
        .db
        .prepare_cached("UPDATE session SET closed = 1, rung = ?2, rung_ms = ?3 WHERE id = ?1")?
        .execute((id.number(), rung.as_str(), signed(write.now.uptime_ms)))?;
    Ok(())
}

/// Writes how a session is, with an event, where that changed.
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
    /// Writes down the process group of a session, before its tool gets any input.
    ///
    /// # Errors
    ///
    /// If there is no such session, or it is closed: its tool has to be ended then.
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

    /// Writes down which process carries the turn of a session out, and will say how it ended: by words
    /// of its own.
    ///
    /// # Errors
    ///
    /// If there is no such session, or the file cannot be written.
    pub fn record_runner(&mut self, id: SessionId, runner: &str) -> Result<(), StoreError> {
        self.write(&Actor::team(), |write| write_runner(write, id, runner))
    }

    /// The process that carries the turn of a session out.
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

    /// Writes down what the tool of a session gave a sign by. A sign is measured, not decided: it has
    /// no event.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn report_host(&mut self, id: SessionId, report: &HostReport) -> Result<(), StoreError> {
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

    /// Keeps the lease of what a session works on, while its tool gives signs of life; that does not
    /// count as a sign.
    ///
    /// # Errors
    ///
    /// If another member has the task by now, or the file cannot be written.
    pub fn keep_lease(&mut self, id: SessionId) -> Result<(), StoreError> {
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

    /// A session.
    ///
    /// # Errors
    ///
    /// If there is none with this number.
    pub fn session(&mut self, id: SessionId) -> Result<SessionDoc, StoreError> {
        let now = self.now().uptime_ms;
        Ok(read_session(self.read()?, id, now)?.doc)
    }

    /// The process group of a session; none before it has one.
    ///
    /// # Errors
    ///
    /// If there is no such session.
    pub fn session_process(&mut self, id: SessionId) -> Result<Option<SessionProcess>, StoreError> {
        let now = self.now().uptime_ms;
        Ok(read_session(self.read()?, id, now)?.process)
    }

    /// Every session, the earliest first.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn sessions(&mut self) -> Result<Vec<SessionDoc>, StoreError> {
        let now = self.now().uptime_ms;
        read_sessions(self.read()?, now)
    }
}

/// Every session, as it is `now` milliseconds after the start of the machine.
pub(super) fn read_sessions(db: &Connection, now: u64) -> Result<Vec<SessionDoc>, StoreError> {
    let mut statement = db.prepare_cached(&format!("{SESSIONS} ORDER BY id"))?;
    let mut rows = statement.query(())?;
    let mut sessions = Vec::new();
    while let Some(row) = rows.next()? {
        sessions.push(row_of(row, now)?.doc);
    }
    Ok(sessions)
}
