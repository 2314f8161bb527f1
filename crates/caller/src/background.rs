//! The process that a debate in the background was handed to.

use agon_proc::{Group, is_leader_running};
use agon_store::RunEntry;

/// Returns whether the process that a debate was handed to is still running.
pub fn is_alive(process: &RunEntry) -> bool {
    let RunEntry {
        pgid,
        leader_start,
        boot,
        mark,
    } = process.clone();
    is_leader_running(&Group {
        pgid,
        leader_start,
        boot,
        mark,
    })
}
