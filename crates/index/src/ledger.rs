//! What debates have cost, call by call.

use agon_record::event::Usage;
use agon_record::moves::MovesKind;
use agon_record::spec::{Effort, ToolName};
use rusqlite::{Connection, Row, Transaction, params};

use crate::{Index, IndexError};

/// A call, as the journal has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallRecord {
    /// When it was recorded that it is about to be made, in milliseconds since 1970.
    pub at_ms: u64,
    /// The tool.
    pub tool: ToolName,
    /// The model asked for; none when the tool chose.
    pub model: Option<String>,
    /// The effort asked for.
    pub effort: Effort,
    /// What kind of moves it asked for.
    pub kind: MovesKind,
    /// What came of it.
    pub ended: CallEnd,
    /// What it cost, where that is known.
    pub usage: Option<Usage>,
    /// How long it took, in milliseconds; none while it is not known how it ended.
    pub took_ms: Option<u64>,
    /// The debate's clock when it ended, in milliseconds of running time.
    pub clock_ms: Option<u64>,
}

/// What came of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallEnd {
    /// A reply.
    Given,
    /// None.
    Lost,
    /// It is under way, or was cut off.
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

/// A call and the debate that it was made for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DebateCall {
    /// The number of the debate within this answer; the same for calls of one debate.
    pub debate: i64,
    /// The name of the debate's folder.
    pub slug: String,
    /// The call.
    pub call: CallRecord,
}

/// What past calls of one kind took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PastCallCost {
    /// How long the call took, in milliseconds.
    pub took_ms: u64,
    /// Its tokens, in and out.
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

    /// The call in the columns from `at` on; none when it is none that this version knows.
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
        let came = |name: &str| CallEnd::ALL.into_iter().find(|ended| ended.name() == name);
        let (Ok(tool), Ok(effort)) = (tool.parse(), effort.parse()) else {
            return Ok(None);
        };
        let (Some(kind), Some(ended)) = (known(&kind), came(&ended)) else {
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

/// SQLite's integers have a sign; nothing that is counted here comes near it.
fn to_sql_integer(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

impl Index {
    /// Every call from `since_ms` on, in the order in which they were made, with its debate.
    ///
    /// Debates that another tool keeps have none.
    ///
    /// # Errors
    ///
    /// If the index fails.
    pub fn calls_since(&mut self, since_ms: u64) -> Result<Vec<DebateCall>, IndexError> {
        self.run_with_repair(|db| query_calls_since(db, since_ms))
    }

    /// What the latest calls of one kind took that gave a reply, at most `most`; of `tool` and at
    /// `effort` where they are given.
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
