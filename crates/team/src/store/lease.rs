//! Leases: work that one process at a time does, such as watching or running a goal.

use std::time::Duration;

use rusqlite::OptionalExtension as _;
use serde_json::json;

use crate::store::actor::Actor;
use crate::store::error::StoreError;
use crate::store::rows::signed;
use crate::store::team::Team;

impl Team {
    /// Takes or extends a lease by its name. Returns `false` if another process has it, unless
    /// `is_gone` says that this process is gone.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn take_lease(
        &mut self,
        name: &str,
        holder: &str,
        lasts: Duration,
        is_gone: &dyn Fn(&str) -> bool,
    ) -> Result<bool, StoreError> {
        self.write(&Actor::team(), |write| {
            let found: Option<(String, String, i64)> = write
                .db
                .prepare_cached("SELECT holder, boot, until_uptime_ms FROM lease WHERE name = ?1")?
                .query_row([name], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
                .optional()?;
            let now = signed(write.now.uptime_ms);
            let is_held = found.as_ref().is_some_and(|(other, boot, until)| {
                other != holder && **boot == *write.now.boot && *until > now && !is_gone(other)
            });
            if is_held {
                return Ok(false);
            }
            let until = write.now.after(lasts);
            write
                .db
                .prepare_cached(
                    "INSERT INTO lease (name, holder, boot, until_uptime_ms) VALUES (?1, ?2, ?3, ?4)
                     ON CONFLICT (name) DO UPDATE SET holder = ?2, boot = ?3, until_uptime_ms = ?4",
                )?
                .execute((name, holder, &*until.boot, signed(until.uptime_ms)))?;
            if found.is_none_or(|(other, ..)| other != holder) {
                write.event("lease.taken", name, &json!({ "holder": holder }))?;
            }
            Ok(true)
        })
    }

    /// Releases a lease, so that another process need not wait.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn release_lease(&mut self, name: &str, holder: &str) -> Result<(), StoreError> {
        self.write(&Actor::team(), |write| {
            let changed = write
                .db
                .prepare_cached("DELETE FROM lease WHERE name = ?1 AND holder = ?2")?
                .execute((name, holder))?;
            if changed > 0 {
                write.event("lease.left", name, &json!({ "holder": holder }))?;
            }
            Ok(())
        })
    }
}
