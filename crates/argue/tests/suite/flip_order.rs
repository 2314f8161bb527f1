//! The order of a search for flips that cannot try every set.

use agon_argue::{ArgId, Edge, FlipLimits, Gradual, Model, Qbaf};

/// Weights of the supporters of argument 0, by id from 2.
const WEIGHTS: [f64; 7] = [0.04, 0.28, 0.1, 0.32, 0.02, 0.2, 0.14];
/// The supporter of argument 1, whose removal helps argument 0.
const RIVAL: ArgId = ArgId(9);

/// Returns two arguments of which the first is ahead until supporters of more than `lead` are
/// removed.
fn graph(lead: f64) -> Qbaf {
    let mut base = vec![0.5, 0.5];
    base.extend(WEIGHTS);
    base.push(WEIGHTS.iter().sum::<f64>() - lead);
    let mut edges = vec![Edge::support(RIVAL, ArgId(1))];
    edges.extend((2..9).map(|at| Edge::support(ArgId(at), ArgId(0))));
    Qbaf::new(base, &edges).unwrap()
}

fn weight(id: ArgId) -> f64 {
    WEIGHTS[id.index() - 2]
}

/// Returns all sets of `size` candidates by their last member, the heaviest candidates first.
fn sets_by_last(size: usize) -> Vec<Vec<ArgId>> {
    let mut order: Vec<ArgId> = (2..9).map(ArgId).collect();
    order.sort_by(|one, other| weight(*other).total_cmp(&weight(*one)));
    order.push(RIVAL);
    let mut sets: Vec<Vec<usize>> = (0_u32..1 << order.len())
        .filter(|set| set.count_ones() as usize == size)
        .map(|set| {
            (0..order.len())
                .rev()
                .filter(|at| set >> at & 1 == 1)
                .collect()
        })
        .collect();
    sets.sort();
    let named = |set: Vec<usize>| set.into_iter().map(|at| order[at]).collect();
    sets.into_iter().map(named).collect()
}

/// Compares the sets found after each number of tries with those that reverse the comparison.
fn assert_tried_by_last(lead: f64, size: usize, before: u64) {
    let graph = graph(lead);
    let model = Model::new(Gradual::QuadraticEnergy);
    let sets = sets_by_last(size);
    for tries in 0..sets.len() {
        let limits = FlipLimits {
            evaluations: before + tries as u64,
            sets: usize::MAX,
            ..FlipLimits::default()
        };
        let found = model.flip_sets(&graph, ArgId(0), ArgId(1), limits).unwrap();
        let mut expected: Vec<Vec<ArgId>> = sets[..tries]
            .iter()
            .filter(|set| !set.contains(&RIVAL))
            .filter(|set| set.iter().map(|it| weight(*it)).sum::<f64>() > lead)
            .cloned()
            .collect();
        expected.iter_mut().for_each(|set| set.sort());
        expected.sort();
        assert_eq!(found.sets, expected, "after {tries} sets");
        assert!(!found.complete);
    }
}

#[test]
fn pairs_that_cannot_all_be_tried_are_tried_by_their_last_member() {
    // 8 tries for each candidate alone.
    assert_tried_by_last(0.41, 2, 8);
}

#[test]
fn triples_that_cannot_all_be_tried_are_tried_by_their_last_member() {
    // 28 more for the pairs, none of which is heavy enough.
    assert_tried_by_last(0.61, 3, 8 + 28);
}
