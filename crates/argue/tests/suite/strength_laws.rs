//! Laws that strengths and contributions obey on any graph.

use agon_argue::{
    ArgId, Edge, FlipLimits, Gradual, Measure, Model, NoFlip, Options, Polarity, Qbaf,
    ShapleyOptions, Status,
};
use proptest::prelude::*;

use crate::common::{acyclic_parts, any_parts, example, shuffled};

fn any_semantics() -> impl Strategy<Value = Gradual> {
    prop::sample::select(&Gradual::ALL[..])
}

/// Few steps, so that a graph that does not converge costs little.
fn quick(semantics: Gradual) -> Model {
    Model {
        semantics,
        options: Options {
            iterations: 300,
            ..Options::default()
        },
    }
}

/// A direct implementation of the definition, from the parents' strengths and the edges' weights.
fn by_definition(semantics: Gradual, graph: &Qbaf, strengths: &[f64], a: ArgId) -> f64 {
    let voices = |polarity| {
        let edges = graph
            .edges_into(a)
            .filter(move |edge| edge.polarity == polarity);
        edges.map(|edge| edge.weight * strengths[edge.from.index()])
    };
    let (attacks, supports) = (|| voices(Polarity::Attack), || voices(Polarity::Support));
    let w = graph.base_weights()[a.index()];
    let energy = supports().sum::<f64>() - attacks().sum::<f64>();
    let top = supports().fold(0.0, f64::max) - attacks().fold(0.0, f64::max);
    let left = |voice: f64| 1.0 - voice;
    let product = attacks().map(left).product::<f64>() - supports().map(left).product::<f64>();
    let toward = |direction: f64, h: f64| {
        if direction > 0.0 {
            w + (1.0 - w) * h
        } else {
            w - w * h
        }
    };
    let euler = |e: f64| 1.0 - (1.0 - w * w) / (1.0 + w * e.exp());
    match semantics {
        Gradual::DfQuad => toward(product, product.abs()),
        Gradual::SquaredDfQuad => toward(product, product.abs() / (1.0 + product.abs())),
        Gradual::QuadraticEnergy => toward(energy, energy * energy / (1.0 + energy * energy)),
        Gradual::Euler => euler(energy),
        Gradual::EulerTop => euler(top),
        Gradual::Mlp if w == 0.0 || w == 1.0 => w,
        Gradual::Mlp => 1.0 / (1.0 + (-(w / (1.0 - w)).ln() - energy).exp()),
        Gradual::HCategoriser => w / (1.0 + attacks().sum::<f64>()),
        Gradual::MaxBased => w / (1.0 + attacks().fold(0.0, f64::max)),
        Gradual::CardBased => {
            let all = graph.edges_into(a);
            let counted: Vec<f64> = all
                .filter(|it| {
                    it.polarity == Polarity::Attack && graph.base_weights()[it.from.index()] > 0.0
                })
                .map(|it| it.weight * strengths[it.from.index()])
                .collect();
            if counted.is_empty() {
                return w;
            }
            let count = counted.len() as f64;
            w / (1.0 + count + counted.iter().sum::<f64>() / count)
        }
    }
}

/// The graph with its arguments renumbered and its edges in another order.
fn renumbered(base: &[f64], edges: &[Edge], new: &[usize], order: &[usize]) -> Qbaf {
    let mut weights = vec![0.0; base.len()];
    for (at, weight) in base.iter().enumerate() {
        weights[new[at]] = *weight;
    }
    let id = |a: ArgId| ArgId(new[a.index()] as u32);
    let edges: Vec<Edge> = order
        .iter()
        .map(|&at| Edge {
            from: id(edges[at].from),
            to: id(edges[at].to),
            ..edges[at]
        })
        .collect();
    Qbaf::new(weights, &edges).unwrap()
}

fn bits(values: impl IntoIterator<Item = f64>) -> Vec<u64> {
    values.into_iter().map(f64::to_bits).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn settled_strengths_are_a_fixed_point_of_the_definition(
        (base, edges) in any_parts(12), semantics in any_semantics()
    ) {
        let graph = Qbaf::new(base, &edges).unwrap();
        let strengths = quick(semantics).evaluate(&graph);
        for (a, value) in strengths.values.iter().enumerate() {
            prop_assert!((0.0..=1.0).contains(value));
            if strengths.status.is_settled() {
                let again = by_definition(semantics, &graph, &strengths.values, ArgId(a as u32));
                prop_assert!((value - again).abs() < 1e-11, "{value} {again}");
            }
        }
    }

    #[test]
    fn acyclic_graphs_are_exact_and_the_rest_are_not(
        (base, edges) in acyclic_parts(12), semantics in any_semantics()
    ) {
        let mut edges = edges;
        let graph = Qbaf::new(base.clone(), &edges).unwrap();
        prop_assert_eq!(quick(semantics).evaluate(&graph).status, Status::Exact);
        edges.push(Edge::attack(ArgId(0), ArgId(0)));
        let looped = Qbaf::new(base, &edges).unwrap();
        prop_assert_ne!(quick(semantics).evaluate(&looped).status, Status::Exact);
    }

    #[test]
    fn neither_names_nor_order_change_a_bit_of_a_strength(
        ((base, edges), semantics) in (any_parts(14), any_semantics()),
        new in shuffled(14), order in shuffled(56)
    ) {
        let new: Vec<usize> = new.into_iter().filter(|&at| at < base.len()).collect();
        let order: Vec<usize> = order.into_iter().filter(|&at| at < edges.len()).collect();
        let one = quick(semantics).evaluate(&Qbaf::new(base.clone(), &edges).unwrap());
        let other = quick(semantics).evaluate(&renumbered(&base, &edges, &new, &order));
        prop_assert_eq!(one.status, other.status);
        let there: Vec<f64> = new.iter().map(|&at| other.values[at]).collect();
        prop_assert_eq!(bits(one.values), bits(there));
    }

    #[test]
    fn neither_names_nor_order_change_a_bit_of_a_contribution(
        (base, edges) in any_parts(6), semantics in any_semantics(),
        new in shuffled(6), order in shuffled(24)
    ) {
        let new: Vec<usize> = new.into_iter().filter(|&at| at < base.len()).collect();
        let order: Vec<usize> = order.into_iter().filter(|&at| at < edges.len()).collect();
        let graph = Qbaf::new(base.clone(), &edges).unwrap();
        let other = renumbered(&base, &edges, &new, &order);
        for measure in [Measure::Removal, Measure::IntrinsicRemoval, Measure::Shapley(ShapleyOptions::default())] {
            let here = quick(semantics).contributions(&graph, ArgId(0), measure);
            let there = quick(semantics).contributions(&other, ArgId(new[0] as u32), measure);
            let there: Vec<f64> = new.iter().map(|&at| there.values[at]).collect();
            prop_assert_eq!(bits(here.values), bits(there));
        }
    }

    #[test]
    fn the_stronger_of_two_like_edges_is_the_one_that_counts(
        (base, edges) in any_parts(8), semantics in any_semantics()
    ) {
        let weaker: Vec<Edge> = edges.iter().map(|edge| edge.with_weight(edge.weight / 2.0)).collect();
        let once = Qbaf::new(base.clone(), &edges).unwrap();
        let both = Qbaf::new(base, &[weaker, edges].concat()).unwrap();
        prop_assert_eq!(&once, &both);
        prop_assert_eq!(quick(semantics).evaluate(&once), quick(semantics).evaluate(&both));
    }

    #[test]
    fn removal_is_the_difference_to_the_graph_without(
        (base, edges) in any_parts(7), semantics in any_semantics()
    ) {
        let graph = Qbaf::new(base, &edges).unwrap();
        let model = quick(semantics);
        let found = model.contributions(&graph, ArgId(0), Measure::Removal);
        prop_assume!(found.status.is_settled());
        let whole = model.evaluate(&graph).values[0];
        for x in 1..graph.len() {
            let keep: Vec<bool> = (0..graph.len()).map(|at| at != x).collect();
            let without = model.evaluate(&graph.induced_subgraph(&keep).0).values[0];
            prop_assert!((found.values[x] - (whole - without)).abs() < 1e-11);
        }
    }

    #[test]
    fn shapley_values_add_up_to_the_way_from_base_to_strength(
        (base, edges) in any_parts(8), semantics in any_semantics()
    ) {
        let graph = Qbaf::new(base, &edges).unwrap();
        // A loop on the topic contributes to no other argument's share.
        prop_assume!(graph.edges().all(|edge| (edge.from, edge.to) != (ArgId(0), ArgId(0))));
        let model = quick(semantics);
        let measure = Measure::Shapley(ShapleyOptions::default());
        let found = model.contributions(&graph, ArgId(0), measure);
        let way = model.evaluate(&graph).values[0] - graph.base_weights()[0];
        prop_assert!((found.values.iter().sum::<f64>() - way).abs() < 1e-12);
    }

    #[test]
    fn sampled_shapley_values_lie_near_the_exact_ones(
        (base, edges) in acyclic_parts(6), semantics in any_semantics(), seed in any::<u64>()
    ) {
        let graph = Qbaf::new(base, &edges).unwrap();
        let model = Model::new(semantics);
        let options = ShapleyOptions { samples: 400, seed, ..ShapleyOptions::default() };
        let exact = model.contributions(&graph, ArgId(0), Measure::Shapley(options));
        let options = ShapleyOptions { exact_up_to: 0, ..options };
        let drawn = model.contributions(&graph, ArgId(0), Measure::Shapley(options));
        prop_assert_eq!(exact.errors, None);
        if let Some(errors) = drawn.errors {
            for (at, error) in errors.iter().enumerate() {
                let off = (exact.values[at] - drawn.values[at]).abs();
                prop_assert!(off <= 6.0 * error + 0.02, "{off} {error}");
            }
        }
    }

    #[test]
    fn slopes_are_what_a_small_step_shows(
        (base, edges) in any_parts(8), semantics in any_semantics()
    ) {
        let base: Vec<f64> = base.iter().map(|w| 0.05 + 0.9 * w).collect();
        let graph = Qbaf::new(base.clone(), &edges).unwrap();
        let model = Model { options: Options { tolerance: 1e-14, ..Options::default() }, semantics };
        let found = model.contributions(&graph, ArgId(0), Measure::Gradient);
        prop_assume!(found.status.is_settled());
        for x in 0..graph.len() {
            let at = |step: f64| {
                let mut base = base.clone();
                base[x] += step;
                model.evaluate(&graph.with_base_weights(base).unwrap()).values[0]
            };
            let here = at(0.0);
            let (up, down) = ((at(1e-6) - here) / 1e-6, (here - at(-1e-6)) / 1e-6);
            // At a kink the two one-sided slopes may differ. If the slope itself bends, as the
            // quadratic energy's does at zero, it is between the two difference quotients.
            if (up - down).abs() < 1e-4 {
                // Where a strength bends the same way on both sides of a kink, it is off by a few steps.
                let room = 1e-5 * (1.0 + up.abs());
                let (least, most) = (up.min(down) - room, up.max(down) + room);
                prop_assert!((least..=most).contains(&found.values[x]), "{} {down} {up}", found.values[x]);
            }
        }
    }

    #[test]
    fn a_supporter_on_a_tree_never_harms_by_being_stronger(
        (base, edges) in acyclic_parts(8), semantics in any_semantics(), more in 0.0..1.0_f64
    ) {
        let mut seen = vec![false; base.len()];
        // One edge per argument, all supports: a tree.
        let tree: Vec<Edge> = edges
            .into_iter()
            .filter(|edge| !std::mem::replace(&mut seen[edge.from.index()], true))
            .map(|edge| Edge { polarity: Polarity::Support, ..edge })
            .collect();
        let before = Model::new(semantics).evaluate(&Qbaf::new(base.clone(), &tree).unwrap());
        for x in 1..base.len() {
            let mut base = base.clone();
            base[x] += (1.0 - base[x]) * more;
            let after = Model::new(semantics).evaluate(&Qbaf::new(base, &tree).unwrap());
            prop_assert!(after.values[0] >= before.values[0] - 1e-12);
        }
    }

    #[test]
    fn flip_sets_are_the_first_of_the_smallest(
        (base, edges) in any_parts(8), semantics in any_semantics()
    ) {
        let mut base = base;
        base.extend([0.3, 0.6]);
        let graph = Qbaf::new(base, &edges).unwrap();
        let model = quick(semantics);
        let limits = FlipLimits { sets: usize::MAX, ..FlipLimits::default() };
        let found = model.flip_sets(&graph, ArgId(0), ArgId(1), limits);
        // By brute force: every subset of the others, by size and then in order.
        let difference = |removed: u32| {
            let keep: Vec<bool> = (0..graph.len()).map(|at| removed >> at & 1 == 0).collect();
            let strengths = model.evaluate(&graph.induced_subgraph(&keep).0);
            strengths.status.is_settled().then(|| strengths.values[0] - strengths.values[1])
        };
        let Some(now) = difference(0) else {
            // The whole graph does not converge, although the part for the two may.
            return Ok(());
        };
        if now.abs() <= 1e-9 {
            prop_assert_eq!(found, Err(NoFlip::Tied));
            return Ok(());
        }
        let relevant = graph.ancestors_of(&[ArgId(0), ArgId(1)]);
        let mut expected: Vec<Vec<ArgId>> = Vec::new();
        for size in 1..=3 {
            for removed in (0_u32..1 << graph.len()).filter(|it| it & 3 == 0 && it.count_ones() == size) {
                let set: Vec<ArgId> = (0..graph.len() as u32).filter(|at| removed >> at & 1 == 1).map(ArgId).collect();
                if set.iter().all(|it| relevant[it.index()])
                    && difference(removed).is_some_and(|it| it * now < 0.0 && it.abs() > 1e-9)
                {
                    expected.push(set);
                }
            }
            if !expected.is_empty() {
                break;
            }
        }
        expected.sort();
        let found = found.unwrap();
        prop_assert!(found.complete);
        prop_assert_eq!(found.winner, ArgId(if now > 0.0 { 0 } else { 1 }));
        // A removal may prevent convergence elsewhere, which does not matter here.
        for set in &expected {
            prop_assert!(found.sets.contains(set));
        }
        if model.evaluate(&graph).status == Status::Exact {
            prop_assert_eq!(found.sets, expected);
        }
    }
}

#[test]
fn neither_names_nor_order_change_a_bit_of_a_large_cycle() {
    let n = 500_usize;
    // Edges without a pattern that join nearly all arguments into one cycle.
    let edges: Vec<Edge> = (0..4_000_usize)
        .map(|at| {
            let from = ArgId((at * 7 + at * at % 311) as u32 % 500);
            let to = ArgId((at * at / 3 + 11 * at) as u32 % 480);
            if at % 3 == 0 {
                Edge::attack(from, to)
            } else {
                Edge::support(from, to)
            }
        })
        .collect();
    let weighed: Vec<Edge> = edges
        .iter()
        .enumerate()
        .map(|(at, edge)| edge.with_weight(1.0 - (at % 7) as f64 / 10.0))
        .collect();
    let base: Vec<f64> = (0..n).map(|at| (at * 37 % 101) as f64 / 100.0).collect();
    let new: Vec<usize> = (0..n).map(|at| (at * 213 + 5) % n).collect();
    let order: Vec<usize> = (0..edges.len()).rev().collect();
    for (edges, semantics) in Gradual::ALL
        .iter()
        .flat_map(|it| [(&edges, it), (&weighed, it)])
    {
        let one = quick(*semantics).evaluate(&Qbaf::new(base.clone(), edges).unwrap());
        assert_ne!(one.status, Status::Exact);
        let other = quick(*semantics).evaluate(&renumbered(&base, edges, &new, &order));
        assert_eq!(one.status, other.status, "{}", semantics.name());
        let there = new.iter().map(|&at| other.values[at]);
        assert_eq!(bits(one.values), bits(there), "{}", semantics.name());
    }
}

#[test]
fn a_search_that_runs_out_says_so() {
    let pair = example("a .5 b .6 c .5 d .5", "c+b d+b");
    let limits = FlipLimits {
        evaluations: 1,
        ..FlipLimits::default()
    };
    let model = Model::new(Gradual::DfQuad);
    let found = model.flip_sets(&pair.graph, pair.id("a"), pair.id("b"), limits);
    let found = found.unwrap();
    assert_eq!((found.sets.len(), found.complete), (0, false));
}

/// Two arguments, each with a crowd of supporters, of which only the last ones together matter.
fn crowd(count: u32) -> Qbaf {
    let mut base = vec![0.5, 0.5];
    let mut edges = Vec::new();
    for at in 0..count {
        let is_strong = at + 2 >= count;
        base.push(if is_strong { 0.9 } else { 0.001 });
        edges.push(Edge::support(ArgId(at + 2), ArgId(0)));
    }
    // Outweighs either of the strong ones, but not both.
    base.push(1.0);
    edges.push(Edge::support(ArgId(count + 2), ArgId(1)));
    Qbaf::new(base, &edges).unwrap()
}

#[test]
fn a_search_that_cannot_try_all_tries_the_most_promising_first() {
    let graph = crowd(400);
    let model = Model::new(Gradual::QuadraticEnergy);
    let limits = FlipLimits {
        // 400 for every argument alone, and no more than a hundred pairs of them.
        evaluations: 500,
        ..FlipLimits::default()
    };
    let found = model.flip_sets(&graph, ArgId(0), ArgId(1), limits).unwrap();
    // Without one of the two strong ones, 0.9 and 0.4 of the weak ones are still ahead of 1.
    assert_eq!(found.winner, ArgId(0));
    assert_eq!((found.complete, found.searched), (false, 1));
    assert_eq!(found.sets, [[ArgId(400), ArgId(401)]]);
    // By id, the same number of evaluations does not come near them.
    let by_id = FlipLimits {
        steps: None,
        ..limits
    };
    let found = model.flip_sets(&graph, ArgId(0), ArgId(1), by_id).unwrap();
    assert_eq!((found.sets.len(), found.complete), (0, false));
}

#[test]
fn a_limit_of_steps_holds_whatever_the_number_of_evaluations() {
    let graph = crowd(400);
    let model = Model::new(Gradual::QuadraticEnergy);
    let search = |steps| {
        let limits = FlipLimits {
            steps: Some(steps),
            ..FlipLimits::default()
        };
        model.flip_sets(&graph, ArgId(0), ArgId(1), limits).unwrap()
    };
    // Not even each alone.
    let little = search(10_000);
    assert_eq!(
        (little.sets.len(), little.complete, little.searched),
        (0, false, 0)
    );
    let enough = search(1 << 40);
    assert!(enough.complete && enough.searched == 1);
    assert_eq!(enough.sets, [[ArgId(400), ArgId(401)]]);
}

#[test]
fn nothing_turns_round_what_does_not_settle() {
    let swinging = crate::common::g1();
    let model = Model {
        semantics: Gradual::DfQuad,
        options: Options {
            damping: None,
            ..Options::default()
        },
    };
    let found = model.flip_sets(&swinging.graph, ArgId(0), ArgId(6), FlipLimits::default());
    assert_eq!(found, Err(NoFlip::Unsettled));
}

#[test]
fn a_crowd_of_parents_keeps_its_sum_exact() {
    // More terms than fit into one chunk of the sum, on both sides.
    let crowd = 5_000_u32;
    let mut base = vec![0.5];
    let mut edges = Vec::new();
    for at in 1..=crowd {
        base.push(f64::from(at) / f64::from(crowd));
        edges.push(Edge::support(ArgId(at), ArgId(0)));
    }
    base.push(0.5);
    edges.push(Edge::attack(ArgId(crowd + 1), ArgId(0)));
    let graph = Qbaf::new(base, &edges).unwrap();
    let energy: f64 = (1..=crowd)
        .map(|at| f64::from(at) / f64::from(crowd))
        .sum::<f64>()
        - 0.5;
    let expected = 0.5 + 0.5 * (energy * energy / (1.0 + energy * energy));
    let found = Model::new(Gradual::QuadraticEnergy).evaluate(&graph).values[0];
    assert!((found - expected).abs() < 1e-15);
    let hcat = Model::new(Gradual::HCategoriser).evaluate(&graph).values[0];
    assert!((hcat - 0.5 / 1.5).abs() < 1e-15);
}

#[test]
fn a_long_product_is_right_whatever_its_order() {
    let crowd = 150_u32;
    let weights: Vec<f64> = (1..=crowd).map(|at| 0.4 + f64::from(at) / 1501.0).collect();
    // A supporter with certainty makes its product zero, so this is the strength.
    let strength = |weights: &[f64]| {
        let base = [&[0.0, 1.0], weights].concat();
        let mut edges = vec![Edge::support(ArgId(1), ArgId(0))];
        edges.extend((2..base.len() as u32).map(|at| Edge::attack(ArgId(at), ArgId(0))));
        let graph = Qbaf::new(base, &edges).unwrap();
        Model::new(Gradual::DfQuad).evaluate(&graph).values[0]
    };
    let found = strength(&weights);
    let expected: f64 = weights.iter().map(|w| 1.0 - w).product();
    assert!((found / expected - 1.0).abs() < 1e-13, "{found} {expected}");
    for turn in 1..weights.len() {
        let mut other = weights.clone();
        other.rotate_left(turn);
        assert_eq!(strength(&other).to_bits(), found.to_bits());
    }
    // An attacker with certainty makes the product zero, and many strong ones make it too small to
    // represent.
    assert_eq!(strength(&[vec![1.0], weights[1..].to_vec()].concat()), 0.0);
    assert_eq!(strength(&vec![1.0 - f64::EPSILON / 2.0; 100]), 0.0);
}
