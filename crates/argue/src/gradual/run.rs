//! Repeated evaluation of one graph, whole or with arguments removed.

use super::cycle::Cycle;
use super::kernel::{Kernel, with_kernel};
use super::{Gradual, Model, Options, Scheme, Status};
use crate::components::Plan;
use crate::{ArgId, Qbaf};

// The default `tolerance` of a model, so that convergence and recurrence are detected with the same
// precision.
/// Maximum difference of strengths at which a cycle counts as back at an earlier state.
const RECURRENCE_TOLERANCE: f64 = 1e-12;

// A million times `RECURRENCE_TOLERANCE`: a slow approach with such large steps cannot return to an
// earlier state. Tested by `what_swings_for_ever_is_reported_and_settles_when_damped`.
/// Minimum change that counts as an oscillation instead of a slow approach.
const MIN_OSCILLATION: f64 = 1e-6;

/// A graph with its working memory.
#[derive(Debug)]
pub(super) struct GradualRun<'g> {
    model: Model,
    graph: &'g Qbaf,
    base: Vec<f64>,
    /// Arguments that keep their base weight whatever attacks or supports them.
    pinned: Vec<bool>,
    any_pinned: bool,
    values: Vec<f64>,
    /// The index of each argument in the cycle being iterated.
    numbers: Vec<u32>,
}

impl<'g> GradualRun<'g> {
    pub(super) fn new(model: Model, graph: &'g Qbaf) -> Self {
        Self {
            model,
            graph,
            base: graph.base_weights().to_vec(),
            pinned: vec![false; graph.len()],
            any_pinned: false,
            values: vec![0.0; graph.len()],
            numbers: Vec::new(),
        }
    }

    pub(super) fn into_strengths(self) -> Vec<f64> {
        self.values
    }

    pub(super) fn strength(&self, a: ArgId) -> f64 {
        self.values[a.index()]
    }

    pub(super) fn strengths(&self) -> &[f64] {
        &self.values
    }

    /// Removes an argument.
    ///
    /// This is equivalent to a graph without it: no semantics counts an argument with strength 0,
    /// or one with base weight 0.
    pub(super) fn remove(&mut self, a: ArgId) {
        self.base[a.index()] = 0.0;
        self.pinned[a.index()] = true;
        self.any_pinned = true;
    }

    /// Removes the edges into an argument.
    pub(super) fn cut_incoming(&mut self, a: ArgId) {
        self.pinned[a.index()] = true;
        self.any_pinned = true;
    }

    /// Undoes [`GradualRun::remove`] and [`GradualRun::cut_incoming`].
    pub(super) fn restore(&mut self, a: ArgId) {
        self.base[a.index()] = self.graph.base_weights()[a.index()];
        self.pinned[a.index()] = false;
    }

    /// Sets the strength of the argument at `at`, and returns the one before.
    pub(super) fn replace_strength(&mut self, at: usize, strength: f64) -> f64 {
        std::mem::replace(&mut self.values[at], strength)
    }

    /// Computes the strength of one argument from its parents', and returns it with its number of
    /// edges. It changes nothing.
    pub(super) fn compute_argument(&self, at: usize) -> (f64, usize) {
        if self.pinned[at] {
            return (self.base[at], 0);
        }
        let compute = with_kernel!(self.model.semantics, K => K::strength);
        let row = self.graph.row(at);
        let strength = compute(row, self.base[at], &self.base, &self.values);
        (strength, row.parents.len())
    }

    /// Computes every strength.
    pub(super) fn evaluate(&mut self) -> Status {
        with_kernel!(self.model.semantics, K => self.evaluate_by::<K>())
    }

    fn evaluate_by<K: Kernel>(&mut self) -> Status {
        let graph = self.graph;
        let whole = graph.evaluation_plan();
        // Plan again, since removing arguments can break a cycle and make its strengths exact.
        if self.any_pinned && !whole.cycles.is_empty() {
            let pinned = std::mem::take(&mut self.pinned);
            let plan =
                Plan::from_parents(
                    graph.len(),
                    |a| {
                        if pinned[a] { &[] } else { graph.parents(a) }
                    },
                );
            self.pinned = pinned;
            return self.evaluate_in_order::<K>(&plan);
        }
        self.evaluate_in_order::<K>(whole)
    }

    fn evaluate_in_order<K: Kernel>(&mut self, plan: &Plan) -> Status {
        let mut status = Status::Exact;
        let mut done = 0;
        for &(start, end) in &plan.cycles {
            self.evaluate_acyclic::<K>(&plan.order[done..start as usize]);
            done = end as usize;
            status =
                status.combine_worst(self.evaluate_cycle::<K>(&plan.order[start as usize..done]));
        }
        self.evaluate_acyclic::<K>(&plan.order[done..]);
        status
    }

    /// Computes each strength once, after those of its parents.
    fn evaluate_acyclic<K: Kernel>(&mut self, order: &[u32]) {
        for &a in order {
            let a = a as usize;
            self.values[a] = if self.any_pinned && self.pinned[a] {
                self.base[a]
            } else {
                let row = self.graph.row(a);
                K::strength(row, self.base[a], &self.base, &self.values)
            };
        }
    }

    /// Iterates a cycle from its base weights. None of its members may be pinned.
    fn evaluate_cycle<K: Kernel>(&mut self, members: &[u32]) -> Status {
        self.numbers.resize(self.values.len(), 0);
        let rows = self.graph.rows();
        let mut cycle =
            Cycle::from_members(rows, members, &self.base, &self.values, &mut self.numbers);
        let mut status = self.iterate_cycle::<K>(&mut cycle, 1.0);
        if let Some(share) = self.model.options.damping
            && !status.is_settled()
        {
            status = match self.iterate_cycle::<K>(&mut cycle, share) {
                settled @ (Status::Exact | Status::Converged { .. }) => settled,
                // Report the oscillation of synchronous steps, which says more than the slow end of
                // damped ones.
                Status::Oscillating { .. } | Status::Limit { .. } => {
                    self.iterate_cycle::<K>(&mut cycle, 1.0)
                }
            };
        }
        cycle.write_strengths(&mut self.values);
        status
    }

    fn iterate_cycle<K: Kernel>(&self, cycle: &mut Cycle, share: f64) -> Status {
        let Options {
            tolerance,
            iterations,
            ..
        } = self.model.options;
        let scheme = if share < 1.0 {
            Scheme::Damped
        } else {
            Scheme::Synchronous
        };
        cycle.reset_to_base();
        let mut residual = f64::INFINITY;
        let mut marked_at = 0;
        let mut mark_again_at = 16;
        for step in 1..=iterations {
            residual = cycle.step::<K>(share);
            if residual <= tolerance {
                return Status::Converged {
                    iterations: step,
                    residual,
                    scheme,
                };
            }
            if marked_at > 0
                && residual > MIN_OSCILLATION
                && cycle.is_near_saved_strengths(RECURRENCE_TOLERANCE)
            {
                let period = step - marked_at;
                return Status::Oscillating { period, residual };
            }
            if step == mark_again_at {
                marked_at = step;
                mark_again_at = step.saturating_mul(2);
                cycle.save_strengths();
            }
        }
        Status::Limit {
            iterations,
            residual,
        }
    }
}
