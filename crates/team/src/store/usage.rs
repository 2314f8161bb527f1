//! Records the usage of turns, as far as their tools report it, and counts the outcomes of
//! requests.
//!
//! Values that a tool does not report stay unknown: there is no row, or a null in it, but never a
//! 0.

mod tally;

use rusqlite::Connection;
use serde_json::json;

use crate::id::{MemberName, RoleName, RunId, SessionId, TaskId};
use crate::store::actor::Actor;
use crate::store::error::StoreError;
use crate::store::rows::{parse, signed};
use crate::store::sessions::read_session;
use crate::store::team::Team;

use self::tally::CLAIM_REFUSED;
pub use self::tally::{Tally, TallyKind};

/// The usage of one turn, as its tool reports it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TurnUsage {
    /// How long it took, in milliseconds.
    pub took_ms: u64,
    /// The tokens; `None` if the tool does not report them.
    pub tokens: Option<TurnTokens>,
    /// The cost in millionths of a US dollar; `None` if the tool does not report it.
    pub cost_micros: Option<u64>,
}

/// The tokens of a turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TurnTokens {
    /// Input tokens, including those read from a cache.
    pub input: u64,
    /// Input tokens that were read from a cache.
    pub cached: u64,
    /// Output tokens.
    pub output: u64,
    /// Whether they are an estimate.
    pub estimated: bool,
}

/// A session with the usage of its turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionUsage {
    /// Its id.
    pub session: SessionId,
    /// Its member.
    pub member: MemberName,
    /// The member's role.
    pub role: RoleName,
    /// Its AI tool.
    pub host: String,
    /// Its model; `None` if the tool chose it.
    pub model: Option<String>,
    /// The task that it was started for.
    pub task: Option<TaskId>,
    /// The run that it belongs to.
    pub run: Option<RunId>,
    /// When it began, in milliseconds since 1970.
    pub began_ms: i64,
    /// Whether its member had an earlier turn on the same task, or it replaces a lost session.
    pub is_retry: bool,
    /// Whether it has ended.
    pub has_ended: bool,
    /// Its usage; `None` if unknown.
    pub usage: Option<TurnUsage>,
}

// A session belongs to the run that has its task. A session without a task, such as a planner's, is
// recognized by the name that a run gives its members.
const USAGE: &str = "SELECT session.id, session.member, member.role, session.host, session.model,
        session.task,
        coalesce(
            (SELECT max(run_task.run) FROM run_task WHERE run_task.task = session.task),
            (SELECT run.id FROM run WHERE session.task IS NULL
                AND run.id = CAST(substr(session.member, 2) AS INTEGER)
                AND session.member LIKE 'r' || run.id || '-%')),
        session.began_ms,
        session.restarts > 0 OR EXISTS (
            SELECT 1 FROM session AS before WHERE before.id < session.id
                AND before.member = session.member AND before.task = session.task),
        session.closed = 1 OR session.ending IS NOT NULL,
        took_ms, input, cached, output, estimated, cost_micros
    FROM session
    JOIN member ON member.name = session.member
    LEFT JOIN session_usage ON session_usage.session = session.id
    ORDER BY session.id";

impl Team {
    /// Records the usage of a session's turn.
    ///
    /// # Errors
    ///
    /// If there is no such session, or the file cannot be written.
    pub fn record_usage(&mut self, id: SessionId, usage: &TurnUsage) -> Result<(), StoreError> {
        self.write(&Actor::team(), |write| {
            read_session(write.db, id, write.now.uptime_ms)?;
            let tokens = usage.tokens;
            write
                .db
                .prepare_cached(
                    "INSERT OR REPLACE INTO session_usage
                         (session, took_ms, input, cached, output, estimated, cost_micros)
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
                )?
                .execute((
                    id.number(),
                    signed(usage.took_ms),
                    tokens.map(|it| signed(it.input)),
                    tokens.map(|it| signed(it.cached)),
                    tokens.map(|it| signed(it.output)),
                    tokens.map(|it| it.estimated),
                    usage.cost_micros.map(signed),
                ))?;
            let detail = json!({
                "took_ms": usage.took_ms,
                "input": tokens.map(|it| it.input),
                "output": tokens.map(|it| it.output),
                "cost_micros": usage.cost_micros,
            });
            write.event("session.usage", &id.to_string(), &detail)?;
            Ok(())
        })
    }

    /// Records that a member tried to claim a task that it could not get.
    pub(super) fn record_refused_claim(
        &mut self,
        actor: &Actor,
        task: TaskId,
    ) -> Result<(), StoreError> {
        self.write(actor, |write| {
            // The task is not the event's subject, because nothing happened to it.
            let detail = json!({ "task": task });
            write.event(CLAIM_REFUSED, actor.label(), &detail)?;
            Ok(())
        })
    }

    /// Returns every session with the usage of its turn, the earliest first.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn usage(&mut self) -> Result<Vec<SessionUsage>, StoreError> {
        read_usage(self.read()?)
    }

    /// Returns the counted outcomes of members' requests, the earliest first.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn tallies(&mut self) -> Result<Vec<Tally>, StoreError> {
        tally::read(self.read()?)
    }
}

pub(super) fn read_usage(db: &Connection) -> Result<Vec<SessionUsage>, StoreError> {
    let mut statement = db.prepare_cached(USAGE)?;
    let mut rows = statement.query(())?;
    let mut sessions = Vec::new();
    while let Some(row) = rows.next()? {
        let number = |at: usize| -> Result<Option<u64>, StoreError> {
            let value: Option<i64> = row.get(at)?;
            Ok(value.map(|it| u64::try_from(it).unwrap_or_default()))
        };
        let tokens = match (number(11)?, number(13)?) {
            (Some(input), Some(output)) => Some(TurnTokens {
                input,
                cached: number(12)?.unwrap_or_default(),
                output,
                estimated: row.get::<_, Option<bool>>(14)?.unwrap_or_default(),
            }),
            _ => None,
        };
        let cost_micros = number(15)?;
        let usage = number(10)?.map(|took_ms| TurnUsage {
            took_ms,
            tokens,
            cost_micros,
        });
        sessions.push(SessionUsage {
            session: SessionId::new(row.get(0)?),
            member: parse(&row.get::<_, String>(1)?)?,
            role: parse(&row.get::<_, String>(2)?)?,
            host: row.get(3)?,
            model: row.get(4)?,
            task: row.get::<_, Option<i64>>(5)?.map(TaskId::new),
            run: row.get::<_, Option<i64>>(6)?.map(RunId::new),
            began_ms: row.get(7)?,
            is_retry: row.get(8)?,
            has_ended: row.get(9)?,
            usage,
        });
    }
    Ok(sessions)
}
