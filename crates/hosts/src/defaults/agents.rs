//! How each role is run.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::fault::Faults;
use crate::content::Role;
use crate::content::agent::{Effort, ModelClass, Power, SESSION};
use crate::host::{HOSTS, find_host};
use crate::lint::{SERVER_TOOLS, TEAM_TOOLS};

/// How each role is run: `agents.toml`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Agents {
    /// `agon.agents/1`.
    pub schema: String,
    /// The model of each class, by host; `session` is the one that the user chose there.
    pub models: BTreeMap<String, ClassModels>,
    /// What differs from the role's own file, by role.
    pub roles: BTreeMap<String, AgentSettings>,
}

/// The model of each class.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ClassModels {
    /// A small one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fast: Option<String>,
    /// The everyday one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub standard: Option<String>,
    /// The strongest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strong: Option<String>,
}

impl ClassModels {
    /// The model of `class`.
    pub fn model(&self, class: ModelClass) -> Option<&str> {
        match class {
            ModelClass::Fast => self.fast.as_deref(),
            ModelClass::Standard => self.standard.as_deref(),
            ModelClass::Strong => self.strong.as_deref(),
        }
    }
}

/// What differs from a role's own file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct AgentSettings {
    /// How strong a model it gets.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<ModelClass>,
    /// A model by its name in a host, by host; it comes before the class.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub models: BTreeMap<String, String>,
    /// How hard it thinks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub effort: Option<Effort>,
    /// How varied its answers are, from 0 to 2, in hosts that have it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
    /// What it may do, of what its role may.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub may: Option<BTreeSet<Power>>,
    /// The tools of Agon's server that it may call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agon: Option<Vec<String>>,
    /// The skills that it is given in any case.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skills: Option<Vec<String>>,
}

impl Agents {
    pub(super) fn check(&self, roles: &[Role], skills: &[String], faults: &mut Faults) {
        let hosts = || HOSTS.iter().map(|host| host.name);
        for (host, models) in &self.models {
            faults.require_known(&["models", host], "host", host, hosts());
            let classes = [
                ("fast", &models.fast),
                ("standard", &models.standard),
                ("strong", &models.strong),
            ];
            for (class, model) in classes {
                if let Some(model) = model {
                    require_model(&["models", host, class], host, model, faults);
                }
            }
        }
        for (name, settings) in &self.roles {
            let keys = |key: &'static str| ["roles", name, key];
            let Some(role) = roles.iter().find(|role| role.name == *name) else {
                let known = roles.iter().map(|role| role.name.as_str());
                faults.require_known(&["roles", name], "role", name, known);
                continue;
            };
            for (host, model) in &settings.models {
                let keys = ["roles", name, "models", host];
                faults.require_known(&keys, "host", host, hosts());
                require_model(&keys, host, model, faults);
            }
            if settings
                .temperature
                .is_some_and(|it| !(0.0..=2.0).contains(&it))
            {
                let what = "its temperature is out of range";
                faults.add(&keys("temperature"), what, "give a number from 0 to 2");
            }
            for power in settings.may.iter().flatten() {
                if !role.may.contains(power) {
                    let what = format!("the role `{name}` may not {}", power.name());
                    let hint = "a setting takes away and never gives: choose a role that may";
                    faults.add(&keys("may"), what, hint);
                }
            }
            let may = settings.may.as_ref();
            let hint = "leave at least `read`, or leave the role out of the team";
            if may.is_some_and(BTreeSet::is_empty) {
                faults.add(&keys("may"), "it may do nothing at all", hint);
            } else if may.is_some_and(|may| !may.contains(&Power::Read)) {
                // Of an empty list of tools most hosts make all of them.
                faults.add(&keys("may"), "it may not read", hint);
            }
            for tool in settings.agon.iter().flatten() {
                let known = SERVER_TOOLS.iter().chain(TEAM_TOOLS).copied();
                faults.require_known(&keys("agon"), "tool of Agon's server", tool, known);
            }
            for skill in settings.skills.iter().flatten() {
                let known = skills.iter().map(String::as_str);
                faults.require_known(&keys("skills"), "skill", skill, known);
            }
        }
    }
}

/// Refuses what a host could not take for a model.
fn require_model(keys: &[&str], host: &str, model: &str, faults: &mut Faults) {
    if model.trim().is_empty() {
        faults.add(keys, "it names no model", "name a model, or `session`");
    } else if let Some(host) = find_host(host)
        && host.has_models_by_provider
        && model != SESSION
        && !model.contains('/')
    {
        // It reads the part before the slash as the provider, and takes one without it unchecked.
        let what = format!("{} knows no model `{model}`", host.title);
        faults.add(keys, what, "write it as `PROVIDER/MODEL`, or `session`");
    }
}
