//! Outcome of every role in every host.

use agon_caller::{Caller, Failure};
use agon_hosts::cells::{RosterCell, roster_cells};
use agon_hosts::compile::Target;
use agon_hosts::host::{HOSTS, SERVER};
use schemars::JsonSchema;
use serde::Serialize;

use super::field::{LimitDoc, RoleFieldDoc, field_documents, limit_documents, waivers};
use super::{RosterRequest, read_roster};

/// The name and version of the document.
pub const ROSTER_MATRIX_SCHEMA: &str = "agon.roster_matrix/1";

/// Outcome of every role in every host: `agon.roster_matrix/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RosterMatrixDoc {
    #[schemars(extend("const" = ROSTER_MATRIX_SCHEMA))]
    schema: &'static str,
    /// The hosts, by name.
    pub hosts: Vec<&'static str>,
    /// A cell for every role in every host, by role, then by host.
    pub cells: Vec<CellDoc>,
}

/// Outcome of a role in a host.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CellDoc {
    /// The role.
    pub role: String,
    /// The host.
    pub host: &'static str,
    /// `kept`; `translated`: all limits are enforced, but some fields are expressed differently or
    /// missing; `waived`: installed without a limit that was waived; `left_out`: not installed.
    pub outcome: &'static str,
    /// The outcome of each field.
    pub fields: Vec<RoleFieldDoc>,
    /// Limits that are not enforced because they were waived.
    pub waived: Vec<&'static str>,
    /// Limits because of which it is left out.
    pub left_out: Vec<LimitDoc>,
    /// Permissions for which the host has no tool.
    pub lacks: Vec<&'static str>,
    /// Tools that its model is offered, by the names it sees.
    pub tools: Vec<String>,
    /// Additional tools once a team was joined.
    pub team_tools: Vec<String>,
}

/// Returns the outcome of every role in every host, with the waivers of earlier installations.
///
/// # Errors
///
/// If a file of a team's settings is not valid, or a receipt cannot be read.
pub fn matrix(caller: &Caller, request: &RosterRequest) -> Result<RosterMatrixDoc, Failure> {
    let holding = read_roster(caller, request)?;
    let mut by_host = Vec::new();
    for host in HOSTS {
        let waived = waivers(caller, host, request)?;
        let target = Target {
            host,
            server: SERVER,
            waived: &waived,
            is_for_project: false,
        };
        let cells = roster_cells(&holding.roles, &holding.roster, &target);
        by_host.push(cells.into_iter().map(cell_document).collect::<Vec<_>>());
    }
    let mut cells = Vec::new();
    for at in 0..holding.roles.len() {
        let of_role = by_host.iter().filter_map(|cells| cells.get(at));
        cells.extend(of_role.cloned());
    }
    Ok(RosterMatrixDoc {
        schema: ROSTER_MATRIX_SCHEMA,
        hosts: HOSTS.iter().map(|host| host.name).collect(),
        cells,
    })
}

fn cell_document(cell: RosterCell) -> CellDoc {
    CellDoc {
        outcome: cell.outcome.name(),
        fields: field_documents(&cell.fields),
        waived: cell.waived.iter().map(|field| field.name()).collect(),
        left_out: limit_documents(&cell.left_out),
        lacks: cell.lacks.iter().map(|power| power.name()).collect(),
        tools: cell.tools,
        team_tools: cell.team_tools,
        role: cell.role,
        host: cell.host,
    }
}
