//! The roster: the effective settings of each role, from its own file and the layers of settings.
//!
//! A role's file says what it does and which model class it needs. The settings map the class to a model
//! in each host and can narrow the permissions. Every value records where it was set.

mod setting;

use std::collections::{BTreeMap, BTreeSet};

pub use self::setting::{RoleServer, RoleSettings, Setting};

use crate::content::server::Server;
use crate::content::{self, Agent, Role};
use crate::defaults::{Defaults, Resolved};
use crate::host::SERVER;

/// The effective settings of each role.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Roster {
    roles: Vec<RoleSettings>,
    servers: BTreeMap<String, Server>,
}

impl Roster {
    /// Returns the settings of `roles` from `resolved`.
    pub fn new(resolved: &Resolved, roles: &[Role]) -> Self {
        let roles = roles.iter();
        let roles: Vec<_> = roles
            .map(|role| RoleSettings::resolve(role, resolved))
            .collect();
        let servers = resolved.defaults.servers.servers.iter();
        let is_wanted =
            |name: &str| name != SERVER && roles.iter().any(|role| role.has_server(name));
        let servers = servers.filter(|(name, _)| is_wanted(name));
        Self {
            servers: servers
                .map(|(name, server)| (name.clone(), server.clone()))
                .collect(),
            roles,
        }
    }

    /// Returns the settings of `roles` from the defaults alone; a test makes sure that these can be read.
    pub fn by_default(roles: &[Role]) -> Self {
        // Resolves against the real roles, not `roles`, because tests pass roles that do not exist.
        let known = content::team().unwrap_or_default();
        let skills: BTreeSet<_> = [content::embedded().unwrap_or_default().skills, known.skills]
            .into_iter()
            .flatten()
            .map(|skill| skill.name)
            .collect();
        let skills: Vec<_> = skills.into_iter().collect();
        let resolved = Defaults::resolve(&[], &known.roles, &skills).unwrap_or_default();
        Self::new(&resolved, roles)
    }

    /// Returns all roles, in the order of the source.
    pub fn roles(&self) -> &[RoleSettings] {
        &self.roles
    }

    /// Returns the role called `name`.
    pub fn role(&self, name: &str) -> Option<&RoleSettings> {
        self.roles.iter().find(|role| role.name == name)
    }

    /// Returns the servers other than Agon's that a role gets, by name.
    pub fn servers(&self) -> &BTreeMap<String, Server> {
        &self.servers
    }

    /// Applies the settings for `host` to `agent`, which was made from the role `name`.
    pub fn apply_role_settings(&self, name: &str, host: &str, agent: &mut Agent) {
        let Some(role) = self.role(name) else {
            return;
        };
        agent.model = role.class.value;
        agent.model_name = Some(role.model(host).value);
        agent.effort = Some(role.effort.value);
        agent.temperature = role.temperature.value;
        agent.may.clone_from(&role.may.value);
        agent.agon.clone_from(&role.agon.value);
        agent.skills.clone_from(&role.skills.value);
        let servers = self.servers.keys();
        agent.servers = servers
            .filter(|name| role.has_server(name))
            .cloned()
            .collect();
        if !agent.may.contains(&content::agent::Power::Edit) {
            agent.edit_only.clear();
        }
    }
}
