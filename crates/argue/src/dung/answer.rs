use crate::ArgId;

/// The maximum cost of one question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchLimits {
    /// Maximum number of conflicts in the solver, over all of its calls for the question.
    ///
    /// This measure of work is the same on every machine: between some thousands and some hundred
    /// thousands of conflicts take a second.
    pub conflicts: u64,
}

impl Default for SearchLimits {
    fn default() -> Self {
        Self {
            conflicts: u64::MAX,
        }
    }
}

/// A question exceeded its [`SearchLimits`] and was abandoned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the search reached its conflict limit")]
pub struct LimitHit;

/// Whether an argument is accepted, with a witness.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Whether it is accepted.
    pub accepted: bool,
    /// An extension that shows the answer: one with the argument if some extension must contain it,
    /// or one without it if every extension must.
    ///
    /// `None` for the other two answers, which no single extension can show.
    pub witness: Option<Vec<ArgId>>,
}

/// For every argument, whether some extension and whether every extension contains it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Acceptance {
    /// Whether some extension contains it, one entry per argument.
    pub credulous: Vec<bool>,
    /// Whether every extension contains it, one entry per argument.
    pub skeptical: Vec<bool>,
}
