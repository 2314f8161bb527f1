//! The strengths of a graph, worked out once.

use super::run::GradualRun;
use super::{Model, Status};
use crate::Qbaf;

/// The strength of each argument, and how far to rely on it.
#[derive(Clone, Debug, PartialEq)]
pub struct Strengths {
    /// One number from 0 to 1 per argument, in order.
    pub values: Vec<f64>,
    /// Whether they are exact, have settled, or neither.
    pub status: Status,
}

impl Model {
    /// Gives every argument its strength.
    ///
    /// Arguments on no cycle are worked out once, after those that speak about them; each cycle
    /// is iterated by itself. Neither the order of the edges nor the numbering of the arguments
    /// changes a bit of any value. Takes O(n + edges) time and as much again per step on a cycle.
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
