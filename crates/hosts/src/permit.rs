//! The policy of a team in a host's own permissions, and read back from them.
//!
//! [`PermissionRules`] are a policy as it holds for one role. [`PermissionForm::compile`] writes what a
//! host can hold of it in the host's form, and says of every rule whether it is held or why not; what a
//! host cannot hold is left to hooks. [`HostPermissions`] reads such a text as the host does. The form
//! of each host is in its file below `host/`.

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

/// What is said of an act. The later one is stricter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PermissionEffect {
    /// Nothing speaks against it.
    Allow,
    /// A person is asked first.
    Ask,
    /// It is refused.
    Deny,
}

impl PermissionEffect {
    /// Every one.
    pub(crate) const ALL: [Self; 3] = [Self::Allow, Self::Ask, Self::Deny];

    /// Its word.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Ask => "ask",
            Self::Deny => "deny",
        }
    }

    /// The one that is called so.
    pub(crate) fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|effect| effect.name() == name)
    }
}

/// A rule for one role, whose budget is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PermissionRule {
    /// Its number in its file, from 1.
    pub number: usize,
    /// What it says.
    pub effect: PermissionEffect,
    /// Of which acts.
    pub powers: BTreeSet<Power>,
    /// On which paths, as globs of the repository; of every act where there are none.
    pub paths: Vec<String>,
}

/// A policy as it holds for one role: of the rules that apply the strictest wins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PermissionRules {
    /// What holds where no rule applies.
    pub default: PermissionEffect,
    /// The rules.
    pub rules: Vec<PermissionRule>,
}

/// Whose permissions a text is to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PermissionScope<'a> {
    /// Those of all sessions of the user.
    User,
    /// Those of all sessions in a project, whose folder this is.
    Project(&'a Path),
    /// Those of all sessions in a project that is a part of a repository, and this its folder: paths of the
    /// policy begin above it.
    Part(&'a Path),
    /// Those of a member that Agon starts in this work tree. No person answers it: to ask is to refuse, but of edits, about which a person
    /// is asked before they are merged.
    Member(&'a Path),
}

impl<'a> PermissionScope<'a> {
    /// That of the project in `folder`, of the repository whose work tree is `tree`.
    pub fn of_project(folder: &'a Path, tree: Option<&Path>) -> Self {
        let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
        match tree {
            Some(tree) if real(tree) != real(folder) => Self::Part(folder),
            Some(_) | None => Self::Project(folder),
        }
    }

    /// Whether it is that of a member.
    pub const fn is_member(&self) -> bool {
        matches!(self, Self::Member(_))
    }

    /// The folder that paths are relative to, where it is known.
    pub(crate) const fn root(&self) -> Option<&'a Path> {
        match self {
            Self::User | Self::Part(_) => None,
            Self::Project(root) | Self::Member(root) => Some(root),
        }
    }

    /// The text of that folder, where none of `letters` is in it.
    pub(crate) fn quotable_root(&self, letters: &[char]) -> Result<Option<&'a str>, GlobFault> {
        const FAULT: GlobFault = GlobFault("it cannot quote the path of the folder");
        let Some(root) = self.root() else {
            return Ok(None);
        };
        let root = root.to_str().ok_or(FAULT)?;
        match root.contains(letters) || root.contains(char::is_control) {
            true => Err(FAULT),
            false => Ok(Some(root)),
        }
    }
}

/// Why a glob cannot be said in a host's language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct GlobFault(pub(crate) &'static str);

/// Of a glob that stands for more globs or patterns than a host is told.
const TOO_MANY: GlobFault = GlobFault("the glob stands for too many");

/// The acts that are done to a path.
pub(crate) const OF_PATHS: [Power; 2] = [Power::Read, Power::Edit];
