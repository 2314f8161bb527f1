//! One role: its settings, their sources, and its outcome in hosts.

use agon_caller::{Caller, Failure};
use agon_hosts::cells::roster_cells;
use agon_hosts::compile::Target;
use agon_hosts::content::Role;
use agon_hosts::content::agent::{Effort, ModelClass};
use agon_hosts::defaults::DefaultsKind;
use agon_hosts::host::{HOSTS, Host, SERVER};
use agon_hosts::roster::{RoleSettings, Setting};
use schemars::JsonSchema;
use serde::Serialize;

use super::field::{LimitDoc, RoleFieldDoc, field_documents, limit_documents, waivers};
use super::list::{edit_only, power_names};
use super::{RosterRequest, read_roster};
use crate::hosts::require_host;
use crate::team_roster::TeamRoster;

/// The name and version of the document.
pub const ROLE_SCHEMA: &str = "agon.role/1";

/// A role's effective settings: `agon.role/1`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct RoleDoc {
    #[schemars(extend("const" = ROLE_SCHEMA))]
    schema: &'static str,
    /// Its name.
    pub role: String,
    /// Its purpose, as a sentence.
    pub purpose: String,
    /// When to call it: the rest of a sentence after "Call it when".
    pub call_when: String,
    /// The active profile; null if there is none.
    pub profile: Option<ValueDoc<String>>,
    /// Model class: `fast`, `standard` or `strong`.
    pub class: ValueDoc<ModelClass>,
    /// Reasoning effort.
    pub effort: ValueDoc<Effort>,
    /// Sampling temperature from 0 to 2; null if the host decides.
    pub temperature: ValueDoc<Option<f64>>,
    /// Permissions.
    pub may: ValueDoc<Vec<&'static str>>,
    /// The only files that it may edit, as globs; if empty, `may` alone decides.
    pub edit_only: Vec<String>,
    /// The tools of Agon's server that it may call.
    pub agon: ValueDoc<Vec<String>>,
    /// Skills that it always gets, before others are chosen for a request.
    pub skills: ValueDoc<Vec<String>>,
    /// Servers that name it.
    pub servers: Vec<RoleServerDoc>,
    /// Maximum tokens of its instructions.
    pub max_text_tokens: usize,
    /// Maximum tokens of one task.
    pub max_task_tokens: u64,
    /// Its membership in the active team; null if it is not a member.
    pub membership: Option<MembershipDoc>,
    /// Its outcome in each requested host.
    pub hosts: Vec<RoleInHostDoc>,
}

/// A value and its source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ValueDoc<T> {
    /// The value.
    pub value: T,
    /// `its role`, `default FILE`, `PATH:LINE`, a profile with its place, a variable, or `flag`.
    pub source: String,
}

/// A server that names a role.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RoleServerDoc {
    /// Its name.
    pub server: String,
    /// Why the role does not get it; null if it does.
    pub off: Option<String>,
    /// Where it is switched on or off.
    pub source: String,
}

/// A role's membership in the active team.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct MembershipDoc {
    /// The team.
    pub team: String,
    /// How many members have the role.
    pub count: i64,
    /// Where the number is set.
    pub source: String,
    /// The host that they run in; null if none is set.
    pub host: Option<String>,
}

/// Outcome of a role in a host.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RoleInHostDoc {
    /// The host.
    pub host: &'static str,
    /// Its name as its vendor writes it.
    pub title: &'static str,
    /// The model's name there; `session` is the one that the user chose.
    pub model: ValueDoc<String>,
    /// Tools that its model is offered, by the names it sees; empty if it is left out.
    pub tools: Vec<String>,
    /// Additional tools once a team was joined.
    pub team_tools: Vec<String>,
    /// Permissions for which the host has no tool.
    pub lacks: Vec<&'static str>,
    /// `kept`, `translated`, `waived` or `left_out`, as in the matrix.
    pub outcome: &'static str,
    /// The outcome of each field.
    pub fields: Vec<RoleFieldDoc>,
    /// Limits that are not enforced because they were waived.
    pub waived: Vec<&'static str>,
    /// Limits because of which it is left out.
    pub left_out: Vec<LimitDoc>,
}

/// Returns the settings of the role `name` and its outcome in `host`, or in every host.
///
/// # Errors
///
/// If the role or host is unknown, a file of a team's settings is not valid, or a receipt cannot be
/// read.
pub fn show(
    caller: &Caller,
    request: &RosterRequest,
    name: &str,
    host: Option<&str>,
) -> Result<RoleDoc, Failure> {
    let holding = read_roster(caller, request)?;
    let (role, settings) = holding.role(name)?;
    let hosts: Vec<&'static Host> = match host {
        Some(host) => vec![require_host(host)?],
        None => HOSTS.iter().collect(),
    };
    let mut in_hosts = Vec::new();
    for host in hosts {
        in_hosts.push(in_host(caller, request, &holding, (role, settings, host))?);
    }
    Ok(document(&holding, role, settings, in_hosts))
}

fn document(
    holding: &TeamRoster,
    role: &Role,
    settings: &RoleSettings,
    hosts: Vec<RoleInHostDoc>,
) -> RoleDoc {
    let servers = settings.servers.iter().map(|server| RoleServerDoc {
        server: server.name.clone(),
        off: server.off.clone(),
        source: server.source.clone(),
    });
    RoleDoc {
        schema: ROLE_SCHEMA,
        role: role.name.clone(),
        purpose: role.purpose.clone(),
        call_when: role.call_when.clone(),
        profile: settings.profile.as_ref().map(value),
        class: value(&settings.class),
        effort: value(&settings.effort),
        temperature: value(&settings.temperature),
        may: ValueDoc {
            value: power_names(settings),
            source: settings.may.source.clone(),
        },
        edit_only: edit_only(settings),
        agon: value(&settings.agon),
        skills: value(&settings.skills),
        servers: servers.collect(),
        max_text_tokens: role.budget.text,
        max_task_tokens: role.budget.task,
        membership: membership(holding, &role.name),
        hosts,
    }
}

fn value<T: Clone>(setting: &Setting<T>) -> ValueDoc<T> {
    ValueDoc {
        value: setting.value.clone(),
        source: setting.source.clone(),
    }
}

/// Returns the role's membership in the active profile's team.
fn membership(holding: &TeamRoster, role: &str) -> Option<MembershipDoc> {
    let (_, profile) = holding.resolved.profile()?;
    let team = holding.resolved.defaults.teams.teams.get(&profile.team)?;
    let (_, count) = team.roles().find(|(member, _)| *member == role)?;
    let key = format!("teams.{}.members.{role}", profile.team);
    let source = holding.resolved.source(DefaultsKind::Teams, &key);
    let source = source.filter(|source| !source.is_default());
    Some(MembershipDoc {
        team: profile.team.clone(),
        count,
        source: source.map_or_else(|| "default teams.toml".to_owned(), ToString::to_string),
        host: team.hosts.get(role).cloned(),
    })
}

fn in_host(
    caller: &Caller,
    request: &RosterRequest,
    holding: &TeamRoster,
    (role, settings, host): (&Role, &RoleSettings, &'static Host),
) -> Result<RoleInHostDoc, Failure> {
    let waived = waivers(caller, host, request)?;
    let target = Target {
        host,
        server: SERVER,
        waived: &waived,
        is_for_project: false,
    };
    let cells = roster_cells(std::slice::from_ref(role), &holding.roster, &target);
    let cell = cells.first();
    let lacks = cell.map(|cell| cell.lacks.as_slice()).unwrap_or_default();
    let waived = cell.map(|cell| cell.waived.as_slice()).unwrap_or_default();
    Ok(RoleInHostDoc {
        host: host.name,
        title: host.title,
        model: value(&settings.model(host.name)),
        tools: cell.map_or_else(Vec::new, |cell| cell.tools.clone()),
        team_tools: cell.map_or_else(Vec::new, |cell| cell.team_tools.clone()),
        lacks: lacks.iter().map(|power| power.name()).collect(),
        outcome: cell.map_or("left_out", |cell| cell.outcome.name()),
        fields: cell.map_or_else(Vec::new, |cell| field_documents(&cell.fields)),
        waived: waived.iter().map(|field| field.name()).collect(),
        left_out: cell.map_or_else(Vec::new, |cell| limit_documents(&cell.left_out)),
    })
}
