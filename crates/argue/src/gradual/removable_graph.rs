//! Removes arguments one after another, and recomputes only what depends on them.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::run::GradualRun;
use super::{Model, Status};
use crate::{ArgId, Qbaf};

/// A graph from which arguments are removed, the last one first restored.
///
/// Without cycles, a removal recomputes only the arguments that depend on it, and the strengths are
/// the same to the last bit as those of the whole graph without it. With cycles, the next
/// [`RemovableGraph::settle`] computes every strength again.
pub(super) struct RemovableGraph<'g> {
    run: GradualRun<'g>,
    removed: Vec<Removal>,
    /// What each argument affects; `None` for a graph with cycles.
    dependents: Option<Dependents>,
    /// The strengths before the removals, in the order in which they changed.
    replaced: Vec<(usize, f64)>,
    /// Number of arguments and edges computed since [`RemovableGraph::new`].
    steps: u64,
    /// The steps of one computation of the whole graph.
    whole: u64,
}

struct Removal {
    argument: ArgId,
    /// The length of `replaced` before it.
    mark: usize,
}

/// The order of computation of a graph without cycles.
struct Dependents {
    children: Vec<Vec<u32>>,
    order: Vec<u32>,
    /// The index of each argument in `order`.
    ranks: Vec<u32>,
    /// The ranks that are still to be computed, each once.
    pending: BinaryHeap<Reverse<u32>>,
    is_pending: Vec<bool>,
}

impl<'g> RemovableGraph<'g> {
    /// Prepares `graph` without computing it.
    pub(super) fn new(model: Model, graph: &'g Qbaf) -> Self {
        let is_acyclic = graph.evaluation_plan().cycles.is_empty();
        Self {
            run: GradualRun::new(model, graph),
            removed: Vec::new(),
            dependents: is_acyclic.then(|| Dependents::of(graph)),
            replaced: Vec::new(),
            steps: 0,
            whole: (graph.len() + graph.edge_count()) as u64,
        }
    }

    /// Removes an argument.
    pub(super) fn remove(&mut self, argument: ArgId) {
        let mark = self.replaced.len();
        self.removed.push(Removal { argument, mark });
        self.run.remove(argument);
        if let Some(mut dependents) = self.dependents.take() {
            self.update(argument.index(), &mut dependents);
            self.dependents = Some(dependents);
        }
    }

    /// Restores the argument that was removed last.
    pub(super) fn restore_last(&mut self) {
        let Some(Removal { argument, mark }) = self.removed.pop() else {
            return;
        };
        self.run.restore(argument);
        for (at, strength) in self.replaced.drain(mark..).rev() {
            self.run.replace_strength(at, strength);
        }
    }

    /// Brings the strengths up to date after removals.
    pub(super) fn settle(&mut self) -> Status {
        match self.dependents {
            Some(_) => Status::Exact,
            None => self.evaluate_whole(),
        }
    }

    pub(super) fn strength(&self, a: ArgId) -> f64 {
        self.run.strength(a)
    }

    /// Returns the number of arguments and edges computed so far; each iteration of a cycle counts.
    pub(super) fn steps(&self) -> u64 {
        self.steps
    }

    pub(super) fn evaluate_whole(&mut self) -> Status {
        let status = self.run.evaluate();
        let iterations = match status {
            Status::Exact => 1,
            Status::Converged { iterations, .. } | Status::Limit { iterations, .. } => iterations,
            Status::Oscillating { period, .. } => period,
        };
        let times = u64::from(iterations).max(1);
        self.steps = self.steps.saturating_add(self.whole.saturating_mul(times));
        status
    }

    /// Recomputes the argument at `changed` and those that depend on it, parents first.
    fn update(&mut self, changed: usize, dependents: &mut Dependents) {
        self.recompute(changed);
        // Its children come even if its strength stays 0: some semantics count attackers by their
        // base weight, which is 0 now.
        dependents.add_children(changed);
        while let Some(at) = dependents.next() {
            if self.recompute(at) {
                dependents.add_children(at);
            }
        }
    }

    /// Recomputes one argument, and returns whether its strength changed.
    fn recompute(&mut self, at: usize) -> bool {
        let (strength, edges) = self.run.compute_argument(at);
        self.steps = self.steps.saturating_add(1 + edges as u64);
        let before = self.run.replace_strength(at, strength);
        let is_changed = before.to_bits() != strength.to_bits();
        if is_changed {
            self.replaced.push((at, before));
        }
        is_changed
    }
}

impl Dependents {
    fn of(graph: &Qbaf) -> Self {
        let order = graph.evaluation_plan().order.clone();
        let mut ranks = vec![0; graph.len()];
        for (rank, &at) in (0..).zip(&order) {
            ranks[at as usize] = rank;
        }
        let mut children = vec![Vec::new(); graph.len()];
        for (child, at) in (0..).zip(0..graph.len()) {
            for parent in graph.parents(at) {
                children[parent.index()].push(child);
            }
        }
        Self {
            children,
            order,
            ranks,
            pending: BinaryHeap::new(),
            is_pending: vec![false; graph.len()],
        }
    }

    fn add_children(&mut self, at: usize) {
        for &child in &self.children[at] {
            let is_pending = &mut self.is_pending[child as usize];
            if !std::mem::replace(is_pending, true) {
                self.pending.push(Reverse(self.ranks[child as usize]));
            }
        }
    }

    /// Takes the next argument to compute, after all its parents.
    fn next(&mut self) -> Option<usize> {
        let Reverse(rank) = self.pending.pop()?;
        let at = self.order[rank as usize] as usize;
        self.is_pending[at] = false;
        Some(at)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{Edge, Gradual};

    fn bits(graph: &Qbaf, strength: impl Fn(ArgId) -> f64) -> Vec<u64> {
        let all = (0..graph.len()).map(ArgId::from_index);
        all.map(|a| strength(a).to_bits()).collect()
    }

    proptest! {
        #[test]
        fn what_depends_on_a_removal_is_computed_as_in_the_whole_graph(
            base in prop::collection::vec(0.0..=1.0_f64, 12),
            pairs in prop::collection::vec((0_u32..12, 0_u32..12, any::<bool>()), 0..30),
            removed in prop::collection::vec(0_u32..12, 1..4),
            semantics in prop::sample::select(&Gradual::ALL[..]),
        ) {
            let edges = pairs.into_iter().filter(|(from, to, _)| from > to);
            let edges: Vec<Edge> = edges
                .map(|(from, to, attacks)| match attacks {
                    true => Edge::attack(ArgId(from), ArgId(to)),
                    false => Edge::support(ArgId(from), ArgId(to)),
                })
                .collect();
            let graph = Qbaf::new(base, &edges).unwrap();
            let model = Model::new(semantics);
            let mut removable = RemovableGraph::new(model, &graph);
            removable.evaluate_whole();
            let before = bits(&graph, |a| removable.strength(a));
            let mut whole = GradualRun::new(model, &graph);
            let mut removed = removed;
            removed.dedup();
            for &at in &removed {
                removable.remove(ArgId(at));
                whole.remove(ArgId(at));
                prop_assert_eq!(removable.settle(), whole.evaluate());
                prop_assert_eq!(
                    bits(&graph, |a| removable.strength(a)),
                    bits(&graph, |a| whole.strength(a))
                );
            }
            removed.iter().for_each(|_| removable.restore_last());
            prop_assert_eq!(bits(&graph, |a| removable.strength(a)), before);
        }
    }

    #[test]
    fn a_removal_costs_what_depends_on_it() {
        // A thousand arguments that support the first one, and a chain of two.
        let mut edges: Vec<Edge> = (1..1_000)
            .map(|at| Edge::support(ArgId(at), ArgId(0)))
            .collect();
        edges.push(Edge::attack(ArgId(1_001), ArgId(1_000)));
        let graph = Qbaf::new(vec![0.5; 1_002], &edges).unwrap();
        let mut removable = RemovableGraph::new(Model::new(Gradual::DfQuad), &graph);
        removable.evaluate_whole();
        let before = removable.steps();
        removable.remove(ArgId(1_001));
        // The removed one, and the one that it attacks with its edge.
        assert_eq!(removable.steps() - before, 3);
    }
}
