//! Who belongs to a team.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::fault::Faults;
use crate::content::Role;
use crate::content::agent::Power;
use crate::host::HOSTS;

// More than a person can follow, and more than any plan of a machine's tools allows at once.
/// The most members of one role.
const MAX_MEMBERS: i64 = 16;

const MEMBER_HINT: &str = "add the role to `members`";

/// Who belongs to a team: `teams.toml`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Teams {
    /// `agon.teams/1`.
    pub schema: String,
    /// The teams, by name.
    pub teams: BTreeMap<String, Team>,
}

/// A team.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Team {
    /// What it is for, in a line.
    pub about: String,
    /// The role that hands out the tasks; without one, the person does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lead: Option<String>,
    /// How many members have each role; 0 takes out one that a lower layer has.
    pub members: BTreeMap<String, i64>,
    /// Those who check what others did; they edit nothing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub checked_by: Vec<String>,
    /// The host of a role, where it is not the default, by role.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub hosts: BTreeMap<String, String>,
}

impl Team {
    /// The roles that it has, each with how many.
    pub fn roles(&self) -> impl Iterator<Item = (&str, i64)> {
        let members = self.members.iter().filter(|(_, count)| **count > 0);
        members.map(|(role, count)| (role.as_str(), *count))
    }
}

impl Teams {
    pub(super) fn check(&self, roles: &[Role], faults: &mut Faults) {
        for (name, team) in &self.teams {
            faults.require_name(&["teams", name], name);
            faults.require_about(&["teams", name, "about"], &team.about);
            check_members(name, team, roles, faults);
        }
    }
}

fn check_members(name: &str, team: &Team, roles: &[Role], faults: &mut Faults) {
    let keys = |key: &'static str| ["teams", name, key];
    let may = |role: &str, power: Power| {
        let role = roles.iter().find(|it| it.name == role);
        role.is_some_and(|role| role.may.contains(&power))
    };
    let has = |role: &str| team.roles().any(|(member, _)| member == role);
    if team.roles().next().is_none() {
        faults.add(
            &keys("members"),
            "it has no members",
            "give `members`, as `worker = 1`",
        );
    }
    for (role, count) in &team.members {
        let keys = ["teams", name, "members", role];
        let known = roles.iter().map(|role| role.name.as_str());
        faults.require_known(&keys, "role", role, known);
        if !(0..=MAX_MEMBERS).contains(count) {
            let what = format!("it has {count} members of one role");
            faults.add(
                &keys,
                what,
                format!("give a number from 0 to {MAX_MEMBERS}"),
            );
        }
    }
    let require_member = |place: &[&str], role: &str, what: &str, faults: &mut Faults| {
        // Where a layer took the member out, the fault is there.
        let taken_out = ["teams", name, "members", role];
        let place = match team.members.contains_key(role) {
            true => &taken_out,
            false => place,
        };
        if !has(role) {
            faults.add(
                place,
                format!("`{role}` {what} and is not a member"),
                MEMBER_HINT,
            );
        }
        has(role)
    };
    if let Some(lead) = &team.lead {
        let is_member = require_member(&keys("lead"), lead, "leads", faults);
        if is_member && !may(lead, Power::Delegate) {
            let what = format!("its lead `{lead}` may not delegate");
            faults.add(
                &keys("lead"),
                what,
                "choose a role that may, such as `lead`",
            );
        }
    }
    for checker in &team.checked_by {
        let is_member = require_member(&keys("checked_by"), checker, "checks", faults);
        if is_member && may(checker, Power::Edit) {
            let what = format!("`{checker}` checks and may edit");
            let hint = "choose a role that changes nothing, such as `reviewer`";
            faults.add(&keys("checked_by"), what, hint);
        }
    }
    let edits = team.roles().any(|(role, _)| may(role, Power::Edit));
    if edits && team.checked_by.is_empty() {
        let what = "its members edit and none of them checks";
        faults.add(
            &keys("checked_by"),
            what,
            "add `checked_by = [\"reviewer\"]` and the member",
        );
    }
    for (role, host) in &team.hosts {
        let keys = ["teams", name, "hosts", role];
        require_member(&keys, role, "has a host", faults);
        faults.require_known(&keys, "host", host, HOSTS.iter().map(|host| host.name));
    }
}
