use crate::ArgId;

/// How much one question may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchLimits {
    /// The most conflicts the solver may run into, over all of its calls for the question.
    ///
    /// A measure of work that is the same on every machine: some thousands to some hundred
    /// thousands take a second.
    pub conflicts: u64,
}

impl Default for SearchLimits {
    fn default() -> Self {
        Self {
            conflicts: u64::MAX,
        }
    }
}

/// A question was given up because it cost more than its [`SearchLimits`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the search was given up after the conflicts it was allowed")]
pub struct LimitHit;

/// Whether an argument is accepted, and what shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Whether it is.
    pub accepted: bool,
    /// An extension with the argument where some extension was to have it, or one without it
    /// where every extension was to.
    ///
    /// Missing for the other two answers, which no single extension can show.
    pub witness: Option<Vec<ArgId>>,
}

/// For every argument, whether some and whether every extension has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Acceptance {
    /// Whether some extension has it, one entry per argument.
    pub credulous: Vec<bool>,
    /// Whether every extension has it, one entry per argument.
    pub skeptical: Vec<bool>,
}
