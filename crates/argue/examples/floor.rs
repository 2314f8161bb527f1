//! Compares the cost of a synchronous step with the minimum possible on this machine.
//!
//! ```text
//! floor [N DEGREE SEED ROUNDS]
//! ```
//!
//! Prints one line of JSON: CPU time of this thread in milliseconds for a million edges, the
//! `least` and `median` of the rounds, all measured alternately:
//!
//! - `stream`: adding up as many bytes as a step reads and writes;
//! - `compute`: a step of the simplest loop, with any order of summation, where the strengths of
//!   all arguments fit into the L1 cache: a hundredth of the arguments, with as many edges each;
//! - `plain`: the same loop on the whole graph;
//! - `ours`: a step of this crate on the whole graph.
//!
//! The floor is the larger of the first two.

#![expect(clippy::print_stdout, reason = "this is a program")]

use std::error::Error;
use std::hint::black_box;
use std::time::Duration;

use agon_argue::{ArgId, Edge, Gradual, Model, Options, Polarity, Qbaf};

/// Number of steps timed together; for this crate, the difference between twice as many and as
/// many.
const STEPS: u32 = 20;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<u64> = std::env::args()
        .skip(1)
        .map(|it| it.parse())
        .collect::<Result<_, _>>()?;
    let [n, degree, seed, rounds] = args[..].try_into().unwrap_or([100_000, 10, 7, 15]);
    let (base, edges) = random(n, degree, seed);
    let (small, few) = random(n.div_ceil(100), degree, seed);
    let (mut whole, mut part) = (Plain::of(base.clone(), &edges), Plain::of(small, &few));
    let graph = Qbaf::new(base, &edges)?;
    // Sources and row bounds have 4 bytes each; base weights, old strengths and new strengths have
    // 8.
    let bytes = 4 * edges.len() + 8 * graph.len() + 24 * graph.len();
    let words = vec![1_u64; bytes / 8];
    let millions = edges.len() as f64 / 1e6;
    let parts = edges.len() / few.len().max(1);
    let mut times = [const { Vec::new() }; 5];
    for _ in 0..rounds {
        let stream = || {
            let words = black_box(&words).iter();
            words.fold(0, |sum: u64, it| sum.wrapping_add(*it)) as f64
        };
        // Equal numbers of steps, so that other load on the machine affects all equally.
        let measured = [
            time(|| (0..STEPS).map(|_| stream()).sum()),
            time(|| (0..STEPS as usize * parts).map(|_| part.step()).sum()),
            time(|| (0..STEPS).map(|_| whole.step()).sum()),
            steps(&graph, STEPS),
            steps(&graph, 2 * STEPS),
        ];
        for (times, one) in times.iter_mut().zip(measured) {
            times.push(one / millions / f64::from(STEPS));
        }
    }
    let [stream, compute, plain, once, twice] = times.map(|mut all| {
        all.sort_by(f64::total_cmp);
        let at = |place: usize| all.get(place).copied().unwrap_or(0.0);
        [at(0), at(all.len() / 2)]
    });
    // The difference cancels work outside the steps, such as the search for cycles.
    let ours = [0, 1].map(|at| twice[at] - once[at]);
    let names = ["stream", "compute", "plain", "ours"];
    let shown = names.iter().zip([stream, compute, plain, ours]);
    let shown = shown.map(|(name, [least, median])| {
        format!("\"{name}\":{{\"least\":{least:.4},\"median\":{median:.4}}}")
    });
    println!("{{{}}}", shown.collect::<Vec<_>>().join(","));
    Ok(())
}

/// The time of this many steps, and of the work before them.
fn steps(graph: &Qbaf, iterations: u32) -> f64 {
    let model = Model {
        semantics: Gradual::QuadraticEnergy,
        options: Options {
            tolerance: 0.0,
            iterations,
            damping: None,
        },
    };
    time(|| model.evaluate(graph).values.iter().sum())
}

/// Rows of sources, in a straightforward implementation.
struct Plain {
    starts: Vec<usize>,
    middles: Vec<usize>,
    sources: Vec<u32>,
    base: Vec<f64>,
    now: Vec<f64>,
    next: Vec<f64>,
}

impl Plain {
    fn of(base: Vec<f64>, edges: &[Edge]) -> Self {
        let mut rows = vec![(Vec::new(), Vec::new()); base.len()];
        for edge in edges {
            let row = &mut rows[edge.to.index()];
            match edge.polarity {
                Polarity::Attack => row.0.push(edge.from.0),
                Polarity::Support => row.1.push(edge.from.0),
            }
        }
        let (mut starts, mut middles, mut sources) = (vec![0], Vec::new(), Vec::new());
        for (attackers, supporters) in rows {
            sources.extend(attackers);
            middles.push(sources.len());
            sources.extend(supporters);
            starts.push(sources.len());
        }
        Self {
            now: base.clone(),
            next: base.clone(),
            starts,
            middles,
            sources,
            base,
        }
    }

    fn step(&mut self) -> f64 {
        let mut residual = 0.0_f64;
        for (a, &w) in self.base.iter().enumerate() {
            let (start, middle, end) = (self.starts[a], self.middles[a], self.starts[a + 1]);
            let mut energy = 0.0;
            for &source in &self.sources[start..middle] {
                energy -= self.now[source as usize];
            }
            for &source in &self.sources[middle..end] {
                energy += self.now[source as usize];
            }
            let h = energy * energy / (1.0 + energy * energy);
            let room = if energy > 0.0 { 1.0 - w } else { -w };
            self.next[a] = w + room * h;
            residual = residual.max((self.next[a] - self.now[a]).abs());
        }
        std::mem::swap(&mut self.now, &mut self.next);
        residual
    }
}

/// Generates random base weights, and `degree` times as many edges, without self-loops.
fn random(n: u64, degree: u64, seed: u64) -> (Vec<f64>, Vec<Edge>) {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    };
    let base = (0..n).map(|_| (next() >> 11) as f64 / (1_u64 << 53) as f64);
    let base = base.collect();
    let mut edges = Vec::new();
    while (edges.len() as u64) < n * degree {
        let (from, to) = (ArgId((next() % n) as u32), ArgId((next() % n) as u32));
        let attacks = next() % 2 == 0;
        if from != to {
            edges.push(if attacks {
                Edge::attack(from, to)
            } else {
                Edge::support(from, to)
            });
        }
    }
    (base, edges)
}

/// CPU time of this thread in milliseconds.
fn time(work: impl FnOnce() -> f64) -> f64 {
    let began = now();
    black_box(work());
    (now() - began).as_secs_f64() * 1e3
}

fn now() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}
