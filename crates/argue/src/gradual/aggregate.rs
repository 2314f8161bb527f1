//! Sums, products and greatest of strengths, the same whatever the order of the edges.
//!
//! Adding floating-point numbers in another order can change the last bit, and a last bit can
//! make a winner. So a sum is taken in whole numbers and a product over sorted factors.

use crate::ArgId;
use crate::qbaf::Side;

/// How many steps of a sum there are between 0 and 1.
const UNIT: f64 = (1_u64 << 52) as f64;

/// Terms whose sum surely fits into 63 bits.
const CHUNK: usize = 1 << 10;

/// Adds up what the sources of one side say, in steps of 2^-52.
#[inline]
fn steps(side: Side<'_>, strengths: &[f64]) -> i128 {
    if side.from.len() <= CHUNK {
        return i128::from(chunk(side.from, side.weights, strengths));
    }
    let mut total = 0;
    for (at, from) in side.from.chunks(CHUNK).enumerate() {
        let weights = side.weights.get(at * CHUNK..).unwrap_or(&[]);
        total += i128::from(chunk(from, weights, strengths));
    }
    total
}

/// The bits of a number from 1 to 2 count steps of 2^-52 upwards from those of 1, so adding 1
/// rounds to a whole number of steps without a conversion.
#[inline]
fn chunk(from: &[ArgId], weights: &[f64], strengths: &[f64]) -> i64 {
    let mut total = 0_u64;
    if weights.is_empty() {
        for source in from {
            total = total.wrapping_add((strengths[source.index()] + 1.0).to_bits());
        }
    } else {
        for (source, weight) in from.iter().zip(weights) {
            total = total.wrapping_add((strengths[source.index()] * weight + 1.0).to_bits());
        }
    }
    let ones = 1.0_f64.to_bits().wrapping_mul(from.len() as u64);
    total.wrapping_sub(ones) as i64
}

/// The supporters' sum less the attackers' sum.
#[inline]
pub(super) fn balance(supporters: Side<'_>, attackers: Side<'_>, strengths: &[f64]) -> f64 {
    if supporters.from.len().max(attackers.from.len()) <= CHUNK {
        let sup = chunk(supporters.from, supporters.weights, strengths);
        let att = chunk(attackers.from, attackers.weights, strengths);
        return (sup - att) as f64 / UNIT;
    }
    (steps(supporters, strengths) - steps(attackers, strengths)) as f64 / UNIT
}

#[inline]
pub(super) fn sum(side: Side<'_>, strengths: &[f64]) -> f64 {
    steps(side, strengths) as f64 / UNIT
}

/// The greatest of one side, 0 for none.
#[inline]
pub(super) fn greatest(side: Side<'_>, strengths: &[f64]) -> f64 {
    let mut most = 0.0_f64;
    for at in 0..side.from.len() {
        most = most.max(voice(side, at, strengths));
    }
    most
}

/// What one source of a side says: its strength by the edge's weight.
#[inline]
pub(super) fn voice(side: Side<'_>, at: usize, strengths: &[f64]) -> f64 {
    let strength = strengths[side.from[at].index()];
    match side.weights.get(at) {
        Some(weight) => strength * weight,
        None => strength,
    }
}

/// The product of what each source leaves: 1 less what it says. 1 for none.
#[inline]
pub(super) fn left_over(side: Side<'_>, strengths: &[f64]) -> f64 {
    match side.from.len() {
        0 => 1.0,
        1 => 1.0 - voice(side, 0, strengths),
        2 => (1.0 - voice(side, 0, strengths)) * (1.0 - voice(side, 1, strengths)),
        3..=4 => network::<4>(side, strengths),
        5..=6 => network::<6>(side, strengths),
        7..=8 => network::<8>(side, strengths),
        _ => {
            let mut factors: Vec<f64> = (0..side.from.len())
                .map(|at| 1.0 - voice(side, at, strengths))
                .collect();
            factors.sort_unstable_by(f64::total_cmp);
            factors.iter().product()
        }
    }
}

/// Sorts at most `N` factors without a branch, padded with ones at the end, and multiplies.
#[inline]
fn network<const N: usize>(side: Side<'_>, strengths: &[f64]) -> f64 {
    let mut factors = [1.0; N];
    for (at, factor) in factors.iter_mut().enumerate().take(side.from.len()) {
        *factor = 1.0 - voice(side, at, strengths);
    }
    for last in (1..N).rev() {
        for at in 0..last {
            let (a, b) = (factors[at], factors[at + 1]);
            factors[at] = if a < b { a } else { b };
            factors[at + 1] = if a < b { b } else { a };
        }
    }
    let mut product = factors[0];
    for factor in &factors[1..] {
        product *= factor;
    }
    product
}
