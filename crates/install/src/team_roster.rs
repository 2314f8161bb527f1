//! Reads the effective roster and compiles it for a host.

use agon_caller::{Caller, Code, Failure, similar};
use agon_hosts::compile::{Compiled, Target, compile, compile_with};
use agon_hosts::content::{Content, Role};
use agon_hosts::defaults::Resolved;
use agon_hosts::host::Scope;
use agon_hosts::roster::{RoleSettings, Roster};

use crate::team_files::{TeamLayers, resolve_team, team_content};

/// The effective roster, with its roles and settings.
pub struct TeamRoster {
    /// The roles.
    pub(crate) roles: Vec<Role>,
    /// The settings.
    pub(crate) resolved: Resolved,
    /// The effective settings of the roles.
    pub(crate) roster: Roster,
}

impl TeamRoster {
    /// Reads the effective roster of `caller`.
    ///
    /// # Errors
    ///
    /// If a file of a team's settings is not valid.
    pub fn read(caller: &Caller, wanted: &TeamLayers) -> Result<Self, Failure> {
        let roles = team_content()?.roles;
        let resolved = resolve_team(caller, wanted)?;
        let roster = Roster::new(&resolved, &roles);
        Ok(Self {
            roles,
            resolved,
            roster,
        })
    }

    /// Reads the roster for an installation in `scope`; an installation for all projects ignores this
    /// project's settings.
    ///
    /// # Errors
    ///
    /// Those of [`Self::read`].
    pub(crate) fn read_for_scope(caller: &Caller, scope: &Scope) -> Result<Self, Failure> {
        let wanted = TeamLayers {
            is_for_all_projects: *scope == Scope::User,
            ..TeamLayers::default()
        };
        Self::read(caller, &wanted)
    }

    /// Returns the settings of the roster.
    pub fn settings(&self) -> &Resolved {
        &self.resolved
    }

    /// Returns the role called `name` and its settings.
    ///
    /// # Errors
    ///
    /// If there is none; the hint lists similar names.
    pub fn role(&self, name: &str) -> Result<(&Role, &RoleSettings), Failure> {
        let role = find_role(&self.roles, name)?;
        let settings = self.roster.role(name).ok_or_else(|| {
            let message = format!("`{name}` has no settings");
            Failure::new(Code::Bug, message)
        })?;
        Ok((role, settings))
    }
}

/// Returns the role called `name`.
///
/// # Errors
///
/// If there is none; the hint lists similar names.
pub(crate) fn find_role<'a>(roles: &'a [Role], name: &str) -> Result<&'a Role, Failure> {
    let role = roles.iter().find(|role| role.name == name);
    role.ok_or_else(|| {
        let names = roles.iter().map(|role| role.name.as_str());
        let message = format!("unknown role `{name}`");
        Failure::new(Code::UnknownRole, message)
            .parameter("role")
            .hint(similar::hint(name, names, "list them with `agon roster`"))
    })
}

/// Compiles `content` for a host, with the role settings for `scope`.
///
/// # Errors
///
/// If it has roles, and a file of a team's settings is not valid.
pub(crate) fn compile_for(
    caller: &Caller,
    scope: &Scope,
    content: &Content,
    target: &Target<'_>,
) -> Result<Compiled, Failure> {
    // Content without roles does not depend on a team's settings, so these are not read.
    if content.roles.is_empty() {
        return Ok(compile(content, target));
    }
    let team = TeamRoster::read_for_scope(caller, scope)?;
    Ok(compile_with(content, &team.roster, target))
}

#[cfg(test)]
mod tests {
    use agon_agents::profile::Profiles;
    use agon_hosts::content::agent::SESSION;
    use agon_hosts::defaults::Defaults;

    use super::*;

    #[test]
    fn a_model_that_is_named_by_default_is_one_of_its_tool() {
        let team = team_content().unwrap();
        let resolved = Defaults::resolve(&[], &team.roles, &team.skills).unwrap();
        let profiles = Profiles::builtin().unwrap();
        let mut named = 0;
        for (host, models) in &resolved.defaults.agents.models {
            let is_it = |profile: &&agon_agents::profile::Profile| profile.name.as_str() == host;
            let profile = profiles.iter().find(is_it).unwrap();
            let classes = profile.classes.as_ref();
            let pairs = [
                (&models.fast, classes.map(|it| &it.fast)),
                (&models.standard, classes.map(|it| &it.standard)),
                (&models.strong, classes.map(|it| &it.strong)),
            ];
            for (model, of_tool) in pairs {
                if model.as_deref() != Some(SESSION) {
                    assert_eq!(model.as_ref(), of_tool, "{host}");
                    named += 1;
                }
            }
        }
        assert_eq!(named, 4);
    }
}
