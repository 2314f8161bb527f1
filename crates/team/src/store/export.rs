//! Exports and imports a team as JSON lines, for people, for git and for another machine.

use std::io::{BufRead, Read as _};

use rusqlite::Connection;
use rusqlite::types::Value as SqlValue;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::store::actor::Actor;
use crate::store::doctor;
use crate::store::error::StoreError;
use crate::store::schema::{EXPORTED, ExportedTable};
use crate::store::team::Team;
use crate::store::write::Write;
use crate::time::Deadline;

/// The name and version of an export, stated in its first line.
pub const EXPORT_SCHEMA: &str = "agon.team_export/1";

// The longest rows are messages, with some ten thousand bytes, so no line of an export is longer.
/// Maximum size of a line, in bytes.
const MAX_LINE: usize = 4 << 20;

/// The columns of a lease's deadline.
const LEASE: [&str; 3] = ["lease_boot", "lease_uptime_ms", "lease_wall_ms"];

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct ExportLine {
    table: String,
    row: Map<String, Value>,
}

impl Team {
    /// Writes everything except the tokens, one row per line, in a fixed order. The export shows
    /// the state at one moment.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read, or `out` cannot be written.
    pub fn export(&mut self, out: &mut impl std::io::Write) -> Result<(), StoreError> {
        self.read()?;
        let path = self.path().cloned().unwrap_or_default();
        let db = self.db().unchecked_transaction()?;
        let mut write = |line: &str| {
            writeln!(out, "{line}").map_err(|cause| StoreError::Io {
                doing: "export",
                path: path.clone(),
                cause,
            })
        };
        write(&json!({ "schema": EXPORT_SCHEMA }).to_string())?;
        for table in EXPORTED {
            let pairs: Vec<String> = table
                .columns
                .iter()
                .map(|column| format!("'{column}', {column}"))
                .collect();
            let ExportedTable { name, order, .. } = table;
            let mut statement = db.prepare(&format!(
                "SELECT json_object('table', '{name}', 'row', json_object({})) FROM {name} ORDER BY {order}",
                pairs.join(", ")
            ))?;
            let mut rows = statement.query(())?;
            while let Some(row) = rows.next()? {
                write(&row.get::<_, String>(0)?)?;
            }
        }
        Ok(())
    }

    /// Fills an empty team from an export: all of it, or nothing. Members have to join again,
    /// because tokens are not exported. Leases from another machine have expired, and none lasts
    /// longer than a lease taken now.
    ///
    /// # Errors
    ///
    /// Fails if the team is not empty, a line is invalid or longer than 4 MiB, or the result breaks
    /// an invariant.
    pub fn import(&mut self, mut lines: impl BufRead) -> Result<(), StoreError> {
        self.write(&Actor::team(), |write| {
            let rows: i64 = write.db.query_row(
                "SELECT (SELECT count(*) FROM event) + (SELECT count(*) FROM member)",
                (),
                |row| row.get(0),
            )?;
            if rows > 0 {
                return Err(StoreError::NotEmpty);
            }
            for number in 1.. {
                let error = |cause: String| StoreError::Import {
                    line: number,
                    cause,
                };
                let Some(line) = read_line(&mut lines).map_err(error)? else {
                    break;
                };
                if number == 1 {
                    let head: Value =
                        serde_json::from_str(&line).map_err(|it| error(it.to_string()))?;
                    if head != json!({ "schema": EXPORT_SCHEMA }) {
                        return Err(error(format!(
                            "not an export with the schema {EXPORT_SCHEMA}"
                        )));
                    }
                    continue;
                }
                let line: ExportLine =
                    serde_json::from_str(&line).map_err(|it| error(it.to_string()))?;
                insert(write, &line).map_err(error)?;
            }
            let breaches = doctor::breaches(write.db)?;
            match breaches.first() {
                Some(breach) => Err(StoreError::Damaged(breach.found.clone())),
                None => Ok(()),
            }
        })
    }
}

/// Reads the next line without its line end, of at most [`MAX_LINE`] bytes. Returns `None` at the
/// end.
fn read_line(lines: &mut impl BufRead) -> Result<Option<String>, String> {
    let mut line = String::new();
    let mut bounded = lines.by_ref().take(MAX_LINE as u64 + 1);
    let read = bounded.read_line(&mut line).map_err(|it| it.to_string())?;
    if read > MAX_LINE {
        return Err("the line is longer than 4 MiB".to_owned());
    }
    if line.ends_with('\n') {
        line.pop();
    }
    Ok((read > 0).then_some(line))
}

/// Inserts a row into its table. Names of tables and columns come from Agon's own list, never from
/// a line.
fn insert(write: &Write<'_>, line: &ExportLine) -> Result<(), String> {
    let table = EXPORTED
        .iter()
        .find(|table| table.name == line.table)
        .ok_or_else(|| format!("unknown table {:?}", line.table))?;
    if let Some(unknown) = line
        .row
        .keys()
        .find(|key| !table.columns.contains(&key.as_str()))
    {
        return Err(format!("unknown column {unknown:?} of {}", table.name));
    }
    let row = with_bounded_deadlines(write, &line.row)?;
    let mut values = Vec::new();
    for column in table.columns {
        let absent = || missing_column_value(table.name, column, &row);
        values.push(sql_value(
            &row.get(*column).cloned().unwrap_or_else(absent),
        )?);
    }
    if let ("member", Some(left)) = (table.name, values.last_mut())
        && *left == SqlValue::Null
    {
        *left = SqlValue::Integer(write.now.wall_ms);
    }
    // Close imported sessions, because their processes do not run on this machine.
    if let ("session", Some(closed)) = (table.name, values.last_mut()) {
        *closed = SqlValue::Integer(1);
    }
    execute(write.db, table, values).map_err(|error| error.to_string())
}

/// Returns the value of a column that an earlier version did not export.
fn missing_column_value(table: &str, column: &str, row: &Map<String, Value>) -> Value {
    match (table, column) {
        ("task", "place") => row.get("id").cloned().unwrap_or_default(),
        ("message", "urgent") => json!(0),
        _ => Value::Null,
    }
}

/// Limits the deadlines of a row to the end of the longest lease that could be taken now.
fn with_bounded_deadlines(
    write: &Write<'_>,
    row: &Map<String, Value>,
) -> Result<Map<String, Value>, String> {
    let latest = write.now.after(write.limits.lease(Some(u64::MAX)));
    let mut row = row.clone();
    let lease = LEASE.map(|column| row.get(column).cloned().unwrap_or_default());
    if let [Value::String(boot), uptime_ms, wall_ms] = lease {
        let until = json!({ "boot": boot, "uptime_ms": uptime_ms, "wall_ms": wall_ms });
        let until: Deadline = serde_json::from_value(until).map_err(|it| it.to_string())?;
        let until = until.at_most(&latest);
        row.insert("lease_uptime_ms".to_owned(), json!(until.uptime_ms));
        row.insert("lease_wall_ms".to_owned(), json!(until.wall_ms));
    }
    if let Some(Value::String(text)) = row.get("fetch_until") {
        let until: Deadline = serde_json::from_str(text).map_err(|it| it.to_string())?;
        let until = serde_json::to_string(&until.at_most(&latest)).map_err(|it| it.to_string())?;
        row.insert("fetch_until".to_owned(), until.into());
    }
    Ok(row)
}

fn execute(
    db: &Connection,
    table: &ExportedTable,
    values: Vec<SqlValue>,
) -> Result<(), rusqlite::Error> {
    let places = vec!["?"; values.len()].join(", ");
    let columns = table.columns.join(", ");
    db.prepare_cached(&format!(
        "INSERT INTO {} ({columns}) VALUES ({places})",
        table.name
    ))?
    .execute(rusqlite::params_from_iter(values))?;
    Ok(())
}

fn sql_value(value: &Value) -> Result<SqlValue, String> {
    match value {
        Value::Null => Ok(SqlValue::Null),
        Value::String(text) => Ok(SqlValue::Text(text.clone())),
        Value::Number(number) => number
            .as_i64()
            .map(SqlValue::Integer)
            .ok_or_else(|| format!("{number} is not a whole number")),
        Value::Bool(_) | Value::Array(_) | Value::Object(_) => {
            Err(format!("{value} is not a valid column value"))
        }
    }
}
