//! The measures of contribution.

use super::{Contributions, Model, ShapleyOptions, gradient, removal, shapley};
use crate::{ArgId, Qbaf};

/// How the contribution of an argument to the strength of another is defined.
///
/// No measure has all desirable properties, and their rankings differ: a report must say which one
/// it uses. Kampik, Potyka, Yin, Čyras and Toni, IJAR 2024.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Measure {
    /// The change when the argument is removed.
    Removal,
    /// As `Removal`, after removing the edges into the argument, so that only its own weight
    /// counts.
    IntrinsicRemoval,
    /// The argument's share of the difference between the topic's base weight and its strength.
    ///
    /// This is the average change by the argument over all orders in which arguments could be
    /// added. The shares add up to the strength minus the base weight.
    Shapley(ShapleyOptions),
    /// The derivative of the strength by the argument's base weight.
    ///
    /// At a kink of the influence, the derivative on one side.
    Gradient,
}

impl Model {
    /// Returns the contribution of each argument to the strength of `topic`.
    ///
    /// Only arguments with a path to the topic are evaluated. With `r` of them, removal takes `r`
    /// evaluations, the exact Shapley values 2^r, and the gradient one evaluation and one backward
    /// pass.
    ///
    /// # Panics
    ///
    /// If the graph has no argument `topic`.
    ///
    /// ```
    /// use agon_argue::{ArgId, Edge, Gradual, Measure, Model, Qbaf};
    ///
    /// let graph = Qbaf::new(vec![0.5, 0.4], &[Edge::support(ArgId(1), ArgId(0))])?;
    /// let model = Model::new(Gradual::DfQuad);
    /// let moved = model.contributions(&graph, ArgId(0), Measure::Removal);
    /// assert!((moved.values[1] - 0.2).abs() < 1e-12);
    /// # Ok::<(), agon_argue::GraphError>(())
    /// ```
    pub fn contributions(&self, graph: &Qbaf, topic: ArgId, measure: Measure) -> Contributions {
        let (relevant, old) = graph.induced_subgraph(&graph.ancestors_of(&[topic]));
        let local = old.partition_point(|&a| a < topic);
        let local = ArgId::from_index(local);
        let found = match measure {
            Measure::Removal => removal::removal_contributions(*self, &relevant, local, false),
            Measure::IntrinsicRemoval => {
                removal::removal_contributions(*self, &relevant, local, true)
            }
            Measure::Shapley(options) => {
                shapley::shapley_contributions(*self, &relevant, local, options)
            }
            Measure::Gradient => gradient::gradient_contributions(*self, &relevant, local),
        };
        let spread = |few: &[f64]| {
            let mut all = vec![0.0; graph.len()];
            for (a, value) in old.iter().zip(few) {
                all[a.index()] = *value;
            }
            all
        };
        Contributions {
            values: spread(&found.values),
            errors: found.errors.as_deref().map(spread),
            status: found.status,
        }
    }
}
