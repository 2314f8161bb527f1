//! Members of each team: `teams.toml`.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::fault::Faults;
use crate::content::Role;
use crate::host::HOSTS;

// More members than a person can follow or the subscriptions of AI tools allow at once.
/// Maximum members of one role.
const MAX_MEMBERS: i64 = 16;

/// Roles that check changes.
const CHECKERS: [&str; 4] = ["reviewer", "validator", "qa", "auditor"];

const MEMBER_HINT: &str = "add the role to `members`";

/// The function of a role in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TeamPart {
    /// It makes the plan.
    Plans,
    /// It reports to the planner before the plan is made.
    Reports,
    /// It objects to the plan.
    Objects,
    /// It makes changes.
    Works,
    /// It checks changes before they are merged.
    Checks,
}

impl TeamPart {
    /// Returns the function of the role `name` in a run, or `None` if runs do not use it.
    pub fn of_role(name: &str) -> Option<Self> {
        Some(match name {
            "planner" => Self::Plans,
            "scout" => Self::Reports,
            "critic" | "devil" => Self::Objects,
            "worker" | "heavy-worker" | "deep-worker" | "quick" | "ui-worker"
            | "ui-heavy-worker" | "scribe" => Self::Works,
            checker if CHECKERS.contains(&checker) => Self::Checks,
            _ => return None,
        })
    }
}

/// Members of each team: `teams.toml`.
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
    /// Its purpose, in one line.
    pub about: String,
    /// How many members of each role work at once; 0 removes a role that a lower layer has. Only roles
    /// that make changes can have more than one.
    pub members: BTreeMap<String, i64>,
    /// Roles that check a change before its merge, one after the other: `reviewer`, `validator`, `qa`,
    /// `auditor`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub checked_by: Vec<String>,
    /// Host of each role that does not use the default.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub hosts: BTreeMap<String, String>,
}

impl Team {
    /// Returns its roles, each with the number of members.
    pub fn roles(&self) -> impl Iterator<Item = (&str, i64)> {
        let members = self.members.iter().filter(|(_, count)| **count > 0);
        members.map(|(role, count)| (role.as_str(), *count))
    }

    /// Returns whether it has a member of `role`.
    pub fn has(&self, role: &str) -> bool {
        self.roles().any(|(member, _)| member == role)
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
    if team.roles().next().is_none() {
        let hint = "add `members`, such as `worker = 1`";
        faults.add(&keys("members"), "it has no members", hint);
    }
    for (role, count) in &team.members {
        let keys = ["teams", name, "members", role];
        if !roles.iter().any(|it| it.name == *role) {
            let known = roles.iter().map(|role| role.name.as_str());
            faults.require_known(&keys, "role", role, known);
        } else {
            check_count(&keys, team, (role, *count), faults);
        }
    }
    let is_part = |part| move |(role, _): (&str, i64)| TeamPart::of_role(role) == Some(part);
    let works = team.roles().any(is_part(TeamPart::Works));
    if team.roles().next().is_some() && !works {
        let hint = "add a role that makes changes, such as `worker = 1`";
        faults.add(&keys("members"), "no member makes changes", hint);
    }
    let require_member = |place: &[&str], role: &str, what: &str, faults: &mut Faults| {
        // If a layer set the count to 0, report the error at that layer.
        let removal = ["teams", name, "members", role];
        let place = match team.members.contains_key(role) {
            true => &removal,
            false => place,
        };
        if !team.has(role) {
            let what = format!("`{role}` {what} but is not a member");
            faults.add(place, what, MEMBER_HINT);
        }
    };
    for (place, checker) in team.checked_by.iter().enumerate() {
        if team.checked_by.iter().take(place).any(|it| it == checker) {
            let what = format!("it names `{checker}` twice");
            faults.add(&keys("checked_by"), what, "name each role once");
            continue;
        }
        if TeamPart::of_role(checker) != Some(TeamPart::Checks) {
            let what = format!("`{checker}` does not check changes");
            let hint = format!("choose one of `{}`", CHECKERS.join("`, `"));
            faults.add(&keys("checked_by"), what, hint);
            continue;
        }
        require_member(&keys("checked_by"), checker, "is in `checked_by`", faults);
    }
    if works && team.checked_by.is_empty() {
        let what = "its members make changes that no member checks";
        let hint = "add `checked_by = [\"reviewer\"]` and the member";
        faults.add(&keys("checked_by"), what, hint);
    }
    for (role, host) in &team.hosts {
        let keys = ["teams", name, "hosts", role];
        require_member(&keys, role, "is in `hosts`", faults);
        faults.require_known(&keys, "host", host, HOSTS.iter().map(|host| host.name));
    }
}

/// Reports a count that a run cannot use.
fn check_count(keys: &[&str], team: &Team, (role, count): (&String, i64), faults: &mut Faults) {
    if !(0..=MAX_MEMBERS).contains(&count) {
        let what = format!("`{count}` is not a valid number of members");
        let hint = format!("use a number from 0 to {MAX_MEMBERS}");
        faults.add(keys, what, hint);
        return;
    }
    if count == 0 {
        return;
    }
    let Some(part) = TeamPart::of_role(role) else {
        let hint = "delete it; `docs/roster.md` lists the roles of a run";
        faults.add(
            keys,
            format!("a team run never uses the role `{role}`"),
            hint,
        );
        return;
    };
    if count > 1 && part != TeamPart::Works {
        let what = format!("a run uses only one `{role}` at a time, not {count}");
        faults.add(keys, what, "use 0 or 1");
    }
    let needs_planner = matches!(part, TeamPart::Reports | TeamPart::Objects);
    if needs_planner && !team.has("planner") {
        let what = format!("`{role}` reports to the planner, but the team has none");
        faults.add(keys, what, "add `planner = 1`, or delete it");
    }
    if part == TeamPart::Checks && !team.checked_by.contains(role) {
        let what = format!("`{role}` is a member but is not in `checked_by`");
        faults.add(keys, what, "add it to `checked_by`, or delete it");
    }
}
