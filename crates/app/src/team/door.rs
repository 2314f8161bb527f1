//! Opening the team of the caller's repository, and what its refusals become.

use std::sync::Arc;

use agon_team::store::{StoreError, StoreErrorClass, SystemClock, Team, TeamLimits, TeamLocation};

use crate::caller::Caller;
use crate::failure::{Failure, FailureKind, error_chain};

/// The team of the caller's repository, and where it is.
pub(super) fn open(caller: &Caller) -> Result<(Team, TeamLocation), Failure> {
    let location = TeamLocation::find(&caller.cwd).map_err(failure)?;
    let clock = Arc::new(SystemClock::new());
    let team = Team::open(&location, clock, TeamLimits::default()).map_err(failure)?;
    Ok((team, location))
}

/// What a refusal of the store is for people and programs.
pub(super) fn failure(error: StoreError) -> Failure {
    let (kind, code) = match (&error, error.class()) {
        (StoreError::NoTeam(_), _) => (FailureKind::Usage, "no_team"),
        (StoreError::NotMember, _) => (FailureKind::Usage, "not_member"),
        (StoreError::NoRepository(_), _) => (FailureKind::Usage, "no_repository"),
        (StoreError::Incomplete { .. }, _) => (FailureKind::Usage, "no_evidence"),
        (_, StoreErrorClass::Refused) => (FailureKind::Usage, "refused"),
        (_, StoreErrorClass::Busy) => (FailureKind::Store, "busy"),
        (_, StoreErrorClass::User) => (FailureKind::Store, "store"),
        (_, StoreErrorClass::Damaged) => (FailureKind::Store, "damaged"),
    };
    Failure::new(kind, code, error_chain(&error)).hint(error.hint())
}
