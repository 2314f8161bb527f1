//! Effective settings of a role, each value with its source.

use std::collections::{BTreeMap, BTreeSet};

use crate::content::Role;
use crate::content::agent::{Effort, ModelClass, Power, SESSION};
use crate::defaults::agents::AgentSettings;
use crate::defaults::{DefaultsKind, Resolved};
use crate::host::{HOSTS, SERVER};

/// A value and its source.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting<T> {
    /// The value.
    pub value: T,
    /// Description of where it was set.
    pub source: String,
}

/// Effective settings of a role.
#[derive(Clone, Debug, PartialEq)]
pub struct RoleSettings {
    /// Its name.
    pub name: String,
    /// Its purpose, as a sentence.
    pub purpose: String,
    /// The active profile, if there is one.
    pub profile: Option<Setting<String>>,
    /// Model class.
    pub class: Setting<ModelClass>,
    /// Model in each host that has one for the role, by host.
    pub models: BTreeMap<&'static str, Setting<String>>,
    /// Reasoning effort.
    pub effort: Setting<Effort>,
    /// Sampling temperature.
    pub temperature: Setting<Option<f64>>,
    /// Permissions.
    pub may: Setting<BTreeSet<Power>>,
    /// The only files that it may edit, as globs.
    pub edit_only: Vec<String>,
    /// The tools of Agon's server that it may call.
    pub agon: Setting<Vec<String>>,
    /// Skills that it always gets.
    pub skills: Setting<Vec<String>>,
    /// Servers that name the role.
    pub servers: Vec<RoleServer>,
}

/// A server that names the role.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoleServer {
    /// Its name.
    pub name: String,
    /// Why the role does not get it; `None` if it does.
    pub off: Option<String>,
    /// Description of where it was switched on or off.
    pub source: String,
}

impl RoleSettings {
    pub(super) fn resolve(role: &Role, resolved: &Resolved) -> Self {
        let of = RoleSource { role, resolved };
        let profile = resolved.profile();
        let may = of.may();
        let servers = of.servers(&may.value);
        Self {
            name: role.name.clone(),
            purpose: role.purpose.clone(),
            profile: profile.map(|(name, _)| Setting {
                value: name.to_owned(),
                source: of.source(DefaultsKind::Profiles, "profile"),
            }),
            class: of.setting("model", |own| own.model, role.model),
            models: of.models(),
            effort: of.effort(),
            temperature: of.setting(
                "temperature",
                |own| own.temperature.map(Some),
                role.temperature,
            ),
            agon: of.agon(&servers),
            skills: of.setting("skills", |own| own.skills.clone(), role.skills.clone()),
            edit_only: role.edit_only.clone(),
            may,
            servers,
        }
    }

    /// Returns whether it gets the server called `name`.
    pub fn has_server(&self, name: &str) -> bool {
        let is_it = |server: &RoleServer| server.name == name && server.off.is_none();
        self.servers.iter().any(is_it)
    }

    /// Returns its model in `host`: the name there, or `session` for the model that the user chose.
    pub fn model(&self, host: &str) -> Setting<String> {
        self.models.get(host).cloned().unwrap_or_else(|| Setting {
            value: SESSION.to_owned(),
            source: "no model is set for its class".to_owned(),
        })
    }
}

/// A role with the settings to resolve it.
struct RoleSource<'a> {
    role: &'a Role,
    resolved: &'a Resolved,
}

impl RoleSource<'_> {
    /// Describes where `key` of a file was set.
    fn source(&self, kind: DefaultsKind, key: &str) -> String {
        match self.resolved.source(kind, key) {
            Some(source) if !source.is_default() => source.to_string(),
            Some(_) | None => format!("default {}", kind.file()),
        }
    }

    /// Returns the value that the settings have for `key`, else the one from the role's own file.
    fn setting<T>(
        &self,
        key: &str,
        set: impl Fn(&AgentSettings) -> Option<T>,
        own: T,
    ) -> Setting<T> {
        let settings = self.resolved.defaults.agents.roles.get(&self.role.name);
        match settings.and_then(set) {
            Some(value) => Setting {
                value,
                source: self.source(
                    DefaultsKind::Agents,
                    &format!("roles.{}.{key}", self.role.name),
                ),
            },
            None => Setting {
                value: own,
                source: "its role".to_owned(),
            },
        }
    }

    /// Returns the model in each host: the model named for the role, otherwise the model of its
    /// class.
    fn models(&self) -> BTreeMap<&'static str, Setting<String>> {
        let agents = &self.resolved.defaults.agents;
        let class = self
            .setting("model", |own| own.model, self.role.model)
            .value;
        let class_key = match class {
            ModelClass::Fast => "fast",
            ModelClass::Standard => "standard",
            ModelClass::Strong => "strong",
        };
        let model = |host: &'static str| {
            let named = agents.roles.get(&self.role.name);
            let named = named.and_then(|role| role.models.get(host));
            let by_class = || agents.models.get(host)?.model(class);
            let (value, key) = match named {
                Some(name) => (
                    name.as_str(),
                    format!("roles.{}.models.{host}", self.role.name),
                ),
                None => (by_class()?, format!("models.{host}.{class_key}")),
            };
            let source = self.source(DefaultsKind::Agents, &key);
            let value = value.to_owned();
            Some((host, Setting { value, source }))
        };
        HOSTS.iter().filter_map(|host| model(host.name)).collect()
    }

    /// Returns the effort, raised to the active profile's minimum.
    fn effort(&self) -> Setting<Effort> {
        let own = self.setting("effort", |own| own.effort, self.role.effort);
        let least = self.resolved.profile().and_then(|(name, profile)| {
            let value = profile.effort?;
            let source = self.resolved.profile_source(name, "effort");
            Some(Setting { value, source })
        });
        least.filter(|least| least.value > own.value).unwrap_or(own)
    }

    /// Returns the permissions that the active profile does not remove.
    fn may(&self) -> Setting<BTreeSet<Power>> {
        let mut may = self.setting("may", |own| own.may.clone(), self.role.may.clone());
        if let Some((name, profile)) = self.resolved.profile() {
            let count = may.value.len();
            may.value.retain(|power| !profile.without.contains(power));
            if may.value.len() < count {
                may.source = format!(
                    "{}, reduced by {}",
                    may.source,
                    self.resolved.profile_source(name, "without")
                );
            }
        }
        may
    }

    /// Returns the tools of Agon's server, if the role gets that server.
    fn agon(&self, servers: &[RoleServer]) -> Setting<Vec<String>> {
        let agon = self.setting("agon", |own| own.agon.clone(), self.role.agon.clone());
        let server = servers.iter().find(|server| server.name == SERVER);
        let off = match server {
            Some(server) => server.off.clone(),
            None => Some(format!("`roles` of the server {SERVER} does not name it")),
        };
        match off {
            Some(why) if !agon.value.is_empty() => Setting {
                value: Vec::new(),
                source: format!(
                    "{why}: {}",
                    server.map_or_else(
                        || self.source(DefaultsKind::Servers, &format!("servers.{SERVER}.roles")),
                        |server| server.source.clone()
                    )
                ),
            },
            Some(_) | None => agon,
        }
    }

    /// Returns the servers that name the role.
    fn servers(&self, may: &BTreeSet<Power>) -> Vec<RoleServer> {
        let all = &self.resolved.defaults.servers.servers;
        let profile = self.resolved.profile();
        let own = all
            .iter()
            .filter(|(_, server)| server.roles.contains(&self.role.name));
        own.map(|(name, server)| {
            let by_profile = profile.filter(|(_, profile)| profile.servers.contains(name));
            let (is_on, source) = match by_profile {
                Some((profile, _)) => (true, self.resolved.profile_source(profile, "servers")),
                None => {
                    let key = format!("servers.{name}.enabled");
                    (server.enabled, self.source(DefaultsKind::Servers, &key))
                }
            };
            let off = if !is_on {
                Some("the server is not enabled".to_owned())
            } else if server.network && !may.contains(&Power::Network) {
                Some("the server uses the network, which the role may not".to_owned())
            } else {
                None
            };
            RoleServer {
                name: name.clone(),
                off,
                source,
            }
        })
        .collect()
    }
}
