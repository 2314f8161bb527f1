//! Reads every row, so that no later command finds an unreadable one.

use rusqlite::Connection;

use crate::id::RunId;
use crate::store::error::StoreError;
use crate::store::gates::{read_reviews, read_runs};
use crate::store::mails::read_unacknowledged;
use crate::store::members::read_members;
use crate::store::runs::read_run;
use crate::store::sessions::read_sessions;
use crate::store::usage::read_usage;
use crate::task::Task;

/// Reads members, mail, sessions and runs, and the gate runs and reviews of `tasks`.
///
/// # Errors
///
/// [`StoreError::Damaged`] for the first invalid row.
pub(super) fn read_remaining_rows(db: &Connection, tasks: &[Task]) -> Result<(), StoreError> {
    for member in read_members(db)? {
        read_unacknowledged(db, &member.name)?;
    }
    for task in tasks {
        read_runs(db, task.id)?;
        read_reviews(db, task.id)?;
    }
    read_sessions(db, 0)?;
    read_usage(db)?;
    let mut statement = db.prepare_cached("SELECT id FROM run")?;
    let runs = statement.query_map((), |row| row.get(0).map(RunId::new))?;
    for run in runs {
        read_run(db, run?)?;
    }
    Ok(())
}
