use std::cmp::Ordering;

use super::Model;
use super::run::GradualRun;
use crate::{ArgId, Qbaf};

/// Limits for the search for arguments whose removal reverses a comparison.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlipLimits {
    /// Maximum number of arguments removed at once.
    pub size: usize,
    /// Maximum number of evaluations of the graph.
    pub evaluations: u64,
    /// Maximum difference of strengths that counts as equal.
    pub margin: f64,
    /// Maximum number of sets to return.
    pub sets: usize,
}

impl Default for FlipLimits {
    fn default() -> Self {
        Self {
            size: 3,
            evaluations: 2_000_000,
            margin: 1e-9,
            sets: 1,
        }
    }
}

/// The smallest sets of arguments whose removal reverses a comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlipSets {
    /// The stronger argument of the full graph.
    pub winner: ArgId,
    /// Sets of equal size, each sorted, in lexicographic order; empty if there is no such set.
    pub sets: Vec<Vec<ArgId>>,
    /// Whether all smaller sets were tried, and those of this size up to the last one returned.
    ///
    /// If not, the evaluations were used up and a set may be missing.
    pub complete: bool,
}

/// Why no removal can reverse the comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoFlip {
    /// The two strengths are equal.
    #[error("the two arguments are equally strong")]
    Tied,
    /// The strengths did not converge, so there is no winner.
    #[error("the strengths do not converge")]
    Unsettled,
}

impl Model {
    /// Finds the smallest sets of arguments whose removal makes the weaker of two the stronger.
    ///
    /// Neither of the two is removed. Sets are tried by size and then in lexicographic order, so
    /// the first result is the first by id. A removal after which the strengths do not converge
    /// does not count. With `r` arguments that have a path to either of the two and a size `k`,
    /// takes up to `r^k / k!` evaluations of those `r`.
    ///
    /// # Errors
    ///
    /// If the two are equally strong, or the strengths do not converge.
    ///
    /// # Panics
    ///
    /// If either argument is missing from the graph.
    ///
    /// ```
    /// use agon_argue::{ArgId, Edge, FlipLimits, Gradual, Model, Qbaf};
    ///
    /// let [ours, theirs, doubt] = [ArgId(0), ArgId(1), ArgId(2)];
    /// let graph = Qbaf::new(vec![0.7, 0.8, 0.9], &[Edge::attack(doubt, theirs)])?;
    /// let model = Model::new(Gradual::QuadraticEnergy);
    /// let flips = model.flip_sets(&graph, ours, theirs, FlipLimits::default())?;
    /// assert_eq!(flips.winner, ours);
    /// assert_eq!(flips.sets, [[doubt]]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn flip_sets(
        &self,
        graph: &Qbaf,
        a: ArgId,
        b: ArgId,
        limits: FlipLimits,
    ) -> Result<FlipSets, NoFlip> {
        let (relevant, old) = graph.induced_subgraph(&graph.ancestors_of(&[a, b]));
        let local = |it: ArgId| ArgId::from_index(old.partition_point(|&other| other < it));
        let mut search = FlipSearch {
            run: GradualRun::new(*self, &relevant),
            candidates: (0..relevant.len())
                .map(ArgId::from_index)
                .filter(|&it| it != local(a) && it != local(b))
                .collect(),
            pair: (local(a), local(b)),
            aim: Ordering::Equal,
            limits,
            left: limits.evaluations,
            found: Vec::new(),
        };
        let now = search.compare_pair().ok_or(NoFlip::Unsettled)?;
        let winner = match now {
            Ordering::Equal => return Err(NoFlip::Tied),
            Ordering::Greater => a,
            Ordering::Less => b,
        };
        search.aim = now.reverse();
        let mut complete = true;
        for size in 1..=limits.size.min(search.candidates.len()) {
            complete = search.try_removals(0, size, &mut Vec::new());
            if !complete || !search.found.is_empty() {
                break;
            }
        }
        let named = |set: Vec<ArgId>| set.iter().map(|it| old[it.index()]).collect();
        Ok(FlipSets {
            winner,
            sets: search.found.into_iter().map(named).collect(),
            complete,
        })
    }
}

struct FlipSearch<'g> {
    run: GradualRun<'g>,
    candidates: Vec<ArgId>,
    pair: (ArgId, ArgId),
    aim: Ordering,
    limits: FlipLimits,
    left: u64,
    found: Vec<Vec<ArgId>>,
}

impl FlipSearch<'_> {
    /// Compares the pair in the current graph; `None` if its strengths do not converge.
    fn compare_pair(&mut self) -> Option<Ordering> {
        if !self.run.evaluate().is_settled() {
            return None;
        }
        let difference = self.run.strength(self.pair.0) - self.run.strength(self.pair.1);
        Some(if difference > self.limits.margin {
            Ordering::Greater
        } else if difference < -self.limits.margin {
            Ordering::Less
        } else {
            Ordering::Equal
        })
    }

    /// Tries all sets that add `more` candidates, starting at index `from`; returns false at a
    /// limit.
    fn try_removals(&mut self, from: usize, more: usize, removed: &mut Vec<ArgId>) -> bool {
        if self.found.len() >= self.limits.sets.max(1) {
            return true;
        }
        if more == 0 {
            if self.left == 0 {
                return false;
            }
            self.left -= 1;
            if self.compare_pair() == Some(self.aim) {
                self.found.push(removed.clone());
            }
            return true;
        }
        for at in from..=self.candidates.len() - more {
            let candidate = self.candidates[at];
            self.run.remove(candidate);
            removed.push(candidate);
            let complete = self.try_removals(at + 1, more - 1, removed);
            removed.pop();
            self.run.restore(candidate);
            if !complete {
                return false;
            }
        }
        true
    }
}
