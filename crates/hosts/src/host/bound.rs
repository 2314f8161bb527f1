//! How an agent that may edit some files alone is kept from the others.

use crate::field::FieldOutcome;

/// How an agent that may edit some files alone is kept from the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum EditBound {
    /// By its own file.
    InFile(&'static str),
    /// By Agon's hook, which the host tells the agent that edits.
    ByHook,
    /// By this text among the host's own permissions.
    ByRules(String),
    /// Not at all, for this reason.
    Nothing(&'static str),
}

impl EditBound {
    /// What becomes of the limit.
    pub(crate) const fn outcome(&self) -> FieldOutcome {
        match self {
            Self::InFile(how) => FieldOutcome::Translated(how),
            Self::ByHook => FieldOutcome::Translated("Agon's hook before an edit"),
            Self::ByRules(_) => FieldOutcome::Translated("a rule of its policies"),
            Self::Nothing(why) => FieldOutcome::NotEnforced(why),
        }
    }
}
