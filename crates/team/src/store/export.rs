//! A team as JSON lines, for people, for git and for another machine.

use std::io::BufRead;

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

/// The name and version of the first line.
pub const EXPORT_SCHEMA: &str = "agon.team_export/1";

// A message has at most some ten thousand bytes; what is longer was not written here.
/// The most bytes of a line.
const MAX_LINE: usize = 4 << 20;

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct ExportLine {
    table: String,
    row: Map<String, Value>,
}

impl Team {
    /// Writes everything but the tokens, one row a line, in an order that is always the same: the
    /// state of one instant.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or `out` takes no more.
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

    /// Fills a team that is empty with what was exported: all of it, or nothing. Members have to join
    /// again, since tokens are not exported; leases of another machine have run out.
    ///
    /// # Errors
    ///
    /// If the team is not empty, a line is not one of an export, or what comes of it breaks an
    /// invariant.
    pub fn import(&mut self, lines: impl BufRead) -> Result<(), StoreError> {
        self.write(&Actor::team(), |write| {
            let rows: i64 = write.db.query_row(
                "SELECT (SELECT count(*) FROM event) + (SELECT count(*) FROM member)",
                (),
                |row| row.get(0),
            )?;
            if rows > 0 {
                return Err(StoreError::NotEmpty);
            }
            for (number, line) in (1..).zip(lines.lines()) {
                let error = |cause: String| StoreError::Import {
                    line: number,
                    cause,
                };
                let line = line.map_err(|cause| error(cause.to_string()))?;
                if line.len() > MAX_LINE {
                    return Err(error("it is too long".to_owned()));
                }
                if number == 1 {
                    let head: Value =
                        serde_json::from_str(&line).map_err(|it| error(it.to_string()))?;
                    if head != json!({ "schema": EXPORT_SCHEMA }) {
                        return Err(error(format!("it is not {EXPORT_SCHEMA}")));
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

/// Puts a row into its table. Names of tables and columns come from our own list, never from a line.
fn insert(write: &Write<'_>, line: &ExportLine) -> Result<(), String> {
    let table = EXPORTED
        .iter()
        .find(|table| table.name == line.table)
        .ok_or_else(|| format!("there is no table {:?}", line.table))?;
    if let Some(unknown) = line
        .row
        .keys()
        .find(|key| !table.columns.contains(&key.as_str()))
    {
        return Err(format!("{} has no column {unknown:?}", table.name));
    }
    let mut values = Vec::new();
    for column in table.columns {
        values.push(sql_value(line.row.get(*column).unwrap_or(&Value::Null))?);
    }
    if let ("member", Some(left)) = (table.name, values.last_mut())
        && *left == SqlValue::Null
    {
        *left = SqlValue::Integer(write.now.wall_ms);
    }
    // Nothing of it runs here.
    if let ("session", Some(closed)) = (table.name, values.last_mut()) {
        *closed = SqlValue::Integer(1);
    }
    execute(write.db, table, values).map_err(|error| error.to_string())
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
            Err(format!("{value} is not of a column"))
        }
    }
}
