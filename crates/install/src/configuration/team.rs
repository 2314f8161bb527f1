//! The settings of a team, as a part of the configuration.

use agon_caller::{Caller, Failure};
use agon_hosts::defaults::{DefaultsKind, Resolved, SetValue};
use agon_redact::Redactor;
use schemars::JsonSchema;
use serde::Serialize;

use super::ConfigurationRequest;
use crate::team_files::{TeamLayers, resolve_team};

/// A part of the configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConfigPart {
    /// What debates are held with.
    Config,
    /// How the roles of a team are run.
    Agents,
    /// What a team does unless it is told otherwise.
    Flags,
    /// Named sets of choices for a team.
    Profiles,
    /// Who belongs to a team.
    Teams,
    /// Servers, and which roles get them.
    Mcp,
}

impl ConfigPart {
    /// What it is called.
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
    /// The file that it belongs into, such as `agents.toml`.
    pub file: &'static str,
    /// Its key there, such as `models.claude.fast`.
    pub key: String,
    /// Its value, as TOML; of a flag the one that holds, with the profile on top of the files.
    pub value: String,
    /// Where it is set: `default`, `PATH:LINE`, a profile with its place, a variable or `flag`; none
    /// where that was not asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
}

/// Every value of a team's settings, as far as the request wants them.
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

/// The value of every flag that holds: how a flag is declared cannot be set.
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
    // What is only read by people, and the name of the form, change nothing.
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
