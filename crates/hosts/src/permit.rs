//! Translates a team's policy into a host's own permissions, and reads these permissions back.
//!
//! [`PermissionRules`] are the policy for one role. [`PermissionForm::compile`] writes the rules that a
//! host can enforce in the host's format, and reports for every rule whether it is enforced or why not;
//! hooks enforce the rest. [`HostPermissions`] reads such a text as the host does. Each host's format is
//! in its file below `host/`.

pub(crate) mod abilities;
mod compile;
pub(crate) mod form;
pub(crate) mod glob;
mod order;
mod read;
pub(crate) mod rules;
mod setup;
mod spelling;

use std::collections::BTreeSet;
use std::path::Path;

pub use self::compile::{CompiledPermissions, RuleOutcome};
pub use self::form::{MemberForm, PermissionForm};
pub use self::order::RuleRef;
pub use self::read::HostPermissions;
pub use self::rules::PermissionsFault;
pub use self::setup::PermissionSetup;
use crate::content::agent::Power;

/// Effect of a rule, ordered from lax to strict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PermissionEffect {
    /// The action is allowed.
    Allow,
    /// The host asks a person first.
    Ask,
    /// The action is refused.
    Deny,
}

impl PermissionEffect {
    /// All effects.
    pub(crate) const ALL: [Self; 3] = [Self::Allow, Self::Ask, Self::Deny];

    /// Returns its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Ask => "ask",
            Self::Deny => "deny",
        }
    }

    /// Returns the effect with this name.
    pub(crate) fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|effect| effect.name() == name)
    }
}

/// A rule for one role.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PermissionRule {
    /// Number in its file, from 1.
    pub number: usize,
    /// Its effect.
    pub effect: PermissionEffect,
    /// The permissions it is about.
    pub powers: BTreeSet<Power>,
    /// The paths it is about, as globs from the root of the repository; if empty, everything.
    pub paths: Vec<String>,
}

/// A policy for one role; the strictest applicable rule wins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PermissionRules {
    /// Effect if no rule applies.
    pub default: PermissionEffect,
    /// The rules.
    pub rules: Vec<PermissionRule>,
}

/// Scope of a permission text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PermissionScope<'a> {
    /// All sessions of the user.
    User,
    /// All sessions in the project with this folder.
    Project(&'a Path),
    /// All sessions in the project with this folder, which is a subfolder of a repository: the policy's
    /// paths start above it.
    Part(&'a Path),
    /// A member that Agon starts in this work tree. No person can answer it, so asking means refusing,
    /// except for edits, about which a person is asked before the merge.
    Member(&'a Path),
}

impl<'a> PermissionScope<'a> {
    /// Returns the scope of the project in `folder`, in a repository with the work tree `tree`.
    pub fn of_project(folder: &'a Path, tree: Option<&Path>) -> Self {
        let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
        match tree {
            Some(tree) if real(tree) != real(folder) => Self::Part(folder),
            Some(_) | None => Self::Project(folder),
        }
    }

    /// Returns whether it is a member's scope.
    pub const fn is_member(&self) -> bool {
        matches!(self, Self::Member(_))
    }

    /// Returns the folder that paths are relative to, if it is known.
    pub(crate) const fn root(&self) -> Option<&'a Path> {
        match self {
            Self::User | Self::Part(_) => None,
            Self::Project(root) | Self::Member(root) => Some(root),
        }
    }

    /// Returns that folder's path; fails if it contains one of `characters`.
    pub(crate) fn quotable_root(&self, characters: &[char]) -> Result<Option<&'a str>, GlobFault> {
        const FAULT: GlobFault = GlobFault("it cannot quote the path of the folder");
        let Some(root) = self.root() else {
            return Ok(None);
        };
        let root = root.to_str().ok_or(FAULT)?;
        match root.contains(characters) || root.contains(char::is_control) {
            true => Err(FAULT),
            false => Ok(Some(root)),
        }
    }
}

/// Why a glob cannot be written in a host's syntax.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct GlobFault(pub(crate) &'static str);

/// For a glob that expands to more patterns than a host gets.
const TOO_MANY: GlobFault = GlobFault("the glob expands to too many patterns");

/// Permissions that concern paths.
pub(crate) const OF_PATHS: [Power; 2] = [Power::Read, Power::Edit];
