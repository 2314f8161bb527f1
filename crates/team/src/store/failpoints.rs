//! Kills the process at a chosen SQL statement, for the crash tests.

use std::sync::atomic::{AtomicU64, Ordering};

use rusqlite::Connection;
use rusqlite::trace::{TraceEvent, TraceEventCodes};
use rustix::process::{Signal, getpid, kill_process};

static KILL_AT: AtomicU64 = AtomicU64::new(0);
static BEGUN: AtomicU64 = AtomicU64::new(0);

/// Makes the process die when the `nth` statement from now starts; 0 means never.
pub fn arm(nth: u64) {
    BEGUN.store(0, Ordering::SeqCst);
    KILL_AT.store(nth, Ordering::SeqCst);
}

/// Returns how many statements have started since [`arm`].
pub fn statements() -> u64 {
    BEGUN.load(Ordering::SeqCst)
}

/// Counts the statements of this connection as SQLite sees them, so that none is missed.
pub(super) fn watch(db: &mut Connection) -> Result<(), rusqlite::Error> {
    db.trace_v2(TraceEventCodes::SQLITE_TRACE_STMT, Some(count_statement))
}

fn count_statement(_event: TraceEvent<'_>) {
    if BEGUN.fetch_add(1, Ordering::SeqCst) + 1 == KILL_AT.load(Ordering::SeqCst) {
        // If the process cannot be killed, it continues, and the crash test fails.
        kill_process(getpid(), Signal::KILL).ok();
    }
}
