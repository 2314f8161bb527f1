use std::ops::Not;

/// A variable of a [`Sat`] solver, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Var(pub u32);

impl Var {
    /// Gives the literal that is true when the variable is.
    pub fn positive(self) -> Lit {
        Lit {
            var: self,
            positive: true,
        }
    }

    /// Gives the literal that is true when the variable is not.
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

/// An incremental solver of clauses, as much of it as the semantics need.
///
/// Another back end implements this and is named as the parameter of
/// [`Reasoner`](crate::Reasoner). For answers that are the same on every run it has to be
/// deterministic.
pub trait Sat: Default {
    /// Adds a variable; the first is 0, and each is one more than the last.
    fn new_var(&mut self) -> Var;

    /// Demands that at least one of the literals is true, now and later.
    fn add_clause(&mut self, literals: &[Lit]);

    /// Looks for values that satisfy all clauses and assumptions.
    ///
    /// `conflicts` is what may still be spent and is lowered by what was.
    /// Returns nothing when that was not enough to tell.
    fn solve(&mut self, assumptions: &[Lit], conflicts: &mut u64) -> Option<bool>;

    /// Gives a variable's value after [`Sat::solve`] returned true, until the next call to it.
    fn value(&self, var: Var) -> bool;
}
