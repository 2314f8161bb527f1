//! Opening the team of the caller's repository, and what its refusals become.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use agon_caller::settings::read_settings;
use agon_caller::{Caller, Code, Failure, error_chain};
use agon_team::store::{StoreError, StoreErrorClass, SystemClock, Team, TeamLimits, TeamLocation};

/// The team of the caller's repository, and where it is.
pub(super) fn open(caller: &Caller) -> Result<(Team, TeamLocation), Failure> {
    let location = TeamLocation::find(&caller.cwd).map_err(failure)?;
    let team = open_at(caller, &location)?;
    Ok((team, location))
}

/// The team that is there.
pub(super) fn open_at(caller: &Caller, location: &TeamLocation) -> Result<Team, Failure> {
    let clock = Arc::new(SystemClock::new());
    Team::open(location, clock, limits(caller)?).map_err(failure)
}

/// A team that several parts of one process write to. Each holds it for one call of the store only.
pub(super) type SharedTeam = Arc<Mutex<Team>>;

/// `team`, to be handed to several parts of this process.
pub(super) fn share(team: Team) -> SharedTeam {
    Arc::new(Mutex::new(team))
}

/// The team, for one call of the store.
pub(super) fn lock(team: &SharedTeam) -> MutexGuard<'_, Team> {
    team.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The limits of a team that the caller's configuration sets.
pub(super) fn limits(caller: &Caller) -> Result<TeamLimits, Failure> {
    let set = read_settings(caller)?.team;
    let limits = set.try_into::<TeamLimits>();
    limits.map_err(|error| {
        let message = format!("[team] does not hold: {}", error.message());
        Failure::new(Code::Config, message)
            .hint("`agon schema team_limits` lists what may be set there")
    })
}

/// What a refusal of the store is for people and programs.
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
