use super::run::GradualRun;
use super::{Contributions, Model, Status};
use crate::{ArgId, Qbaf};

/// Options for Shapley values: exact up to a size, sampled above it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShapleyOptions {
    /// Maximum number of arguments besides the topic for exact values from all subsets; at most 24.
    pub exact_up_to: u32,
    /// Number of random orders to sample for a graph with more arguments.
    pub samples: u32,
    /// The seed of the random orders; it affects nothing else.
    pub seed: u64,
}

impl Default for ShapleyOptions {
    fn default() -> Self {
        Self {
            exact_up_to: 16,
            samples: 1_000,
            seed: 0,
        }
    }
}

// 2^24 strengths of eight bytes are 128 MiB, and each further player doubles memory and time.
/// Maximum number of players for exact values.
const MAX_EXACT: u32 = 24;

pub(super) fn shapley_contributions(
    model: Model,
    graph: &Qbaf,
    topic: ArgId,
    options: ShapleyOptions,
) -> Contributions {
    let all = (0..graph.len()).map(ArgId::from_index);
    let players: Vec<ArgId> = all.filter(|&a| a != topic).collect();
    if players.len() <= options.exact_up_to.min(MAX_EXACT) as usize {
        exact_shapley(model, graph, topic, &players)
    } else {
        sampled_shapley(model, graph, topic, &players, options)
    }
}

// There are at most 2^24 differences of at most 1 each, so a sum stays below 2^114 and fits into
// 127 bits.
/// Steps between 0 and 1 for adding up differences, so that their order does not matter.
const UNIT: f64 = (1_u128 << 90) as f64;

fn exact_shapley(model: Model, graph: &Qbaf, topic: ArgId, players: &[ArgId]) -> Contributions {
    let n = players.len();
    let mut run = GradualRun::new(model, graph);
    let mut status = Status::Exact;
    for &player in players {
        run.remove(player);
    }
    // The strength of the topic for each subset; each bit is a player.
    let mut strength = vec![0.0; 1 << n];
    let mut present = 0_usize;
    for step in 0_usize..1 << n {
        // In Gray code order, consecutive subsets differ by one player.
        let subset = step ^ (step >> 1);
        let changed = present ^ subset;
        if changed != 0 {
            let player = players[changed.trailing_zeros() as usize];
            if subset & changed != 0 {
                run.restore(player);
            } else {
                run.remove(player);
            }
        }
        present = subset;
        status = status.combine_worst(run.evaluate());
        strength[subset] = run.strength(topic);
    }
    let mut values = vec![0.0; graph.len()];
    for (at, player) in players.iter().enumerate() {
        let bit = 1_usize << at;
        let mut by_size = vec![0_i128; n];
        for without in (0..1_usize << n).filter(|subset| subset & bit == 0) {
            let change = strength[without | bit] - strength[without];
            by_size[without.count_ones() as usize] += (change * UNIT) as i128;
        }
        // Average over the (n-1 choose size) subsets of each size, then over all n sizes.
        let mut subsets = 1.0;
        for (size, total) in by_size.iter().enumerate() {
            values[player.index()] += *total as f64 / UNIT / (subsets * n as f64);
            subsets *= (n - 1 - size) as f64 / (size + 1) as f64;
        }
    }
    Contributions {
        values,
        errors: None,
        status,
    }
}

fn sampled_shapley(
    model: Model,
    graph: &Qbaf,
    topic: ArgId,
    players: &[ArgId],
    options: ShapleyOptions,
) -> Contributions {
    let mut run = GradualRun::new(model, graph);
    let mut status = Status::Exact;
    let mut random = SplitMix(options.seed);
    let mut order = players.to_vec();
    let mut means = vec![0.0; graph.len()];
    let mut squares = vec![0.0; graph.len()];
    let samples = options.samples.max(2);
    for drawn in 1..=samples {
        for at in (1..order.len()).rev() {
            order.swap(at, random.next_below(at + 1));
        }
        for &player in &order {
            run.remove(player);
        }
        status = status.combine_worst(run.evaluate());
        let mut before = run.strength(topic);
        for &player in &order {
            run.restore(player);
            status = status.combine_worst(run.evaluate());
            let change = run.strength(topic) - before;
            before = run.strength(topic);
            let mean = &mut means[player.index()];
            let off = change - *mean;
            *mean += off / f64::from(drawn);
            squares[player.index()] += off * (change - *mean);
        }
    }
    let count = f64::from(samples);
    let errors = squares
        .iter()
        .map(|sum| (sum / (count - 1.0) / count).sqrt())
        .collect();
    Contributions {
        values: means,
        errors: Some(errors),
        status,
    }
}

/// A small random number generator: Steele, Lea and Flood, 2014.
struct SplitMix(u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn next_below(&mut self, end: usize) -> usize {
        ((u128::from(self.next()) * end as u128) >> 64) as usize
    }
}
