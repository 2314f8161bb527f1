//! What is wrong with a team's file, and its repair.

use agon_team::store::{Breach, InvariantDoc};
use schemars::JsonSchema;
use serde::Serialize;

use super::door::{failure, open};
use super::member::lead;
use crate::caller::Caller;
use crate::depth::refuse_nested;
use crate::failure::Failure;
use crate::hosts::{PermissionDrift, permission_drift};

/// The name and version of the document.
pub const TEAM_DOCTOR_SCHEMA: &str = "agon.team_doctor/1";

/// The code of a file that is not as it was written.
const DAMAGED: &str = "damaged";
/// What is left to do where nothing can be repaired.
const START_AFRESH: &str = "move agon/team.db out of the git folder, with the files beside it; then \
    `agon team import` takes the last export, or `agon team init` begins again";

/// What is wrong with a team's file: `agon.team_doctor/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TeamDoctorDoc {
    #[schemars(extend("const" = TEAM_DOCTOR_SCHEMA))]
    schema: &'static str,
    /// Everything that must hold.
    pub invariants: Vec<InvariantDoc>,
    /// What does not.
    pub breaches: Vec<Breach>,
    /// Whether repairs were made.
    pub repaired: bool,
    /// What does not hold after them; the same as `breaches` without any.
    pub remaining: Vec<Breach>,
    /// Permissions that were installed in AI tools and are not what the policies are now.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub permissions: Vec<PermissionDrift>,
    /// What is to be done next; null where nothing is.
    pub next: Option<String>,
}

/// Checks everything that must hold of the file of the caller's team; with `repair`, repairs what can
/// be, which the lead or a person may. A file that cannot be read is a breach, not a failure.
///
/// # Errors
///
/// If there is no team, its file cannot be opened, or the caller may not repair it.
pub fn doctor(caller: &Caller, repair: bool) -> Result<TeamDoctorDoc, Failure> {
    let (mut team, location) = match open(caller) {
        Err(failure) if failure.code == DAMAGED => return Ok(damaged(failure.message)),
        opened => opened?,
    };
    if repair {
        refuse_nested(caller)?;
        lead(caller, &team, &location, "repair the team's file")?;
    }
    let report = match repair {
        true => team.repair(),
        false => team.examine(),
    };
    match report.map_err(failure) {
        Ok(report) => Ok(TeamDoctorDoc {
            schema: TEAM_DOCTOR_SCHEMA,
            next: next_step(repair, &report.remaining),
            repaired: repair && report.breaches != report.remaining,
            invariants: report.invariants,
            breaches: report.breaches,
            remaining: report.remaining,
            permissions: permission_drift(caller)?,
        }),
        Err(failure) if failure.code == DAMAGED => Ok(damaged(failure.message)),
        Err(failure) => Err(failure),
    }
}

/// What is said of a file that cannot be read.
fn damaged(found: String) -> TeamDoctorDoc {
    let invariant = "file-intact".to_owned();
    let breaches = vec![Breach {
        invariant: invariant.clone(),
        found,
        repair: None,
    }];
    TeamDoctorDoc {
        schema: TEAM_DOCTOR_SCHEMA,
        invariants: vec![InvariantDoc {
            name: invariant,
            says: "the file is as SQLite wrote it".to_owned(),
        }],
        remaining: breaches.clone(),
        breaches,
        permissions: Vec::new(),
        repaired: false,
        next: Some(START_AFRESH.to_owned()),
    }
}

fn next_step(was_repaired: bool, remaining: &[Breach]) -> Option<String> {
    let can_be = remaining.iter().any(|breach| breach.repair.is_some());
    match (remaining.is_empty(), was_repaired, can_be) {
        (true, ..) => None,
        (false, false, true) => Some("agon team doctor --repair does what stands there".to_owned()),
        (false, ..) => Some(START_AFRESH.to_owned()),
    }
}
