//! Points at which the program kills itself, for tests of crashes.

use agon_store::failpoints;

use crate::failure::{Failure, FailureKind};

/// Kills this process when it comes to `point`.
///
/// # Errors
///
/// If `point` is not one.
pub fn arm(point: &str) -> Result<(), Failure> {
    if agon_hosts::failpoints::arm(point) {
        return Ok(());
    }
    failpoints::arm_failpoint(point)
        .map_err(|error| Failure::from_error(FailureKind::Usage, "failpoint", &error))
}
