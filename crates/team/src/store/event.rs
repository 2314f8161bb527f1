//! Events: what happened in a team, in order.

use rusqlite::Connection;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::store::error::StoreError;

/// An event, which records one change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct EventDoc {
    /// Its number, counted from 1 without gaps.
    pub seq: i64,
    /// When it happened, by the wall clock, in milliseconds since 1970.
    pub at_ms: i64,
    /// Who caused it: a member, `person` or `team`.
    pub actor: String,
    /// Its kind, such as `task.claimed`.
    pub kind: String,
    /// What it is about: an id such as `t12`, or a member's name.
    pub subject: String,
    /// The state after the change.
    pub detail: Value,
}

/// Returns the events after the one with this number, at most `max`, the earliest first.
pub(super) fn read_events(
    db: &Connection,
    after: i64,
    max: u32,
) -> Result<Vec<EventDoc>, StoreError> {
    let mut statement = db.prepare_cached(
        "SELECT seq, at_ms, actor, kind, subject, detail FROM event WHERE seq > ?1 ORDER BY seq LIMIT ?2",
    )?;
    events_of(statement.query((after, max))?)
}

/// Returns the last events by `label` or about it, at most `max`, the latest first.
pub(super) fn read_events_around(
    db: &Connection,
    label: &str,
    max: u32,
) -> Result<Vec<EventDoc>, StoreError> {
    let mut statement = db.prepare_cached(
        "SELECT seq, at_ms, actor, kind, subject, detail FROM event
         WHERE actor = ?1 OR subject = ?1 ORDER BY seq DESC LIMIT ?2",
    )?;
    events_of(statement.query((label, max))?)
}

fn events_of(mut rows: rusqlite::Rows<'_>) -> Result<Vec<EventDoc>, StoreError> {
    let mut events = Vec::new();
    while let Some(row) = rows.next()? {
        let detail: String = row.get(5)?;
        events.push(EventDoc {
            seq: row.get(0)?,
            at_ms: row.get(1)?,
            actor: row.get(2)?,
            kind: row.get(3)?,
            subject: row.get(4)?,
            detail: serde_json::from_str(&detail)
                .map_err(|error| StoreError::Damaged(error.to_string()))?,
        });
    }
    Ok(events)
}
