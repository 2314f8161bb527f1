//! A team's settings as a part of the configuration.

use agon_caller::{Caller, Failure};
use agon_hosts::defaults::{DefaultsKind, Resolved, SetValue};
use agon_redact::Redactor;
use schemars::JsonSchema;
use serde::Serialize;

use super::ConfigurationRequest;
use crate::team_files::{TeamLayers, resolve_team};

/// A part of the configuration, which a caller can select.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConfigPart {
    /// Settings of debates.
    Config,
    /// Settings of a team's roles.
    Agents,
    /// Flags of a team.
    Flags,
    /// Named sets of choices for a team.
    Profiles,
    /// Members of each team.
    Teams,
    /// MCP servers, and the roles that may use them.
    Mcp,
}

impl ConfigPart {
    /// Returns its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Config => "config",
            Self::Agents => "agents",
            Self::Flags => "flags",
            Self::Profiles => "profiles",
            Self::Teams => "teams",
            Self::Mcp => "mcp",
        }
    }

    fn of(kind: DefaultsKind) -> Self {
        match kind {
            DefaultsKind::Agents => Self::Agents,
            DefaultsKind::Flags => Self::Flags,
            DefaultsKind::Profiles => Self::Profiles,
            DefaultsKind::Teams => Self::Teams,
            DefaultsKind::Servers => Self::Mcp,
        }
    }
}

/// A value of a team's settings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TeamSettingDoc {
    /// Its file, such as `agents.toml`.
    pub file: &'static str,
    /// Its key there, such as `models.claude.fast`.
    pub key: String,
    /// Its value as TOML; for a flag, the effective value including the profile.
    pub value: String,
    /// Where it is set, if sources were requested: `default`, `PATH:LINE`, a profile with its place, a
    /// variable or `flag`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
}

/// Returns the requested values of a team's settings.
pub(super) fn settings(
    caller: &Caller,
    request: &ConfigurationRequest,
    redactor: &Redactor,
) -> Result<Vec<TeamSettingDoc>, Failure> {
    let parts = &request.parts;
    let is_wanted =
        |kind: &DefaultsKind| parts.is_empty() || parts.contains(&ConfigPart::of(*kind));
    let kinds: Vec<_> = DefaultsKind::ALL.into_iter().filter(is_wanted).collect();
    if kinds.is_empty() {
        return Ok(Vec::new());
    }
    let wanted = TeamLayers {
        profile: request.team_profile.clone(),
        ..TeamLayers::default()
    };
    let resolved = resolve_team(caller, &wanted)?;
    let mut settings = Vec::new();
    for kind in kinds {
        match kind {
            DefaultsKind::Flags => settings.extend(flags(&resolved)),
            DefaultsKind::Agents
            | DefaultsKind::Profiles
            | DefaultsKind::Teams
            | DefaultsKind::Servers => settings.extend(values(&resolved, kind)),
        }
    }
    for setting in &mut settings {
        setting.value = redactor.redact(&setting.value).text.replace('\n', "\\n");
        if !request.with_sources {
            setting.source = None;
        }
    }
    Ok(settings)
}

/// Returns the effective value of every flag; declarations cannot be set, so they are left out.
fn flags(resolved: &Resolved) -> Vec<TeamSettingDoc> {
    let names = resolved.defaults.flags.flags.keys();
    let setting = |name: &String| {
        let (value, source) = resolved.flag(name)?;
        Some(TeamSettingDoc {
            file: DefaultsKind::Flags.file(),
            key: format!("set.{name}"),
            value: value.to_string(),
            source: Some(source),
        })
    };
    names.filter_map(setting).collect()
}

fn values(resolved: &Resolved, kind: DefaultsKind) -> Vec<TeamSettingDoc> {
    let all = resolved.values.iter();
    // Skips descriptions and the schema name, which change nothing.
    let acts = |key: &str| key != "schema" && !key.ends_with(".about");
    let own = all.filter(|((of, key), _)| *of == kind && acts(key));
    let setting = |((_, key), set): (&(DefaultsKind, String), &SetValue)| TeamSettingDoc {
        file: kind.file(),
        key: key.clone(),
        value: set.value.to_string(),
        source: Some(set.source.to_string()),
    };
    own.map(setting).collect()
}
