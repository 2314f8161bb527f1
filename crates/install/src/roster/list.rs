//! Lists all roles with their purpose and permissions.

use agon_caller::{Caller, Failure};
use agon_hosts::content::agent::Power;
use agon_hosts::roster::RoleSettings;
use schemars::JsonSchema;
use serde::Serialize;

use super::{RosterRequest, read_roster};

/// The name and version of the document.
pub const ROSTER_SCHEMA: &str = "agon.roster/1";

/// All roles: `agon.roster/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RosterDoc {
    #[schemars(extend("const" = ROSTER_SCHEMA))]
    schema: &'static str,
    /// The roles, in the order of the source.
    pub roles: Vec<RosterLine>,
}

/// A role.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RosterLine {
    /// Its name.
    pub role: String,
    /// Its purpose, as a sentence.
    pub purpose: String,
    /// When to call it: the rest of a sentence after "Call it when".
    pub call_when: String,
    /// Permissions: `read`, `edit`, `run`, `network`, `delegate`.
    pub may: Vec<&'static str>,
    /// The only files that it may edit, as globs; if empty, `may` alone decides.
    pub edit_only: Vec<String>,
}

/// Lists all roles with their effective permissions.
///
/// # Errors
///
/// If a file of a team's settings is not valid.
pub fn list(caller: &Caller, request: &RosterRequest) -> Result<RosterDoc, Failure> {
    let holding = read_roster(caller, request)?;
    let roles = holding.roles.iter().zip(holding.roster.roles());
    let line = |(role, settings): (&agon_hosts::content::Role, &RoleSettings)| RosterLine {
        role: role.name.clone(),
        purpose: role.purpose.clone(),
        call_when: role.call_when.clone(),
        may: power_names(settings),
        edit_only: edit_only(settings),
    };
    Ok(RosterDoc {
        schema: ROSTER_SCHEMA,
        roles: roles.map(line).collect(),
    })
}

/// Returns the names of a role's permissions.
pub(super) fn power_names(settings: &RoleSettings) -> Vec<&'static str> {
    settings
        .may
        .value
        .iter()
        .map(|power| power.name())
        .collect()
}

/// Returns the only files that the role may edit; empty if it may not edit.
pub(super) fn edit_only(settings: &RoleSettings) -> Vec<String> {
    match settings.may.value.contains(&Power::Edit) {
        true => settings.edit_only.clone(),
        false => Vec::new(),
    }
}
