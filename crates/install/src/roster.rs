//! The roster: who works in a team, how each is run, and what each host makes of it.

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

/// What is wanted of the roster.
#[derive(Clone, Debug, Default)]
pub struct RosterRequest {
    /// The profile that holds, instead of the one that is configured.
    pub team_profile: Option<String>,
    /// The limits that a role need not be held to, as `ROLE.FIELD`, besides those that were waived
    /// when it was installed.
    pub waived: Vec<String>,
}

/// The roster that holds, with what `request` names on top.
fn read_roster(caller: &Caller, request: &RosterRequest) -> Result<TeamRoster, Failure> {
    let wanted = TeamLayers {
        profile: request.team_profile.clone(),
        ..TeamLayers::default()
    };
    TeamRoster::read(caller, &wanted)
}
