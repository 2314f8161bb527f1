use super::run::Run;
use super::{Model, ShapleyOptions, Status, gradient, shapley};
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

/// What each argument contributes to the strength of one topic.
#[derive(Clone, Debug, PartialEq)]
pub struct Contributions {
    /// One number per argument; 0 for all that cannot reach the topic.
    ///
    /// The topic's own is 0, but for the gradient, where it is the slope by its own base weight.
    pub values: Vec<f64>,
    /// The standard error of each value when they were sampled.
    pub errors: Option<Vec<f64>>,
    /// The worst status of all evaluations that the values rest on.
    pub status: Status,
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
        let (relevant, old) = graph.restricted(&graph.ancestors_of(&[topic]));
        let local = old.partition_point(|&a| a < topic);
        let local = ArgId::of(local);
        let found = match measure {
            Measure::Removal => removal(*self, &relevant, local, false),
            Measure::IntrinsicRemoval => removal(*self, &relevant, local, true),
            Measure::Shapley(options) => shapley::shapley(*self, &relevant, local, options),
            Measure::Gradient => gradient::gradient(*self, &relevant, local),
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

/// Compares the graph with and without each argument, `intrinsic` with nothing leading into it.
fn removal(model: Model, graph: &Qbaf, topic: ArgId, intrinsic: bool) -> Contributions {
    let mut run = Run::new(model, graph);
    let mut status = run.evaluate();
    let whole = run.value(topic);
    let mut values = vec![0.0; graph.len()];
    for at in (0..graph.len()).filter(|&at| at != topic.index()) {
        let x = ArgId::of(at);
        let mut with = whole;
        if intrinsic {
            run.cut(x);
            status = status.and(run.evaluate());
            with = run.value(topic);
        }
        run.remove(x);
        status = status.and(run.evaluate());
        values[at] = with - run.value(topic);
        run.restore(x);
    }
    Contributions {
        values,
        errors: None,
        status,
    }
}
