//! Derivatives of one strength by all base weights, in one backward pass from the topic.

use super::kernel::{Kernel, with_kernel};
use super::run::GradualRun;
use super::{Contributions, Gradual, Model, Scheme, Status};
use crate::{ArgId, Qbaf};

// 400 members take 1.3 MB and about 21 million multiplications; twice as many members take eight
// times as many multiplications.
/// Maximum size of a cycle whose equations are solved by elimination.
const MAX_DENSE: usize = 400;

pub(super) fn gradient_contributions(model: Model, graph: &Qbaf, topic: ArgId) -> Contributions {
    with_kernel!(model.semantics, K => gradient_contributions_by::<K>(model, graph, topic))
}

fn gradient_contributions_by<K: Kernel>(model: Model, graph: &Qbaf, topic: ArgId) -> Contributions {
    let mut run = GradualRun::new(model, graph);
    let mut status = run.evaluate();
    let slopes = Slopes::from_strengths::<K>(graph, run.strengths());
    // The derivative of the topic's strength with respect to each argument's strength.
    let mut pull = vec![0.0; graph.len()];
    pull[topic.index()] = 1.0;
    let plan = graph.evaluation_plan();
    let mut done = plan.order.len();
    for &(start, end) in plan.cycles.iter().rev() {
        for &a in plan.order[end as usize..done].iter().rev() {
            slopes.propagate_pull(graph, a as usize, &mut pull, &[]);
        }
        done = start as usize;
        let members = &plan.order[done..end as usize];
        status = status.combine_worst(slopes.solve_cycle(model, graph, members, &mut pull));
        for &a in members {
            slopes.propagate_pull(graph, a as usize, &mut pull, members);
        }
    }
    for &a in plan.order[..done].iter().rev() {
        slopes.propagate_pull(graph, a as usize, &mut pull, &[]);
    }
    let values = pull.iter().zip(&slopes.by_base);
    Contributions {
        values: values.map(|(pull, own)| pull * own).collect(),
        errors: None,
        status,
    }
}

/// The derivatives of each strength by its inputs.
struct Slopes {
    by_base: Vec<f64>,
    /// By each parent, in row order.
    by_parent: Vec<f64>,
    starts: Vec<usize>,
}

impl Slopes {
    fn from_strengths<K: Kernel>(graph: &Qbaf, strengths: &[f64]) -> Self {
        let mut slopes = Self {
            by_base: Vec::with_capacity(graph.len()),
            by_parent: Vec::with_capacity(graph.edge_count()),
            starts: vec![0],
        };
        let base = graph.base_weights();
        for (a, &w) in base.iter().enumerate() {
            let row = graph.row(a);
            let aggregate = K::aggregate(row, base, strengths);
            let (by_base, by_aggregate) = K::influence_slopes(w, aggregate);
            slopes.by_base.push(by_base);
            let start = slopes.by_parent.len();
            K::aggregate_slopes(row, base, strengths, &mut slopes.by_parent);
            for slope in &mut slopes.by_parent[start..] {
                *slope *= by_aggregate;
            }
            slopes.starts.push(slopes.by_parent.len());
        }
        slopes
    }

    fn parent_slopes(&self, a: usize) -> &[f64] {
        &self.by_parent[self.starts[a]..self.starts[a + 1]]
    }

    /// Adds an argument's pull, times each edge's slope, to the pull on its parents, except those
    /// in `except`.
    fn propagate_pull(&self, graph: &Qbaf, a: usize, pull: &mut [f64], except: &[u32]) {
        let own = pull[a];
        for (parent, slope) in graph.parents(a).iter().zip(self.parent_slopes(a)) {
            if except.binary_search(&parent.0).is_err() {
                pull[parent.index()] += own * slope;
            }
        }
    }

    /// Solves for the pull on the members of a cycle, given the pull from outside it.
    fn solve_cycle(&self, model: Model, graph: &Qbaf, members: &[u32], pull: &mut [f64]) -> Status {
        let outside: Vec<f64> = members.iter().map(|&a| pull[a as usize]).collect();
        let (found, status) = if members.len() <= MAX_DENSE {
            (
                self.solve_by_elimination(graph, members, &outside),
                Status::Exact,
            )
        } else {
            self.solve_by_iteration(model, graph, members, &outside)
        };
        for (&a, value) in members.iter().zip(&found) {
            pull[a as usize] = *value;
        }
        status
    }

    /// Gaussian elimination with column pivoting.
    fn solve_by_elimination(&self, graph: &Qbaf, members: &[u32], outside: &[f64]) -> Vec<f64> {
        let k = members.len();
        let mut rows = vec![vec![0.0; k + 1]; k];
        for at in 0..k {
            rows[at][at] = 1.0;
            rows[at][k] = outside[at];
        }
        for (at, &a) in members.iter().enumerate() {
            let a = a as usize;
            for (parent, slope) in graph.parents(a).iter().zip(self.parent_slopes(a)) {
                if let Ok(to) = members.binary_search(&parent.0) {
                    rows[to][at] -= slope;
                }
            }
        }
        for column in 0..k {
            let mut best = column;
            for at in column + 1..k {
                if rows[at][column].abs() > rows[best][column].abs() {
                    best = at;
                }
            }
            rows.swap(column, best);
            let (above, below) = rows.split_at_mut(column + 1);
            let pivot = &above[column];
            for row in below {
                let factor = row[column] / pivot[column];
                if factor != 0.0 {
                    for (cell, top) in row.iter_mut().zip(pivot).skip(column) {
                        *cell -= factor * top;
                    }
                }
            }
        }
        let mut found = vec![0.0; k];
        for at in (0..k).rev() {
            let known: f64 = (at + 1..k).map(|j| rows[at][j] * found[j]).sum();
            found[at] = (rows[at][k] - known) / rows[at][at];
        }
        found
    }

    fn solve_by_iteration(
        &self,
        model: Model,
        graph: &Qbaf,
        members: &[u32],
        outside: &[f64],
    ) -> (Vec<f64>, Status) {
        let mut found = outside.to_vec();
        let mut residual = f64::INFINITY;
        for step in 1..=model.options.iterations {
            let mut next = outside.to_vec();
            for (at, &a) in members.iter().enumerate() {
                let a = a as usize;
                for (parent, slope) in graph.parents(a).iter().zip(self.parent_slopes(a)) {
                    if let Ok(to) = members.binary_search(&parent.0) {
                        next[to] += found[at] * slope;
                    }
                }
            }
            let changes = next.iter().zip(&found).map(|(a, b)| (a - b).abs());
            residual = changes.fold(0.0, f64::max);
            found = next;
            if residual <= model.options.tolerance {
                let status = Status::Converged {
                    iterations: step,
                    residual,
                    scheme: Scheme::Synchronous,
                };
                return (found, status);
            }
        }
        let status = Status::Limit {
            iterations: model.options.iterations,
            residual,
        };
        (found, status)
    }
}
