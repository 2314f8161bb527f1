//! Profiles, named sets of choices: `profiles.toml`.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::fault::Faults;
use super::flags::FlagValue;
use super::{Flags, Servers, Teams};
use crate::content::agent::{Effort, Power};

/// Named sets of choices, one of which is active: `profiles.toml`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Profiles {
    /// `agon.profiles/1`.
    pub schema: String,
    /// Name of the active profile.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub profile: Option<String>,
    /// The profiles, by name.
    pub profiles: BTreeMap<String, Profile>,
}

/// A named set of choices.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Profile {
    /// Its purpose, in one line.
    pub about: String,
    /// The team.
    pub team: String,
    /// Minimum effort of every role.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub effort: Option<Effort>,
    /// Servers that are on in addition to the enabled ones.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub servers: Vec<String>,
    /// Permissions that no role gets, whatever its file says.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub without: BTreeSet<Power>,
    /// Values of flags, by flag.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub set: BTreeMap<String, FlagValue>,
}

impl Profiles {
    pub(super) fn check(
        &self,
        flags: &Flags,
        teams: &Teams,
        servers: &Servers,
        faults: &mut Faults,
    ) {
        if let Some(name) = &self.profile {
            let known = self.profiles.keys().map(String::as_str);
            faults.require_known(&["profile"], "profile", name, known);
        }
        for (name, profile) in &self.profiles {
            let keys = |key: &'static str| ["profiles", name, key];
            faults.require_name(&["profiles", name], name);
            faults.require_about(&keys("about"), &profile.about);
            if profile.team.is_empty() {
                let hint = "add `team` with the name of a team";
                faults.add(&["profiles", name], "it has no team", hint);
            } else {
                let known = teams.teams.keys().map(String::as_str);
                faults.require_known(&keys("team"), "team", &profile.team, known);
            }
            if profile.without.contains(&Power::Read) {
                let hint = "remove `read`: a role that cannot read cannot work";
                faults.add(&keys("without"), "it forbids every role to read", hint);
            }
            for wanted in &profile.servers {
                let Some(server) = servers.servers.get(wanted) else {
                    let known = servers.servers.keys().map(String::as_str);
                    faults.require_known(&keys("servers"), "server", wanted, known);
                    continue;
                };
                if server.network && profile.without.contains(&Power::Network) {
                    let what = format!("it forbids the network but uses the server `{wanted}`");
                    faults.add(&keys("servers"), what, "remove one of the two");
                }
            }
            flags.check_values(&keys("set"), &profile.set, faults);
        }
    }
}
