//! Named sets of choices.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::fault::Faults;
use super::flags::FlagValue;
use super::{Flags, Servers, Teams};
use crate::content::agent::{Effort, Power};

/// Named sets of choices, one of which holds at a time: `profiles.toml`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Profiles {
    /// `agon.profiles/1`.
    pub schema: String,
    /// The one that holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub profile: Option<String>,
    /// The profiles, by name.
    pub profiles: BTreeMap<String, Profile>,
}

/// A named set of choices.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Profile {
    /// What it is for, in a line.
    pub about: String,
    /// The team.
    pub team: String,
    /// The least effort of every role.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub effort: Option<Effort>,
    /// The servers that are on, besides those that are enabled.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub servers: Vec<String>,
    /// What no role may do, whatever its file says.
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
                let hint = "add `team`, the name of one";
                faults.add(&["profiles", name], "it names no team", hint);
            } else {
                let known = teams.teams.keys().map(String::as_str);
                faults.require_known(&keys("team"), "team", &profile.team, known);
            }
            if profile.without.contains(&Power::Read) {
                let hint = "take `read` out; a role that reads nothing does nothing";
                faults.add(&keys("without"), "it forbids every role to read", hint);
            }
            for wanted in &profile.servers {
                let Some(server) = servers.servers.get(wanted) else {
                    let known = servers.servers.keys().map(String::as_str);
                    faults.require_known(&keys("servers"), "server", wanted, known);
                    continue;
                };
                if server.network && profile.without.contains(&Power::Network) {
                    let what = format!("it forbids the network and has the server `{wanted}`");
                    faults.add(&keys("servers"), what, "leave one of the two out");
                }
            }
            flags.check_values(&keys("set"), &profile.set, faults);
        }
    }
}
