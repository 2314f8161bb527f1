//! The parts of a policy that a host can enforce.

use super::PermissionScope;
use crate::content::agent::Power;
use crate::field::FieldOutcome::{self, NotEnforced, Translated};

/// The limits that a host can enforce for each permission, by kind of session.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SessionAbilities {
    /// The user's sessions in any folder.
    pub(crate) user: Abilities,
    /// The user's sessions in a project.
    pub(crate) project: Abilities,
    /// A member started by Agon.
    pub(crate) member: Abilities,
}

impl SessionAbilities {
    pub(super) const fn of(&self, scope: &PermissionScope<'_>) -> &Abilities {
        match scope {
            PermissionScope::User => &self.user,
            PermissionScope::Project(_) | PermissionScope::Part(_) => &self.project,
            PermissionScope::Member(_) => &self.member,
        }
    }
}

/// The limits that a host can enforce for each permission in a session.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Abilities {
    pub(crate) read: Ability,
    pub(crate) edit: Ability,
    pub(crate) run: FieldOutcome,
    pub(crate) network: FieldOutcome,
    pub(crate) delegate: FieldOutcome,
}

impl Abilities {
    /// Returns abilities with the same outcome for all permissions.
    pub(crate) const fn all(outcome: FieldOutcome) -> Self {
        Self::of_paths(Ability::all(outcome), Ability::all(outcome), outcome)
    }

    /// Returns abilities with the same outcome for all permissions without paths.
    pub(crate) const fn of_paths(read: Ability, edit: Ability, other: FieldOutcome) -> Self {
        Self {
            read,
            edit,
            run: other,
            network: other,
            delegate: other,
        }
    }

    pub(super) const fn of(&self, power: Power) -> Ability {
        let whole = match power {
            Power::Read => return self.read,
            Power::Edit => return self.edit,
            Power::Run => self.run,
            Power::Network => self.network,
            Power::Delegate => self.delegate,
        };
        Ability::new(whole, NO_PATHS, NO_PATHS)
    }

    /// Returns whether a session has no tool for `power`, whatever its permissions are.
    pub(super) fn offers_no_tool(&self, power: Power) -> bool {
        [NOT_OFFERED, NO_NETWORK].contains(&self.of(power).whole)
    }
}

/// The limits that a host can enforce for one permission.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ability {
    /// Deny or ask about all actions.
    pub(super) whole: FieldOutcome,
    /// Deny or ask about actions on certain paths.
    pub(super) paths: FieldOutcome,
    /// Allow only actions on certain paths.
    pub(super) exceptions: FieldOutcome,
}

impl Ability {
    pub(crate) const fn new(
        whole: FieldOutcome,
        paths: FieldOutcome,
        exceptions: FieldOutcome,
    ) -> Self {
        Self {
            whole,
            paths,
            exceptions,
        }
    }

    pub(crate) const fn all(outcome: FieldOutcome) -> Self {
        Self::new(outcome, outcome, outcome)
    }
}

const NO_PATHS: FieldOutcome = NotEnforced("such an action has no path");

// Reasons that several hosts use.
pub(crate) const NO_EXCEPTIONS: FieldOutcome = NotEnforced("its rules cannot have exceptions");
pub(crate) const ROOT_UNKNOWN: FieldOutcome =
    NotEnforced("its rules for all folders do not know where a repository starts");
pub(crate) const SEARCH: FieldOutcome =
    NotEnforced("its own search would still show the file's content");
pub(crate) const NOT_OFFERED: FieldOutcome = Translated("its model gets no such tool");
pub(crate) const NO_NETWORK: FieldOutcome = Translated("its sandbox has no network access");
