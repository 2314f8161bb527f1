//! Encodes extensions as models of clauses.
//!
//! Each argument has a variable that is true if the argument is in the set. Except for stable
//! extensions, it has a second one that is true if the set attacks the argument; Besnard and Doutre
//! 2004.

use super::answer::LimitHit;
use super::{Lit, Sat, Var};
use crate::{Af, ArgId};

/// A framework encoded as clauses in a solver.
#[derive(Debug)]
pub(super) struct Encoding<S> {
    sat: S,
    inside: Vec<Var>,
    attacked: Vec<Lit>,
}

impl<S: Sat> Encoding<S> {
    fn with_members(n: usize) -> Self {
        let mut sat = S::default();
        let inside = (0..n).map(|_| sat.new_var()).collect();
        Self {
            sat,
            inside,
            attacked: Vec::new(),
        }
    }

    pub(super) fn stable(af: &Af) -> Self {
        let mut it = Self::with_members(af.len());
        let mut clause = Vec::new();
        for a in 0..af.len() {
            clause.clear();
            clause.push(it.inside[a].positive());
            for b in af.attackers(ArgId::from_index(a)) {
                clause.push(it.inside[b.index()].positive());
                it.sat
                    .add_clause(&[it.inside[a].negative(), it.inside[b.index()].negative()]);
            }
            it.sat.add_clause(&clause);
        }
        it.attacked = it.inside.iter().map(|var| var.negative()).collect();
        it
    }

    /// Encodes conflict-free sets, with an exact `attacked` variable.
    pub(super) fn conflict_free(af: &Af) -> Self {
        let mut it = Self::with_members(af.len());
        it.attacked = (0..af.len()).map(|_| it.sat.new_var().positive()).collect();
        let mut clause = Vec::new();
        for a in 0..af.len() {
            let attacked = it.attacked[a];
            clause.clear();
            clause.push(!attacked);
            for b in af.attackers(ArgId::from_index(a)) {
                let attacker = it.inside[b.index()];
                clause.push(attacker.positive());
                it.sat.add_clause(&[attacker.negative(), attacked]);
            }
            it.sat.add_clause(&clause);
            it.sat.add_clause(&[it.inside[a].negative(), !attacked]);
        }
        it
    }

    pub(super) fn complete(af: &Af) -> Self {
        let mut it = Self::conflict_free(af);
        let mut clause = Vec::new();
        for a in 0..af.len() {
            let inside = it.inside[a];
            clause.clear();
            clause.push(inside.positive());
            for b in af.attackers(ArgId::from_index(a)) {
                let beaten = it.attacked[b.index()];
                clause.push(!beaten);
                it.sat.add_clause(&[inside.negative(), beaten]);
            }
            it.sat.add_clause(&clause);
        }
        it
    }

    pub(super) fn argument_count(&self) -> usize {
        self.inside.len()
    }

    /// The literal that is true if the argument is in the set.
    pub(super) fn member_literal(&self, a: usize) -> Lit {
        self.inside[a].positive()
    }

    /// Adds a permanent clause.
    pub(super) fn add_clause(&mut self, clause: &[Lit]) {
        self.sat.add_clause(clause);
    }

    /// Adds a clause that is active only while the returned literal is assumed.
    pub(super) fn add_switchable_clause(&mut self, mut clause: Vec<Lit>) -> Lit {
        let switch = self.sat.new_var();
        clause.push(switch.negative());
        self.sat.add_clause(&clause);
        switch.positive()
    }

    /// Adds one variable per argument that can be true only if the set contains or attacks the
    /// argument (its range).
    pub(super) fn add_range_literals(&mut self) -> Vec<Lit> {
        (0..self.argument_count())
            .map(|a| {
                let range = self.sat.new_var();
                let clause = [
                    range.negative(),
                    self.inside[a].positive(),
                    self.attacked[a],
                ];
                self.sat.add_clause(&clause);
                range.positive()
            })
            .collect()
    }

    /// Searches for a set and returns which arguments it contains.
    pub(super) fn find_set(
        &mut self,
        assumptions: &[Lit],
        conflicts: &mut u64,
    ) -> Result<Option<Vec<bool>>, LimitHit> {
        match self.sat.solve(assumptions, conflicts) {
            Some(true) => Ok(Some(
                self.inside.iter().map(|&var| self.sat.value(var)).collect(),
            )),
            Some(false) => Ok(None),
            None => Err(LimitHit),
        }
    }
}
