//! What a host can hold of a policy.

use super::PermissionScope;
use crate::content::agent::Power;
use crate::field::FieldOutcome::{self, NotEnforced, Translated};

/// What a host can hold of the acts of each power, by whose session it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SessionAbilities {
    /// One of the user's, in whatever folder.
    pub(crate) user: Abilities,
    /// One of the user's, in a project.
    pub(crate) project: Abilities,
    /// That of a member that Agon starts.
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

/// What a host can hold of the acts of each power in a session.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Abilities {
    pub(crate) read: Ability,
    pub(crate) edit: Ability,
    pub(crate) run: FieldOutcome,
    pub(crate) network: FieldOutcome,
    pub(crate) delegate: FieldOutcome,
}

impl Abilities {
    /// Those of a host of which the same is true for all acts.
    pub(crate) const fn all(outcome: FieldOutcome) -> Self {
        Self::of_paths(Ability::all(outcome), Ability::all(outcome), outcome)
    }

    /// Those of a host of which the same is true for all acts that have no path.
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

    /// Whether a session is offered no tool for acts of `power`, whatever its permissions say.
    pub(super) fn offers_none(&self, power: Power) -> bool {
        [NOT_OFFERED, NO_NETWORK].contains(&self.of(power).whole)
    }
}

/// What a host can hold of the acts of one power.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ability {
    /// That all of them are denied, or asked about.
    pub(super) whole: FieldOutcome,
    /// That those on certain paths are denied or asked about.
    pub(super) paths: FieldOutcome,
    /// That those on certain paths are let through, and all others not.
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

const NO_PATHS: FieldOutcome = NotEnforced("such an act has no path");

// What several hosts have in common.
pub(crate) const NO_EXCEPTIONS: FieldOutcome =
    NotEnforced("what it denies or asks about has no exceptions");
pub(crate) const ROOT_UNKNOWN: FieldOutcome =
    NotEnforced("its rules for all folders cannot tell where a repository begins");
pub(crate) const SEARCH: FieldOutcome =
    NotEnforced("a search of its own shows what is in a file all the same");
pub(crate) const NOT_OFFERED: FieldOutcome = Translated("its model is offered no such tool");
pub(crate) const NO_NETWORK: FieldOutcome = Translated("its sandbox reaches no other machine");
