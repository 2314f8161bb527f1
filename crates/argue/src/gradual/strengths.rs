//! Evaluates the strengths of a graph.

use super::run::GradualRun;
use super::{Model, Status};
use crate::Qbaf;

/// The strength of each argument, and their reliability.
#[derive(Clone, Debug, PartialEq)]
pub struct Strengths {
    /// One number from 0 to 1 per argument, in order.
    pub values: Vec<f64>,
    /// Whether they are exact, converged, or neither.
    pub status: Status,
}

impl Model {
    /// Computes the strength of every argument.
    ///
    /// Arguments outside cycles are computed once, after their parents; each cycle is iterated
    /// separately. Neither the order of the edges nor the numbering of the arguments changes a bit
    /// of any value. Takes O(n + edges) time, and again as much per step on a cycle.
    ///
    /// ```
    /// use agon_argue::{ArgId, Edge, Gradual, Model, Qbaf, Status};
    ///
    /// let chain = Qbaf::new(vec![0.8, 0.5], &[Edge::attack(ArgId(1), ArgId(0))])?;
    /// let strengths = Model::new(Gradual::QuadraticEnergy).evaluate(&chain);
    /// assert_eq!(strengths.status, Status::Exact);
    /// assert!((strengths.values[0] - 0.64).abs() < 1e-12);
    /// # Ok::<(), agon_argue::GraphError>(())
    /// ```
    pub fn evaluate(&self, graph: &Qbaf) -> Strengths {
        let mut run = GradualRun::new(*self, graph);
        let status = run.evaluate();
        Strengths {
            values: run.into_strengths(),
            status,
        }
    }
}
