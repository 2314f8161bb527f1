//! Points at which the program kills itself, for tests of crashes.

use agon_caller::{Code, Failure};
use agon_store::failpoints;

/// Before the number of a statement of a team's file, from 1.
const TEAM_STATEMENT: &str = "team-statement-";

/// Kills this process when it comes to `point`.
///
/// # Errors
///
/// If `point` is not one.
pub(crate) fn arm(point: &str) -> Result<(), Failure> {
    if agon_hosts::failpoints::arm(point) {
        return Ok(());
    }
    let statement = point.strip_prefix(TEAM_STATEMENT);
    if let Some(nth) = statement.and_then(|nth| nth.parse().ok()) {
        agon_team::store::failpoints::arm(nth);
        return Ok(());
    }
    failpoints::arm_failpoint(point).map_err(|error| Failure::from_error(Code::Failpoint, &error))
}
