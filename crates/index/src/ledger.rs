//! The cost of debates, one row per call.

use agon_record::event::Usage;
use agon_record::moves::MovesKind;
use agon_record::spec::{Effort, ToolName};
use rusqlite::{Connection, Row, Transaction, params};

use crate::{Index, IndexError};

/// One call to a tool, from a debate's journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallRecord {
    /// When the start of the call was recorded, in milliseconds since 1970.
    pub at_ms: u64,
    /// The tool.
    pub tool: ToolName,
    /// The requested model; `None` if the tool chose it.
    pub model: Option<String>,
    /// The requested effort.
    pub effort: Effort,
    /// The requested kind of moves.
    pub kind: MovesKind,
    /// How the call ended.
    pub ended: CallEnd,
    /// The usage of the call, if known.
    pub usage: Option<Usage>,
    /// The duration of the call, in milliseconds; `None` if it has not ended.
    pub took_ms: Option<u64>,
    /// The debate's clock when it ended, in milliseconds of running time.
    pub clock_ms: Option<u64>,
}

/// How a call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallEnd {
    /// With a reply.
    Given,
    /// Without a reply.
    Lost,
    /// The call is still running, or was interrupted.
    Open,
}

impl CallEnd {
    const ALL: [Self; 3] = [Self::Given, Self::Lost, Self::Open];

    fn name(self) -> &'static str {
        match self {
            Self::Given => "given",
            Self::Lost => "lost",
            Self::Open => "open",
        }
    }
}

/// One call, and the debate in which it was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DebateCall {
    /// A number that identifies the debate within one result.
    pub debate: i64,
    /// The name of the debate's folder.
    pub slug: String,
    /// The call.
    pub call: CallRecord,
}

/// The time and tokens of a past call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PastCallCost {
    /// The duration of the call, in milliseconds.
    pub took_ms: u64,
    /// Its input and output tokens.
    pub tokens: u64,
}

const COLUMNS: &str = "at_ms, tool, model, effort, kind, ended, input, cached, output, \
                       estimated, cost_micros, took_ms, clock_ms";

impl CallRecord {
    pub(super) fn insert(&self, db: &Transaction<'_>, debate: i64) -> Result<(), rusqlite::Error> {
        let sql = format!(
            "INSERT INTO ask (debate, {COLUMNS}) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)"
        );
        let usage = self.usage.as_ref();
        db.prepare_cached(&sql)?.execute(params![
            debate,
            to_sql_integer(self.at_ms),
            self.tool.as_str(),
            self.model,
            self.effort.name(),
            self.kind.name(),
            self.ended.name(),
            usage.map(|it| to_sql_integer(it.input)),
            usage.map(|it| to_sql_integer(it.cached)),
            usage.map(|it| to_sql_integer(it.output)),
            usage.is_some_and(|it| it.estimated),
            usage.and_then(|it| it.cost_micros).map(to_sql_integer),
            self.took_ms.map(to_sql_integer),
            self.clock_ms.map(to_sql_integer),
        ])?;
        Ok(())
    }

    /// Reads the call from the columns that begin at `at`; `None` if this version does not know a
    /// value.
    fn from_row(row: &Row<'_>, at: usize) -> Result<Option<Self>, rusqlite::Error> {
        let (tool, effort): (String, String) = (row.get(at + 1)?, row.get(at + 3)?);
        let (kind, ended): (String, String) = (row.get(at + 4)?, row.get(at + 5)?);
        let number = |column: usize| -> Result<Option<u64>, rusqlite::Error> {
            let number: Option<i64> = row.get(at + column)?;
            Ok(number.map(|it| u64::try_from(it).unwrap_or(0)))
        };
        let usage = match (number(6)?, number(7)?, number(8)?) {
            (Some(input), Some(cached), Some(output)) => Some(Usage {
                input,
                cached,
                output,
                cost_micros: number(10)?,
                estimated: row.get(at + 9)?,
            }),
            _ => None,
        };
        let known = |name: &str| MovesKind::ALL.into_iter().find(|kind| kind.name() == name);
        let call_end = |name: &str| CallEnd::ALL.into_iter().find(|ended| ended.name() == name);
        let (Ok(tool), Ok(effort)) = (tool.parse(), effort.parse()) else {
            return Ok(None);
        };
        let (Some(kind), Some(ended)) = (known(&kind), call_end(&ended)) else {
            return Ok(None);
        };
        Ok(Some(Self {
            at_ms: number(0)?.unwrap_or(0),
            tool,
            model: row.get(at + 2)?,
            effort,
            kind,
            ended,
            usage,
            took_ms: number(11)?,
            clock_ms: number(12)?,
        }))
    }
}

/// Converts a count to SQLite's signed integer; no count comes close to the limit.
fn to_sql_integer(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

impl Index {
    /// Returns every call since `since_ms` in order, with its debate.
    ///
    /// Debates of another tool have no calls.
    ///
    /// # Errors
    ///
    /// If the index fails.
    pub fn calls_since(&mut self, since_ms: u64) -> Result<Vec<DebateCall>, IndexError> {
        self.run_with_repair(|db| query_calls_since(db, since_ms))
    }

    /// Returns the time and tokens of the latest successful calls of one kind, at most `most`; only
    /// calls of `tool` and at `effort`, if given.
    ///
    /// # Errors
    ///
    /// If the index fails.
    pub fn past_calls(
        &mut self,
        kind: MovesKind,
        tool: Option<&ToolName>,
        effort: Option<Effort>,
        most: usize,
    ) -> Result<Vec<PastCallCost>, IndexError> {
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        self.run_with_repair(|db| {
            let mut past = db.prepare_cached(
                "SELECT took_ms, input + output FROM ask \
                 WHERE ended = 'given' AND kind = ?1 AND (?2 IS NULL OR tool = ?2) \
                 AND (?3 IS NULL OR effort = ?3) AND took_ms IS NOT NULL AND input IS NOT NULL \
                 ORDER BY at_ms DESC LIMIT ?4",
            )?;
            let tool = tool.map(ToolName::as_str);
            let effort = effort.map(Effort::name);
            let rows = past.query_map(params![kind.name(), tool, effort, most], |row| {
                let number = |at| row.get(at).map(|it: i64| u64::try_from(it).unwrap_or(0));
                Ok(PastCallCost {
                    took_ms: number(0)?,
                    tokens: number(1)?,
                })
            })?;
            rows.collect()
        })
    }
}

fn query_calls_since(db: &Connection, since_ms: u64) -> Result<Vec<DebateCall>, rusqlite::Error> {
    let sql = format!(
        "SELECT debate, folder, {COLUMNS} FROM ask JOIN debate ON debate.id = ask.debate \
         WHERE at_ms >= ?1 ORDER BY at_ms, debate, ask.rowid"
    );
    let mut calls = db.prepare_cached(&sql)?;
    let rows = calls.query_map([to_sql_integer(since_ms)], |row| {
        let folder: Vec<u8> = row.get(1)?;
        let (debate, call) = (row.get(0)?, CallRecord::from_row(row, 2)?);
        Ok(call.map(|call| DebateCall {
            debate,
            slug: String::from_utf8_lossy(&folder).into_owned(),
            call,
        }))
    })?;
    rows.filter_map(Result::transpose).collect()
}
