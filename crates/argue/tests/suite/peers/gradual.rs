//! Strengths and contributions.

use agon_argue::{
    ArgId, Edge, Gradual, Measure, Model, Options, Polarity, Qbaf, Scheme, ShapleyOptions, Status,
};
use serde_json::{Value, json};

use super::{Random, Tally, ask_python, named};

const COMPARED: [Gradual; 6] = [
    Gradual::DfQuad,
    Gradual::QuadraticEnergy,
    Gradual::Euler,
    Gradual::EulerTop,
    Gradual::SquaredDfQuad,
    Gradual::Mlp,
];

/// A random graph without duplicate edges, which the other solvers require.
fn random_qbaf(random: &mut Random, most: u64, acyclic: bool) -> Qbaf {
    let n = 2 + random.below(most - 1);
    let base = (0..n).map(|_| f64::from(1 + random.below(99)) / 100.0);
    let base = base.collect();
    let mut edges: Vec<Edge> = Vec::new();
    for _ in 0..n * (1 + random.below(3)) {
        let (a, b) = (random.below(n.into()), random.below(n.into()));
        let (from, to) = if acyclic {
            (a.max(b), a.min(b))
        } else {
            (a, b)
        };
        let (from, to) = (ArgId(from), ArgId(to));
        if from != to && edges.iter().all(|it| (it.from, it.to) != (from, to)) {
            edges.push(if random.below(2) == 0 {
                Edge::attack(from, to)
            } else {
                Edge::support(from, to)
            });
        }
    }
    Qbaf::new(base, &edges).unwrap()
}

fn question(task: &str, graph: &Qbaf) -> Value {
    let pairs = |polarity| -> Vec<[u32; 2]> {
        let edges = graph.edges().filter(|edge| edge.polarity == polarity);
        edges.map(|edge| [edge.from.0, edge.to.0]).collect()
    };
    json!({
        "task": task,
        "base": graph.base_weights(),
        "attacks": pairs(Polarity::Attack),
        "supports": pairs(Polarity::Support),
    })
}

/// Synchronous steps only: a graph that converges this way converges in the other solvers, too.
fn model(semantics: Gradual) -> Model {
    let options = Options {
        tolerance: 1e-13,
        damping: None,
        ..Options::default()
    };
    Model { semantics, options }
}

fn furthest(ours: &[f64], theirs: &[Option<f64>]) -> f64 {
    assert_eq!(ours.len(), theirs.len());
    let pairs = ours.iter().zip(theirs);
    let off = pairs.map(|(a, b)| b.map_or(0.0, |b| (a - b).abs()));
    off.fold(0.0, f64::max)
}

#[test]
fn strengths_are_those_of_the_python_packages() {
    let Some(python) = named("PEER_PYTHON") else {
        return;
    };
    let mut random = Random(3);
    let graphs: Vec<Qbaf> = (0..600)
        .map(|at| random_qbaf(&mut random, if at % 10 == 0 { 40 } else { 10 }, at % 2 == 0))
        .collect();
    let questions: Vec<Value> = graphs.iter().map(|it| question("strengths", it)).collect();
    let mut tally = Tally::default();
    for (graph, answer) in graphs.iter().zip(ask_python(&python, &questions)) {
        for (peer, by_name) in answer.as_object().unwrap() {
            for semantics in COMPARED {
                let Some(theirs) = by_name.get(semantics.name()) else {
                    continue;
                };
                let ours = model(semantics).evaluate(graph);
                let kind = match ours.status {
                    Status::Exact => "acyclic",
                    Status::Converged { scheme, .. } => {
                        assert_eq!(scheme, Scheme::Synchronous);
                        "cyclic"
                    }
                    Status::Oscillating { .. } | Status::Limit { .. } => "unsettled",
                };
                let task = format!("{peer} {} {kind}", semantics.name());
                // A solver that gives up reports null; only one uses damped steps and converges
                // more often.
                if theirs.is_null() || !ours.status.is_settled() {
                    let same = theirs.is_null() != ours.status.is_settled();
                    tally.compare(&task, same || peer == "uncertainpy", || {
                        format!("{theirs} and ours {ours:?} of {graph:?}")
                    });
                    continue;
                }
                let theirs: Vec<Option<f64>> = serde_json::from_value(theirs.clone()).unwrap();
                let off = furthest(&ours.values, &theirs);
                tally.compare(&task, off <= 1e-9, || format!("{off:e} apart on {graph:?}"));
            }
        }
    }
    tally.report("python");
}

#[test]
fn contributions_are_those_of_the_python_packages() {
    let Some(python) = named("PEER_PYTHON") else {
        return;
    };
    let mut random = Random(4);
    let graphs: Vec<Qbaf> = (0..200)
        .map(|at| random_qbaf(&mut random, 6, at % 2 == 0))
        .collect();
    let questions: Vec<Value> = graphs
        .iter()
        .map(|it| question("contributions", it))
        .collect();
    let measures = [
        ("removal", Measure::Removal, 1e-9),
        ("intrinsic-removal", Measure::IntrinsicRemoval, 1e-9),
        ("shapley", Measure::Shapley(ShapleyOptions::default()), 1e-9),
        // The other solvers approximate derivatives by differences.
        ("gradient", Measure::Gradient, 1e-5),
    ];
    let mut tally = Tally::default();
    for (graph, answer) in graphs.iter().zip(ask_python(&python, &questions)) {
        for (peer, by_name) in answer.as_object().unwrap() {
            for semantics in COMPARED {
                for (name, measure, near) in measures {
                    let theirs = by_name.get(semantics.name()).and_then(|it| it.get(name));
                    let Some(theirs) = theirs.filter(|it| !it.is_null()) else {
                        continue;
                    };
                    let theirs: Vec<Option<f64>> = serde_json::from_value(theirs.clone()).unwrap();
                    let ours = model(semantics).contributions(graph, ArgId(0), measure);
                    if !ours.status.is_settled() {
                        continue;
                    }
                    let off = furthest(&ours.values, &theirs);
                    let task = format!("{peer} {} {name}", semantics.name());
                    tally.compare(&task, off <= near, || {
                        format!("{theirs:?} and ours {ours:?} of {graph:?}")
                    });
                }
            }
        }
    }
    tally.report("python");
}
