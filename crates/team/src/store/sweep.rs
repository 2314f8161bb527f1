//! Ends expired leases, and the locks that depend on them.

use rusqlite::Connection;

use crate::id::TaskId;
use crate::store::actor::Actor;
use crate::store::error::StoreError;
use crate::store::queue::apply_step;
use crate::store::rows::{read_task, signed};
use crate::store::write::Write;
use crate::task::TaskStep;
use crate::time::Moment;

/// Returns whether a lease has expired.
pub(super) fn has_expired_lease(db: &Connection, now: &Moment) -> Result<bool, StoreError> {
    Ok(!expired(db, now)?.is_empty())
}

fn expired(db: &Connection, now: &Moment) -> Result<Vec<TaskId>, StoreError> {
    let mut statement = db.prepare_cached(
        "SELECT id FROM task WHERE holder IS NOT NULL AND (lease_boot <> ?1 OR lease_uptime_ms <= ?2)
         ORDER BY id",
    )?;
    let parameters = (&*now.boot, signed(now.uptime_ms));
    let rows = statement.query_map(parameters, |row| row.get(0).map(TaskId::new))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Ends every expired lease; returns whether there was one.
pub(super) fn sweep(write: &Write<'_>) -> Result<bool, StoreError> {
    let expired = expired(write.db, write.now)?;
    let write = Write {
        actor: &Actor::team(),
        ..*write
    };
    for id in &expired {
        let task = read_task(write.db, *id)?;
        let holder = task
            .lease
            .map(|lease| lease.holder.to_string())
            .unwrap_or_default();
        let note = format!("the lease of {holder} expired");
        apply_step(&write, *id, &TaskStep::Revoke { note }, None)?;
    }
    Ok(!expired.is_empty())
}
