//! Checks that installed agents match the roster and that hosts accept them.

use agon_caller::{Caller, Failure};
use agon_hosts::compile::{Compiled, Kind, Target, compile_with};
use agon_hosts::content::{Content, ContentSet, TEAM_FILES};
use agon_hosts::drift::{AgentDrift, agent_drift};
use agon_hosts::host::{HOSTS, Host, SERVER, Scope};
use agon_hosts::install::Installation;
use agon_hosts::lint::{Finding, LintFile, lint};
use agon_hosts::receipt::Receipt;
use schemars::JsonSchema;
use serde::Serialize;

use super::field::receipts;
use crate::hosts::short_path;
use crate::team_files::TeamLayers;
use crate::team_roster::TeamRoster;

/// The name and version of the document.
pub const ROSTER_CHECK_SCHEMA: &str = "agon.roster_check/1";

/// Result of comparing hosts with the roster: `agon.roster_check/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RosterCheckDoc {
    #[schemars(extend("const" = ROSTER_CHECK_SCHEMA))]
    schema: &'static str,
    /// The hosts in which a team was installed.
    pub installations: Vec<CheckedInstallationDoc>,
    /// Problems in the files of the roles, and in the agents compiled from them.
    pub findings: Vec<Finding>,
}

impl RosterCheckDoc {
    /// Returns whether an installed agent differs from the roster.
    pub fn has_drift(&self) -> bool {
        let mut all = self.installations.iter();
        all.any(|installation| !installation.drift.is_empty())
    }
}

/// The agents of a team in a host.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CheckedInstallationDoc {
    /// The host.
    pub host: &'static str,
    /// Its name as its vendor writes it.
    pub title: &'static str,
    /// `user` or `project`.
    pub scope: &'static str,
    /// Number of agents that match the roster.
    pub current: usize,
    /// Agents that differ.
    pub drift: Vec<DriftDoc>,
}

/// An agent that differs from the roster.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct DriftDoc {
    /// The role.
    pub role: String,
    /// Its file.
    pub path: String,
    /// `outdated`: the roster has changed; `changed`: its file was edited or is not Agon's; `missing`: its
    /// file is gone; `new`: it was not installed; `left_out`: the host can no longer enforce its limits.
    pub kind: &'static str,
}

/// Compares installed agents with the roster, and checks the roster itself.
///
/// # Errors
///
/// If a file of a team's settings is not valid, or a receipt cannot be read.
pub fn check(caller: &Caller) -> Result<RosterCheckDoc, Failure> {
    let here = TeamRoster::read(caller, &TeamLayers::default())?;
    let everywhere = TeamRoster::read_for_scope(caller, &Scope::User)?;
    let mut installations = Vec::new();
    let mut findings = lint_roles();
    for host in HOSTS {
        findings.extend(lint_agents(&here, host));
        for (place, receipt) in receipts(caller, host)? {
            let holding = match place.scope {
                Scope::Project(_) => &here,
                Scope::User => &everywhere,
            };
            if receipt.what != ContentSet::Debate {
                installations.push(compare(caller, holding, &place, &receipt));
            }
        }
    }
    Ok(RosterCheckDoc {
        schema: ROSTER_CHECK_SCHEMA,
        installations,
        findings,
    })
}

fn compare(
    caller: &Caller,
    holding: &TeamRoster,
    place: &Installation,
    receipt: &Receipt,
) -> CheckedInstallationDoc {
    let is_for_project = matches!(place.scope, Scope::Project(_));
    let compiled = agents(holding, (place.host, is_for_project), &receipt.waived);
    let drift = agent_drift(place, receipt, &holding.roster, &compiled);
    let names: Vec<_> = drift.iter().map(|drift| drift.role.as_str()).collect();
    let files = compiled.files.iter();
    let current = files.filter(|file| !names.contains(&file.name.as_str()));
    let document = |drift: &AgentDrift| DriftDoc {
        role: drift.role.clone(),
        path: short_path(caller, &drift.path),
        kind: drift.kind.name(),
    };
    CheckedInstallationDoc {
        host: place.host.name,
        title: place.host.title,
        scope: match place.scope {
            Scope::User => "user",
            Scope::Project(_) => "project",
        },
        current: current.count(),
        drift: drift.iter().map(document).collect(),
    }
}

/// Compiles the roles to a host's agents.
fn agents(
    holding: &TeamRoster,
    (host, is_for_project): (&Host, bool),
    waived: &[String],
) -> Compiled {
    let content = Content {
        roles: holding.roles.clone(),
        ..Content::default()
    };
    let target = Target {
        host,
        server: SERVER,
        waived,
        is_for_project,
    };
    compile_with(&content, &holding.roster, &target)
}

/// Checks the files of the roles.
fn lint_roles() -> Vec<Finding> {
    let roles = TEAM_FILES.iter();
    let roles = roles.filter(|(path, _)| path.starts_with("roles/"));
    let file = |(path, text): &(&str, &str)| LintFile {
        path: (*path).to_owned(),
        bytes: text.as_bytes().to_vec(),
    };
    lint(&roles.map(file).collect::<Vec<_>>(), None).findings
}

/// Checks the agents compiled for a host, including those that need waivers.
fn lint_agents(holding: &TeamRoster, host: &'static Host) -> Vec<Finding> {
    let first = agents(holding, (host, false), &[]);
    let waived: Vec<_> = first.failed.iter().map(|failed| failed.waiver()).collect();
    let files = agents(holding, (host, false), &waived).files.into_iter();
    let files = files.filter(|file| file.kind == Kind::Agent);
    let file = |file: agon_hosts::compile::CompiledFile| LintFile {
        path: format!("{}/agents/{}", host.name, file.path),
        bytes: file.text.into_bytes(),
    };
    lint(&files.map(file).collect::<Vec<_>>(), Some(host)).findings
}
