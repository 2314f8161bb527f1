use std::cmp::Ordering;

use super::Model;
use super::run::GradualRun;
use crate::{ArgId, Qbaf};

/// How far to look for arguments whose removal turns a comparison round.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlipLimits {
    /// The most arguments to remove at once.
    pub size: usize,
    /// The most evaluations of the graph.
    pub evaluations: u64,
    /// The greatest difference of strengths that still counts as equal.
    pub margin: f64,
    /// The most sets to return.
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

/// The smallest sets of arguments whose removal turns a comparison round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlipSets {
    /// The stronger of the two with nothing removed.
    pub winner: ArgId,
    /// Sets of one size, each sorted, in lexicographic order; none when there is no such set.
    pub sets: Vec<Vec<ArgId>>,
    /// Whether all smaller sets were tried, and those of this size up to the last returned.
    ///
    /// When not, the evaluations were used up and a set may have been missed.
    pub complete: bool,
}

/// Why no removal of arguments can make the other side the stronger one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoFlip {
    /// The two strengths do not differ.
    #[error("the two arguments are equally strong")]
    Tied,
    /// The strengths did not settle, so there is no winner.
    #[error("the strengths do not settle")]
    Unsettled,
}

impl Model {
    /// Finds the smallest sets of arguments without which the weaker of two is the stronger.
    ///
    /// Neither of the two is ever removed. Sets are tried by size and then in lexicographic
    /// order, so the first returned is the first by id. Removals after which the strengths do
    /// not settle turn nothing round. With `r` arguments that can reach either of the two and a
    /// size `k`, takes up to `r^k / k!` evaluations of those `r`.
    ///
    /// # Errors
    ///
    /// If the two are equally strong, or the strengths do not settle.
    ///
    /// # Panics
    ///
    /// If the graph has not both arguments.
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
        let local = |it: ArgId| ArgId::of(old.partition_point(|&other| other < it));
        let mut search = FlipSearch {
            run: GradualRun::new(*self, &relevant),
            candidates: (0..relevant.len())
                .map(ArgId::of)
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
    /// Compares the pair as the graph stands now; nothing when it does not settle.
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

    /// Tries all sets that add `more` candidates from a place on; false when it had to stop.
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
