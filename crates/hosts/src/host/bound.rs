//! Enforcement of the limit on the files that an agent may edit.

use crate::field::FieldOutcome;

/// How a host enforces the limit on the files that an agent may edit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum EditBound {
    /// By the agent's own file.
    InFile(&'static str),
    /// By Agon's hook, to which the host passes the agent's name.
    ByHook,
    /// By this text in the host's permissions.
    ByRules(String),
    /// Not enforced, for this reason.
    Nothing(&'static str),
}

impl EditBound {
    /// Returns the outcome of the limit.
    pub(crate) const fn outcome(&self) -> FieldOutcome {
        match self {
            Self::InFile(how) => FieldOutcome::Translated(how),
            Self::ByHook => FieldOutcome::Translated("Agon's hook before an edit"),
            Self::ByRules(_) => FieldOutcome::Translated("a policy rule"),
            Self::Nothing(why) => FieldOutcome::NotEnforced(why),
        }
    }
}
