//! The graphs of the worked examples, and a compact notation for them.

use agon_argue::{ArgId, Edge, Qbaf};
use proptest::prelude::*;

/// A graph with the names of its arguments in the tables.
pub(crate) struct Example {
    pub(crate) graph: Qbaf,
    pub(crate) names: Vec<String>,
}

impl Example {
    pub(crate) fn id(&self, name: &str) -> ArgId {
        let at = self.names.iter().position(|it| it == name).unwrap();
        ArgId(at as u32)
    }
}

/// Reads `a .5 b .8` as base weights and `b-a c+a` as attacks and supports.
pub(crate) fn example(base: &str, edges: &str) -> Example {
    let words: Vec<&str> = base.split_whitespace().collect();
    let names: Vec<String> = words.iter().step_by(2).map(|it| (*it).into()).collect();
    let weights = words.iter().skip(1).step_by(2);
    let weights = weights.map(|it| it.parse().unwrap()).collect();
    let id = |name: &str| ArgId(names.iter().position(|it| it == name).unwrap() as u32);
    let edges: Vec<Edge> = edges
        .split_whitespace()
        .map(|edge| match edge.split_once('-') {
            Some((from, to)) => Edge::attack(id(from), id(to)),
            None => {
                let (from, to) = edge.split_once('+').unwrap();
                Edge::support(id(from), id(to))
            }
        })
        .collect();
    Example {
        graph: Qbaf::new(weights, &edges).unwrap(),
        names,
    }
}

pub(crate) fn t1() -> Example {
    example("a .5 b .8 c .6", "b-a c+a")
}

pub(crate) fn t2() -> Example {
    example("a .8 b .5 c .5", "b-a c-a")
}

pub(crate) fn t3() -> Example {
    example(
        "claim .5 p1 .7 p2 .4 c1 .6 d .9 e .3",
        "c1-claim d-c1 p1+claim p2+claim e+p2",
    )
}

pub(crate) fn t4() -> Example {
    example(
        "A1 .5 A2 .5 P1 .7 P2 .5 P3 .9 C1 .2 C2 .2 C3 .6 C4 .5",
        "C1-A2 C2-P2 C3-P2 C4-P2 P1+A1 P2+A1 P3+A2",
    )
}

pub(crate) fn c1() -> Example {
    example(
        "Buy .5 Sell .5 1 .8 2 .7 3 .3 4 .9 5 .9",
        "Buy-Sell Sell-Buy 2-1 3-2 4-3 5-1 1+Sell 2+Buy 4+2 5+Buy",
    )
}

pub(crate) fn c2() -> Example {
    example("a .8 b .6", "a-b b-a")
}

pub(crate) fn c3() -> Example {
    example("a .5 b .5", "a-b b+a")
}

/// Six arguments on each side, each attacking all of the other side and attacked by them.
pub(crate) fn g1() -> Example {
    let mut edges = Vec::new();
    for a in 0..6 {
        for b in 6..12 {
            edges.push(Edge::attack(ArgId(a), ArgId(b)));
            edges.push(Edge::attack(ArgId(b), ArgId(a)));
        }
    }
    let names = (0..12).map(|at| format!("n{at}")).collect();
    Example {
        graph: Qbaf::new(vec![0.9; 12], &edges).unwrap(),
        names,
    }
}

/// Seven arguments that all attack one another, each supported by the same three.
pub(crate) fn g2() -> Example {
    let mut edges = Vec::new();
    for a in 0..7 {
        for b in (0..7).filter(|&b| b != a) {
            edges.push(Edge::attack(ArgId(b), ArgId(a)));
        }
        for constant in 7..10 {
            edges.push(Edge::support(ArgId(constant), ArgId(a)));
        }
    }
    let mut base = vec![0.1; 7];
    base.extend([1.0; 3]);
    let names = (0..10).map(|at| format!("n{at}")).collect();
    Example {
        graph: Qbaf::new(base, &edges).unwrap(),
        names,
    }
}

/// Base weights and edges of any graph, including cycles and loops.
pub(crate) fn any_parts(most: usize) -> impl Strategy<Value = (Vec<f64>, Vec<Edge>)> {
    prop::collection::vec(weight(), 1..=most).prop_flat_map(|base| {
        let end = base.len() as u32;
        let edges = prop::collection::vec(any_edge(end), 0..4 * base.len());
        (Just(base), edges)
    })
}

/// The same, with edges from higher to lower ids only.
pub(crate) fn acyclic_parts(most: usize) -> impl Strategy<Value = (Vec<f64>, Vec<Edge>)> {
    any_parts(most).prop_map(|(base, edges)| {
        let edges = edges
            .into_iter()
            .filter(|edge| edge.from != edge.to)
            .map(|edge| Edge {
                from: edge.from.max(edge.to),
                to: edge.from.min(edge.to),
                ..edge
            })
            .collect();
        (base, edges)
    })
}

fn weight() -> impl Strategy<Value = f64> {
    prop_oneof![4 => 0.0..=1.0, 1 => Just(0.0), 1 => Just(1.0), 1 => Just(0.5)]
}

fn any_edge(end: u32) -> impl Strategy<Value = Edge> {
    (0..end, 0..end, any::<bool>(), weight(), any::<bool>()).prop_map(
        |(from, to, supports, weight, full)| {
            let edge = if supports {
                Edge::support(ArgId(from), ArgId(to))
            } else {
                Edge::attack(ArgId(from), ArgId(to))
            };
            edge.with_weight(if full { 1.0 } else { weight })
        },
    )
}

/// A permutation of the first `n` numbers.
pub(crate) fn shuffled(n: usize) -> impl Strategy<Value = Vec<usize>> {
    Just((0..n).collect::<Vec<usize>>()).prop_shuffle()
}
