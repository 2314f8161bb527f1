//! The roster: each role as it is run, by what the layers of a team's settings add up to.
//!
//! A role says for itself what it is and how strong a model it wants; the settings say what that is
//! in each host, and take away from what it may do. Every value keeps where it was set.

mod setting;

use std::collections::{BTreeMap, BTreeSet};

pub use self::setting::{RoleServer, RoleSettings, Setting};

use crate::content::server::Server;
use crate::content::{self, Agent, Role};
use crate::defaults::{Defaults, Resolved};
use crate::host::SERVER;

/// Each role as it is run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Roster {
    roles: Vec<RoleSettings>,
    servers: BTreeMap<String, Server>,
}

impl Roster {
    /// What `resolved` makes of `roles`.
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

    /// What the defaults alone make of `roles`; a test holds that they can be read.
    pub fn by_default(roles: &[Role]) -> Self {
        // Other roles than those that there are belong to tests of what is compiled.
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

    /// Every role, in the order of the source.
    pub fn roles(&self) -> &[RoleSettings] {
        &self.roles
    }

    /// The role that is called `name`.
    pub fn role(&self, name: &str) -> Option<&RoleSettings> {
        self.roles.iter().find(|role| role.name == name)
    }

    /// The servers besides Agon's that a role gets, by name.
    pub fn servers(&self) -> &BTreeMap<String, Server> {
        &self.servers
    }

    /// Gives `agent`, which was made of the role `name`, what the settings say for `host`.
    pub fn adjust(&self, name: &str, host: &str, agent: &mut Agent) {
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
