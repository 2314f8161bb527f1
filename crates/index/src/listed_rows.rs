//! The table of listed debates. It is separate from the searchable texts, so that a list reads only
//! a few hundred bytes of each debate.

use std::collections::HashMap;

use agon_folder::ListedRecord;
use rusqlite::{Connection, OptionalExtension as _, Transaction, params};

use crate::stamp::Stamp;

/// What the index knows about a listed debate.
pub(super) struct ListedRow {
    /// The stamp of its folder when its record was read.
    pub(super) stamp: Stamp,
    /// The stamp of its lock when it was last seen without a process; `None` if it may have one.
    pub(super) lock: Option<Stamp>,
    /// The background process that it was last handed to, as JSON, if that still matters.
    pub(super) handed_to: Option<String>,
    /// Its record, as JSON.
    pub(super) record: String,
}

impl ListedRow {
    /// Returns the row for `record`, which may have a process.
    pub(super) fn new(stamp: Stamp, record: &ListedRecord) -> Result<Self, serde_json::Error> {
        Ok(Self {
            stamp,
            lock: None,
            handed_to: None,
            record: serde_json::to_string(record)?,
        })
    }

    pub(super) fn parse_record(&self) -> Option<ListedRecord> {
        serde_json::from_str(&self.record).ok()
    }

    pub(super) fn write(&self, db: &Transaction<'_>, folder: &[u8]) -> Result<(), rusqlite::Error> {
        let sql = "INSERT OR REPLACE INTO listed (folder, stamp, lock, handed_to, record) \
                   VALUES (?1, ?2, ?3, ?4, ?5)";
        db.prepare_cached(sql)?.execute(params![
            folder,
            self.stamp,
            self.lock,
            self.handed_to,
            self.record
        ])?;
        Ok(())
    }
}

pub(super) fn delete_row(db: &Transaction<'_>, folder: &[u8]) -> Result<(), rusqlite::Error> {
    let sql = "DELETE FROM listed WHERE folder = ?1";
    db.prepare_cached(sql)?.execute([folder])?;
    Ok(())
}

const COLUMNS: &str = "stamp, lock, handed_to, record";

fn from_columns(row: &rusqlite::Row<'_>, at: usize) -> Result<ListedRow, rusqlite::Error> {
    Ok(ListedRow {
        stamp: row.get(at)?,
        lock: row.get(at + 1)?,
        handed_to: row.get(at + 2)?,
        record: row.get(at + 3)?,
    })
}

/// Returns the rows of all listed debates, by the name of their folder.
pub(super) fn read_all(db: &Connection) -> Result<HashMap<Vec<u8>, ListedRow>, rusqlite::Error> {
    let mut all = db.prepare_cached(&format!("SELECT folder, {COLUMNS} FROM listed"))?;
    let rows = all.query_map((), |row| Ok((row.get(0)?, from_columns(row, 1)?)))?;
    rows.collect()
}

/// Returns the row of one debate.
pub(super) fn read_one(
    db: &Connection,
    folder: &[u8],
) -> Result<Option<ListedRow>, rusqlite::Error> {
    let sql = format!("SELECT {COLUMNS} FROM listed WHERE folder = ?1");
    let mut one = db.prepare_cached(&sql)?;
    one.query_row([folder], |row| from_columns(row, 0))
        .optional()
}
