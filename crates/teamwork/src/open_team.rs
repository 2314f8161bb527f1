//! Opens the team of the caller's repository, and translates the store's errors.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use agon_caller::settings::read_settings;
use agon_caller::{Caller, Code, Failure, error_chain};
use agon_team::store::{StoreError, StoreErrorClass, SystemClock, Team, TeamLimits, TeamLocation};

/// Opens the team of the caller's repository; also returns its location.
pub(super) fn open(caller: &Caller) -> Result<(Team, TeamLocation), Failure> {
    let location = TeamLocation::find(&caller.cwd).map_err(failure)?;
    let team = open_at(caller, &location)?;
    Ok((team, location))
}

/// Opens the team at a location.
pub(super) fn open_at(caller: &Caller, location: &TeamLocation) -> Result<Team, Failure> {
    let clock = Arc::new(SystemClock::new());
    Team::open(location, clock, limits(caller)?).map_err(failure)
}

/// A team that several parts of one process write to. Each part locks it for one store call at a
/// time.
pub(super) type SharedTeam = Arc<Mutex<Team>>;

/// Makes a team shareable between several parts of this process.
pub(super) fn share(team: Team) -> SharedTeam {
    Arc::new(Mutex::new(team))
}

/// Locks the team for one store call.
pub(super) fn lock(team: &SharedTeam) -> MutexGuard<'_, Team> {
    team.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Reads the team limits from the caller's configuration.
pub(super) fn limits(caller: &Caller) -> Result<TeamLimits, Failure> {
    let set = read_settings(caller)?.team;
    let limits = set.try_into::<TeamLimits>();
    limits.map_err(|error| {
        let message = format!("invalid [team] settings: {}", error.message());
        Failure::new(Code::Config, message)
            .hint("list the possible settings with `agon schema team_limits`")
    })
}

/// Converts a store error to a failure.
pub(super) fn failure(error: StoreError) -> Failure {
    let code = match (&error, error.class()) {
        (StoreError::NoTeam(_), _) => Code::NoTeam,
        (StoreError::NotMember, _) => Code::NotMember,
        (StoreError::NoRepository(_) | StoreError::Repository(_), _) => Code::NoRepository,
        (StoreError::Incomplete { .. }, _) => Code::NoEvidence,
        (_, StoreErrorClass::Refused) => Code::Refused,
        (_, StoreErrorClass::Busy) => Code::Busy,
        (_, StoreErrorClass::User) => Code::Store,
        (_, StoreErrorClass::Damaged) => Code::Damaged,
    };
    Failure::new(code, error_chain(&error)).hint(error.hint())
}
