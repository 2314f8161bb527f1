//! Reads a host's permissions as the host does.

use super::form::PermissionForm;
use super::rules::{HostRule, HostRules, PermissionsFault, Wins};
use super::{PermissionEffect, PermissionScope};
use crate::content::agent::{Power, tools_of};

/// The permissions of a host.
#[derive(Clone, Debug)]
pub struct HostPermissions {
    form: PermissionForm,
    rules: HostRules,
    /// Permissions for which there is no tool.
    denied: Vec<Power>,
}

impl PermissionForm {
    /// Reads the permissions in `text`: the host's settings, its rules file, or a member's arguments as a
    /// JSON list.
    ///
    /// # Errors
    ///
    /// If the host could not read it.
    pub fn read(
        &self,
        text: &str,
        scope: &PermissionScope<'_>,
    ) -> Result<HostPermissions, PermissionsFault> {
        let able = self.abilities.of(scope);
        let all = Power::ALL.into_iter();
        let denied = all.filter(|power| scope.is_member() && able.offers_no_tool(*power));
        Ok(HostPermissions {
            form: *self,
            rules: (self.read)(text, scope)?,
            denied: denied.collect(),
        })
    }
}

impl HostPermissions {
    /// Returns the host's decision about an action on `path`, which is relative to the folder.
    pub fn verdict(
        &self,
        power: Power,
        path: Option<&str>,
        scope: &PermissionScope<'_>,
    ) -> PermissionEffect {
        if self.denied.contains(&power) {
            return PermissionEffect::Deny;
        }
        // Checks only the first tool, which stands for all tools of the permission.
        let tool = tools_of(self.form.tools, power).first();
        let named = path.unwrap_or_default();
        let text = match (self.form.seen_path, scope.root()) {
            (Some(seen), Some(root)) => seen(named, root),
            _ => named.to_owned(),
        };
        let of_power = |rule: &&HostRule| tool.is_some_and(|tool| rule.tool == *tool);
        let fitting = self.rules.all.iter().filter(of_power);
        let fitting = fitting.filter(|rule| rule.fits.path(path, &text));
        let decided = match self.form.wins {
            Wins::Strictest => fitting.map(|rule| rule.effect).max(),
            Wins::Last => fitting.map(|rule| rule.effect).next_back(),
            Wins::Longest => fitting
                .max_by_key(|rule| rule.fits.length())
                .map(|rule| rule.effect),
        };
        match decided {
            None if self.rules.is_narrowed && power == Power::Edit => PermissionEffect::Deny,
            decided => decided.unwrap_or(PermissionEffect::Allow),
        }
    }
}
