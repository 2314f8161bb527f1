//! Contributions by removing arguments, one at a time.

use super::run::GradualRun;
use super::{Contributions, Model};
use crate::{ArgId, Qbaf};

/// Compares the graph with and without each argument; `intrinsic` first removes the edges into it.
pub(super) fn removal_contributions(
    model: Model,
    graph: &Qbaf,
    topic: ArgId,
    intrinsic: bool,
) -> Contributions {
    let mut run = GradualRun::new(model, graph);
    let mut status = run.evaluate();
    let whole = run.strength(topic);
    let mut values = vec![0.0; graph.len()];
    for at in (0..graph.len()).filter(|&at| at != topic.index()) {
        let x = ArgId::from_index(at);
        let mut with = whole;
        if intrinsic {
            run.cut_incoming(x);
            status = status.combine_worst(run.evaluate());
            with = run.strength(topic);
        }
        run.remove(x);
        status = status.combine_worst(run.evaluate());
        values[at] = with - run.strength(topic);
        run.restore(x);
    }
    Contributions {
        values,
        errors: None,
        status,
    }
}
