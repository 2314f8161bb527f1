//! The roster: a team's roles, their settings, and their outcome in each host.

mod check;
mod field;
mod list;
mod matrix;
mod show;

use agon_caller::{Caller, Failure};

pub use self::check::{
    CheckedInstallationDoc, DriftDoc, ROSTER_CHECK_SCHEMA, RosterCheckDoc, check,
};
pub use self::field::{LimitDoc, RoleFieldDoc};
pub use self::list::{ROSTER_SCHEMA, RosterDoc, RosterLine, list};
pub use self::matrix::{CellDoc, ROSTER_MATRIX_SCHEMA, RosterMatrixDoc, matrix};
pub use self::show::{
    MembershipDoc, ROLE_SCHEMA, RoleDoc, RoleInHostDoc, RoleServerDoc, ValueDoc, show,
};

use crate::team_files::TeamLayers;
use crate::team_roster::TeamRoster;

/// Request for the roster.
#[derive(Clone, Debug, Default)]
pub struct RosterRequest {
    /// Profile to use instead of the configured one.
    pub team_profile: Option<String>,
    /// Limits that need not be enforced, as `ROLE.FIELD`, in addition to those waived at installation.
    pub waived: Vec<String>,
}

/// Reads the effective roster, with the overrides of `request`.
fn read_roster(caller: &Caller, request: &RosterRequest) -> Result<TeamRoster, Failure> {
    let wanted = TeamLayers {
        profile: request.team_profile.clone(),
        ..TeamLayers::default()
    };
    TeamRoster::read(caller, &wanted)
}
