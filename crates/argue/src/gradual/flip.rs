use std::cmp::Ordering;
use std::ops::Range;

use super::Model;
use super::removable_graph::RemovableGraph;
use crate::{ArgId, Qbaf};

/// Limits for the search for arguments whose removal reverses a comparison.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlipLimits {
    /// Maximum number of arguments removed at once.
    pub size: usize,
    /// Maximum number of evaluations of the graph.
    pub evaluations: u64,
    /// Maximum number of arguments and edges computed, which bounds the time on large graphs.
    ///
    /// With a limit, sets of a size that cannot all be tried are tried by the effect of their
    /// members, the most promising first. `None`: no limit, and always by id.
    pub steps: Option<u64>,
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
            steps: Some(12_000_000),
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
    /// If not, a limit was reached and a set may be missing.
    pub complete: bool,
    /// The largest size of which every set was tried without finding one; 0 if there is none.
    pub searched: usize,
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
    /// takes up to `r^k / k!` evaluations, within the limits. Without cycles, an evaluation costs as
    /// much as the arguments that depend on the removed ones, else as much as all `r`.
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
            graph: RemovableGraph::new(*self, &relevant),
            candidates: (0..relevant.len())
                .map(ArgId::from_index)
                .filter(|&it| it != local(a) && it != local(b))
                .collect(),
            effects: Vec::new(),
            pair: (local(a), local(b)),
            now: 0.0,
            limits,
            left: limits.evaluations,
            found: Vec::new(),
        };
        if !search.graph.evaluate_whole().is_settled() {
            return Err(NoFlip::Unsettled);
        }
        search.now = search.difference();
        let winner = match search.compare(search.now) {
            Ordering::Equal => return Err(NoFlip::Tied),
            Ordering::Greater => a,
            Ordering::Less => b,
        };
        let (mut complete, mut searched) = (true, 0);
        for size in 1..=limits.size.min(search.candidates.len()) {
            complete = search.try_size(size);
            if !complete || !search.found.is_empty() {
                break;
            }
            searched = size;
        }
        if complete && search.found.is_empty() {
            // There are no larger sets.
            searched = limits.size;
        }
        let named = |set: Vec<ArgId>| set.iter().map(|it| old[it.index()]).collect();
        Ok(FlipSets {
            winner,
            sets: search.found.into_iter().map(named).collect(),
            complete,
            searched,
        })
    }
}

/// Reports that a limit was reached.
struct LimitReached;

/// The order in which sets of the same size are tried.
#[derive(Clone, Copy)]
enum SetOrder {
    /// By their first candidate, then the second, and so on.
    ByFirst,
    /// By their last candidate, so that all sets of the first few candidates come first.
    ByLast,
}

struct FlipSearch<'g> {
    graph: RemovableGraph<'g>,
    candidates: Vec<ArgId>,
    /// How much the removal of each candidate alone moves the comparison toward its reversal.
    effects: Vec<f64>,
    pair: (ArgId, ArgId),
    /// The difference of the two strengths in the full graph.
    now: f64,
    limits: FlipLimits,
    left: u64,
    found: Vec<Vec<ArgId>>,
}

impl FlipSearch<'_> {
    fn difference(&self) -> f64 {
        self.graph.strength(self.pair.0) - self.graph.strength(self.pair.1)
    }

    fn compare(&self, difference: f64) -> Ordering {
        if difference > self.limits.margin {
            Ordering::Greater
        } else if difference < -self.limits.margin {
            Ordering::Less
        } else {
            Ordering::Equal
        }
    }

    /// Tries the sets of `size` candidates; returns whether [`FlipSets::complete`] holds.
    fn try_size(&mut self, size: usize) -> bool {
        if self.fits(size) {
            let all = 0..self.candidates.len();
            let tried = self.try_sets(SetOrder::ByFirst, all, size, &mut Vec::new());
            return tried.is_ok();
        }
        let mut order: Vec<usize> = (0..self.candidates.len()).collect();
        order.sort_by(|&one, &other| self.effects[other].total_cmp(&self.effects[one]));
        let candidates = order.iter().map(|&at| self.candidates[at]).collect();
        let in_order = std::mem::replace(&mut self.candidates, candidates);
        let all = 0..in_order.len();
        let tried = self.try_sets(SetOrder::ByLast, all, size, &mut Vec::new());
        self.candidates = in_order;
        self.found.iter_mut().for_each(|set| set.sort_unstable());
        self.found.sort_unstable();
        // If enough sets were found, sets before them by id may not have been tried.
        tried.is_ok() && !self.has_enough()
    }

    /// Returns whether the limits allow trying every set of `size`, by the cost of smaller sets.
    fn fits(&self, size: usize) -> bool {
        let Some(steps) = self.limits.steps.filter(|_| size > 1) else {
            return true;
        };
        let count = self.candidates.len() as f64;
        let sets: f64 = (0..size)
            .map(|at| (count - at as f64) / (at + 1) as f64)
            .product();
        let tried = self.limits.evaluations - self.left;
        let each = self.graph.steps() as f64 / tried.max(1) as f64;
        let left = steps.saturating_sub(self.graph.steps()) as f64;
        sets <= self.left as f64 && sets * each <= left
    }

    fn has_enough(&self) -> bool {
        self.found.len() >= self.limits.sets.max(1)
    }

    /// Tries all sets that add `more` of the candidates `among`, in `order`.
    fn try_sets(
        &mut self,
        order: SetOrder,
        among: Range<usize>,
        more: usize,
        removed: &mut Vec<ArgId>,
    ) -> Result<(), LimitReached> {
        if self.has_enough() {
            return Ok(());
        }
        if more == 0 {
            return self.try_removed(removed);
        }
        let indices = match order {
            SetOrder::ByFirst => among.start..among.end + 1 - more,
            SetOrder::ByLast => among.start + more - 1..among.end,
        };
        for at in indices {
            let candidate = self.candidates[at];
            self.graph.remove(candidate);
            removed.push(candidate);
            let rest = match order {
                SetOrder::ByFirst => at + 1..among.end,
                SetOrder::ByLast => among.start..at,
            };
            let tried = self.try_sets(order, rest, more - 1, removed);
            removed.pop();
            self.graph.restore_last();
            tried?;
        }
        Ok(())
    }

    /// Compares the two without the `removed` arguments.
    fn try_removed(&mut self, removed: &[ArgId]) -> Result<(), LimitReached> {
        let steps = self.limits.steps.unwrap_or(u64::MAX);
        if self.left == 0 || self.graph.steps() > steps {
            return Err(LimitReached);
        }
        self.left -= 1;
        let difference = self.graph.settle().is_settled().then(|| self.difference());
        let aim = self.compare(self.now).reverse();
        if difference.is_some_and(|it| self.compare(it) == aim) {
            self.found.push(removed.to_vec());
        }
        if removed.len() == 1 {
            let moved = difference.map_or(0.0, |it| self.now - it);
            self.effects.push(moved * self.now.signum());
        }
        Ok(())
    }
}
