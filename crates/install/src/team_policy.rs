//! Reads policy files and compiles them for hosts.

pub mod resolve;

use std::io;
use std::path::{Path, PathBuf};

use agon_caller::Caller;
use agon_hosts::host::{Host, Scope};
use agon_hosts::permit::{CompiledPermissions, PermissionScope};
use agon_team::policy::Policy;
use agon_team::store::TeamLocation;

pub use self::resolve::{LeftOutRule, policy_effect_of, resolve};

/// Name of a policy file. The team's is next to its database, the user's next to the configuration.
const FILE: &str = "policy.toml";

/// Reads the policies that apply here: the team's, then the user's. Neither is in a work tree.
pub fn read_all(caller: &Caller, location: &TeamLocation) -> Vec<(PathBuf, Policy)> {
    let team = location.database().with_file_name(FILE);
    let team = read(&team).map(|policy| (team, policy));
    team.into_iter().chain(read_user(caller)).collect()
}

/// Reads the user's policy, if there is one.
pub(crate) fn read_user(caller: &Caller) -> Vec<(PathBuf, Policy)> {
    let user = user_file(caller).and_then(|path| Some((path.clone(), read(&path)?)));
    user.into_iter().collect()
}

/// Returns the path of the user's policy.
pub fn user_file(caller: &Caller) -> Option<PathBuf> {
    let beside = caller.user_config_file()?;
    Some(beside.with_file_name(FILE))
}

/// Maximum size of a policy file.
const MAX_BYTES: u64 = 1 << 20;

/// Reads a policy file. Returns `None` if it does not exist, and a policy that denies everything if it
/// cannot be read.
pub fn read(path: &Path) -> Option<Policy> {
    match agon_files::read_to_string(path, MAX_BYTES) {
        Ok(text) => Some(Policy::parse(&text)),
        // Only a missing file means `None`: a dangling link is an unreadable policy, which denies
        // everything.
        Err(error)
            if error.kind() == io::ErrorKind::NotFound && path.symlink_metadata().is_err() =>
        {
            None
        }
        Err(error) => Some(Policy::denying(format!("it cannot be read: {error}"))),
    }
}

/// Compiles the policies for one host and the sessions of an installation.
pub(crate) fn compile_for_installation(
    caller: &Caller,
    host: &Host,
    scope: &Scope,
) -> CompiledPermissions {
    let (policies, scope) = match scope {
        Scope::Project(project) => {
            let found = TeamLocation::find(project).ok();
            let all = found.as_ref().map(|location| read_all(caller, location));
            let all = all.unwrap_or_else(|| read_user(caller));
            let tree = found.and_then(|location| location.work_tree);
            (all, PermissionScope::of_project(project, tree.as_deref()))
        }
        Scope::User => (read_user(caller), PermissionScope::User),
    };
    let resolved = resolve(&policies, None, None);
    host.permissions.compile(&resolved.rules, &scope)
}

#[cfg(test)]
mod tests;
