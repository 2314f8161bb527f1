//! The measures of contribution, and which module computes each.

use super::{Contributions, Model, ShapleyOptions, gradient, removal, shapley};
use crate::{ArgId, Qbaf};

/// What it means that an argument contributes to the strength of another.
///
/// No measure has all the properties one would wish for, and they rank differently: a report
/// has to say which it uses. Kampik, Potyka, Yin, Čyras and Toni, IJAR 2024.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Measure {
    /// The change when the argument is taken out: what if it had not been said?
    Removal,
    /// The same, the edges into the argument taken out first, so that it counts by its own weight.
    IntrinsicRemoval,
    /// The share of the way from the topic's base weight to its strength.
    ///
    /// The average change by the argument over all orders in which arguments could be added.
    /// All shares add up to the strength less the base weight.
    Shapley(ShapleyOptions),
    /// How fast the strength changes with the argument's base weight.
    ///
    /// Where an influence has a kink, the slope of one side of it.
    Gradient,
}

impl Model {
    /// Says what each argument contributes to the strength of `topic`.
    ///
    /// Only arguments that can reach the topic are looked at. With `r` of them, removal takes `r`
    /// evaluations, the exact Shapley values 2^r, the gradient one evaluation and one pass back.
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
        let local = ArgId::of(local);
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
