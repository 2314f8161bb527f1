use std::ops::Not;

/// A variable of a [`Sat`] solver, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Var(pub u32);

impl Var {
    /// Returns the literal that is true if the variable is true.
    pub fn positive(self) -> Lit {
        Lit {
            var: self,
            positive: true,
        }
    }

    /// Returns the literal that is true if the variable is false.
    pub fn negative(self) -> Lit {
        !self.positive()
    }
}

/// A variable or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Lit {
    /// The variable.
    pub var: Var,
    /// Whether the literal is the variable itself.
    pub positive: bool,
}

impl Not for Lit {
    type Output = Self;

    fn not(self) -> Self {
        Self {
            positive: !self.positive,
            ..self
        }
    }
}

/// An incremental SAT solver, with the operations that the semantics need.
///
/// To use another back end, implement this trait and pass it as the parameter of
/// [`Reasoner`](crate::Reasoner). Answers are reproducible only if the back end is deterministic.
pub trait Sat: Default {
    /// Adds a variable; the first has index 0, and each later one the next index.
    fn new_var(&mut self) -> Var;

    /// Permanently requires that at least one of the literals is true.
    fn add_clause(&mut self, literals: &[Lit]);

    /// Searches for values that satisfy all clauses and assumptions.
    ///
    /// `conflicts` is the remaining budget, which the call reduces by the amount used. Returns
    /// `None` if the budget was not sufficient.
    fn solve(&mut self, assumptions: &[Lit], conflicts: &mut u64) -> Option<bool>;

    /// Returns a variable's value; valid after [`Sat::solve`] returned true, until its next call.
    fn value(&self, var: Var) -> bool;
}
