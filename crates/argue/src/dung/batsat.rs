use std::fmt;

use batsat::{Callbacks, ClauseKind, Solver, SolverInterface, lbool};

use super::{Lit, Sat, Var};

/// The default [`Sat`] back end: the `batsat` solver, a port of MiniSat to Rust.
pub struct Batsat {
    solver: Solver<Budget>,
    vars: Vec<batsat::Var>,
    clause: Vec<batsat::Lit>,
}

/// Stops the solver when it reaches its maximum number of learned clauses.
#[derive(Default)]
struct Budget {
    left: u64,
}

impl Callbacks for Budget {
    fn on_new_clause(&mut self, _: &[batsat::Lit], kind: ClauseKind) {
        if kind == ClauseKind::Learnt {
            self.left = self.left.saturating_sub(1);
        }
    }

    fn stop(&self) -> bool {
        self.left == 0
    }
}

impl Default for Batsat {
    fn default() -> Self {
        Self {
            solver: Solver::new(batsat::SolverOpts::default(), Budget::default()),
            vars: Vec::new(),
            clause: Vec::new(),
        }
    }
}

impl fmt::Debug for Batsat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Batsat")
            .field("vars", &self.solver.num_vars())
            .field("clauses", &self.solver.num_clauses())
            .finish()
    }
}

impl Batsat {
    fn load_clause(&mut self, literals: &[Lit]) {
        self.clause.clear();
        let vars = &self.vars;
        let theirs = |it: &Lit| batsat::Lit::new(vars[it.var.0 as usize], it.positive);
        self.clause.extend(literals.iter().map(theirs));
    }
}

impl Sat for Batsat {
    fn new_var(&mut self) -> Var {
        let var = Var(self.vars.len() as u32);
        self.vars.push(self.solver.new_var_default());
        var
    }

    fn add_clause(&mut self, literals: &[Lit]) {
        self.load_clause(literals);
        // A false result means that the clauses are unsatisfiable; solving will report it too.
        self.solver.add_clause_reuse(&mut self.clause);
    }

    fn solve(&mut self, assumptions: &[Lit], conflicts: &mut u64) -> Option<bool> {
        self.solver.cb_mut().left = *conflicts;
        self.load_clause(assumptions);
        let answer = self.solver.solve_limited(&self.clause);
        *conflicts = self.solver.cb().left;
        if answer == lbool::TRUE {
            Some(true)
        } else if answer == lbool::FALSE {
            Some(false)
        } else {
            None
        }
    }

    fn value(&self, var: Var) -> bool {
        self.vars
            .get(var.0 as usize)
            .is_some_and(|&it| self.solver.value_var(it) == lbool::TRUE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn assumptions_hold_for_one_call() {
        let mut sat = Batsat::default();
        let (a, b) = (sat.new_var(), sat.new_var());
        sat.add_clause(&[a.positive(), b.positive()]);
        let mut conflicts = 1_000;
        assert_eq!(
            sat.solve(&[a.negative(), b.negative()], &mut conflicts),
            Some(false)
        );
        assert_eq!(sat.solve(&[a.negative()], &mut conflicts), Some(true));
        assert_eq!((sat.value(a), sat.value(b)), (false, true));
        sat.add_clause(&[b.negative()]);
        assert_eq!(sat.solve(&[a.negative()], &mut conflicts), Some(false));
        assert_eq!(sat.solve(&[], &mut conflicts), Some(true));
        sat.add_clause(&[]);
        assert_eq!(sat.solve(&[], &mut conflicts), Some(false));
    }

    #[test]
    fn a_spent_budget_gives_no_answer_and_a_fresh_one_does() {
        let mut sat = Batsat::default();
        // Five pigeons and four holes.
        let holes: Vec<Vec<Var>> = (0..5)
            .map(|_| (0..4).map(|_| sat.new_var()).collect())
            .collect();
        for pigeon in &holes {
            let somewhere: Vec<Lit> = pigeon.iter().map(|hole| hole.positive()).collect();
            sat.add_clause(&somewhere);
        }
        for a in 0..5 {
            for b in 0..a {
                for (one, other) in holes[a].iter().zip(&holes[b]) {
                    sat.add_clause(&[one.negative(), other.negative()]);
                }
            }
        }
        let mut conflicts = 3;
        assert_eq!(sat.solve(&[], &mut conflicts), None);
        assert_eq!(conflicts, 0);
        let mut conflicts = 100_000;
        assert_eq!(sat.solve(&[], &mut conflicts), Some(false));
        assert!(conflicts < 100_000);
    }
}
