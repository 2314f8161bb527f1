//! A transaction of the store, with its events.

use rusqlite::Connection;
use serde::Serialize;

use crate::mail::Trust;
use crate::store::actor::Actor;
use crate::store::error::StoreError;
use crate::store::limits::TeamLimits;
use crate::time::Moment;

/// An open transaction that holds the write lock, with the time, the actor and the limits.
pub(super) struct Write<'a> {
    pub(super) db: &'a Connection,
    pub(super) now: &'a Moment,
    pub(super) actor: &'a Actor,
    pub(super) limits: &'a TeamLimits,
}

impl Write<'_> {
    /// Returns the same transaction with another actor.
    pub(super) const fn by<'b>(&'b self, actor: &'b Actor) -> Write<'b> {
        Write { actor, ..*self }
    }

    /// Writes an event by the current actor; returns its number.
    pub(super) fn event(
        &self,
        kind: &str,
        subject: &str,
        detail: &impl Serialize,
    ) -> Result<i64, StoreError> {
        self.event_by(self.actor, kind, subject, detail)
    }

    /// Writes an event by the given actor; returns its number.
    pub(super) fn event_by(
        &self,
        actor: &Actor,
        kind: &str,
        subject: &str,
        detail: &impl Serialize,
    ) -> Result<i64, StoreError> {
        let detail = to_json(detail)?;
        self.db
            .prepare_cached(
                "INSERT INTO event (at_ms, actor, kind, subject, detail) VALUES (?1, ?2, ?3, ?4, ?5)",
            )?
            .execute((self.now.wall_ms, actor.label(), kind, subject, detail))?;
        Ok(self.db.last_insert_rowid())
    }

    /// Refuses members other than the lead.
    pub(super) fn require_lead(&self, act: &'static str) -> Result<(), StoreError> {
        if self.actor.trust() >= Trust::Lead {
            return Ok(());
        }
        Err(StoreError::NotAllowed {
            actor: self.actor.label().to_owned(),
            act,
        })
    }

    /// Refuses a text that is empty or too long for a line.
    pub(super) fn check_line(&self, what: &'static str, text: &str) -> Result<(), StoreError> {
        check_length(what, text, self.limits.max_line_bytes)
    }
}

pub(super) fn check_length(what: &'static str, text: &str, max: usize) -> Result<(), StoreError> {
    let bytes = text.len();
    if bytes == 0 || bytes > max {
        return Err(StoreError::Length { what, bytes, max });
    }
    Ok(())
}

/// Serializes a value for storage as JSON.
pub(super) fn to_json(value: &impl Serialize) -> Result<String, StoreError> {
    serde_json::to_string(value).map_err(|error| StoreError::Damaged(error.to_string()))
}
