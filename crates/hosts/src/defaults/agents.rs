//! Settings of each role: `agents.toml`.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::fault::Faults;
use crate::content::Role;
use crate::content::agent::{Effort, ModelClass, Power, SESSION};
use crate::host::{HOSTS, find_host};
use crate::lint::{SERVER_TOOLS, TEAM_TOOLS};

/// Settings of each role: `agents.toml`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Agents {
    /// `agon.agents/1`.
    pub schema: String,
    /// Model of each class, by host; `session` is the model that the user chose there.
    pub models: BTreeMap<String, ClassModels>,
    /// Overrides of the role's own file, by role.
    pub roles: BTreeMap<String, AgentSettings>,
}

/// Model of each class.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ClassModels {
    /// A small, fast model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fast: Option<String>,
    /// The everyday model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub standard: Option<String>,
    /// The strongest model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strong: Option<String>,
}

impl ClassModels {
    /// Returns the model of `class`.
    pub fn model(&self, class: ModelClass) -> Option<&str> {
        match class {
            ModelClass::Fast => self.fast.as_deref(),
            ModelClass::Standard => self.standard.as_deref(),
            ModelClass::Strong => self.strong.as_deref(),
        }
    }
}

/// Overrides of a role's own file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct AgentSettings {
    /// Model class.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<ModelClass>,
    /// Name of a model, by host; overrides the class.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub models: BTreeMap<String, String>,
    /// Reasoning effort.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub effort: Option<Effort>,
    /// Sampling temperature from 0 to 2, in hosts that support it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
    /// Permissions; only permissions that the role's own file grants.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub may: Option<BTreeSet<Power>>,
    /// The tools of Agon's server that it may call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agon: Option<Vec<String>>,
    /// Skills that it always gets.
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
                let what = "`temperature` is out of range";
                faults.add(&keys("temperature"), what, "use a number from 0 to 2");
            }
            for power in settings.may.iter().flatten() {
                if !role.may.contains(power) {
                    let what = format!("the role `{name}` may not {}", power.name());
                    let hint =
                        "a setting can only narrow what a role may do: choose a role that may";
                    faults.add(&keys("may"), what, hint);
                }
            }
            let may = settings.may.as_ref();
            let hint = "keep at least `read`, or remove the role from the team";
            if may.is_some_and(BTreeSet::is_empty) {
                faults.add(&keys("may"), "`may` is empty", hint);
            } else if may.is_some_and(|may| !may.contains(&Power::Read)) {
                // Most hosts read an empty list of tools as "all tools".
                faults.add(&keys("may"), "`may` lacks `read`", hint);
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

/// Reports a name that the host cannot read as a model.
fn require_model(keys: &[&str], host: &str, model: &str, faults: &mut Faults) {
    if model.trim().is_empty() {
        faults.add(
            keys,
            "the model name is empty",
            "name a model, or `session`",
        );
    } else if let Some(host) = find_host(host)
        && host.has_models_by_provider
        && model != SESSION
        && !model.contains('/')
    {
        // The host takes the part before the slash as the provider and does not check names without
        // one, so a wrong name would fail only at the first call.
        let what = format!("`{model}` has no provider, which {} requires", host.title);
        faults.add(keys, what, "write it as `PROVIDER/MODEL`, or `session`");
    }
}
