//! Points where the program kills itself, for crash tests.

use agon_caller::{Code, Failure};
use agon_store::failpoints;

/// Prefix of the failpoints that kill the process at the N-th statement on a team's database.
const TEAM_STATEMENT: &str = "team-statement-";

/// Makes this process kill itself at `point`.
///
/// # Errors
///
/// Returns an error if `point` is unknown.
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
