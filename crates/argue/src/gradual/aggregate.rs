//! Sums, products and maxima of strengths, independent of the order of the edges.
//!
//! Adding floating-point numbers in another order can change the last bit, and one bit can decide
//! the winner. Sums are therefore computed in integers, and products with twice the precision.
//!
//! The innermost loops are always inlined: only then can the compiler know that all weights are 1.

use crate::ArgId;
use crate::rows::{GraphRow, RowSide};

// The steps of a double between 1 and 2 (52 fraction bits, IEEE 754), which `chunk_sum_in_steps`
// counts.
/// Number of steps between 0 and 1 in a sum.
const UNIT: f64 = (1_u64 << 52) as f64;

// A term has at most 2^52 steps, so 2^10 terms have 2^62; twice as many could reach 2^63. Tested by
// `a_crowd_of_parents_keeps_its_sum_exact`.
/// Number of terms whose sum always fits into 63 bits.
const CHUNK: usize = 1 << 10;

/// Sums weight times strength over one side, each term rounded to steps of 2^-52. The number of
/// steps is exact for any number of terms.
#[cold]
fn weighted_sum_in_steps(from: &[ArgId], weights: &[f64], strengths: &[f64]) -> i128 {
    let mut total = 0;
    for (at, from) in from.chunks(CHUNK).enumerate() {
        let weights = weights.get(at * CHUNK..).unwrap_or(&[]);
        total += i128::from(chunk_sum_in_steps(from, weights, strengths));
    }
    total
}

/// The same sum for at most `CHUNK` terms. Adding 1 shifts each term between 1 and 2, where the
/// bits of a double count steps of 2^-52, so rounding works without conversion.
#[inline(always)]
fn chunk_sum_in_steps(from: &[ArgId], weights: &[f64], strengths: &[f64]) -> i64 {
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

/// The supporters' sum minus the attackers' sum.
#[inline(always)]
pub(super) fn support_minus_attack(row: GraphRow<'_>, strengths: &[f64]) -> f64 {
    let (sup, att) = (row.supporters, row.attackers);
    if row.parents.len() > CHUNK {
        let supported = weighted_sum_in_steps(sup.from, sup.weights, strengths);
        return (supported - weighted_sum_in_steps(att.from, att.weights, strengths)) as f64 / UNIT;
    }
    let supported = chunk_sum_in_steps(sup.from, sup.weights, strengths);
    (supported - chunk_sum_in_steps(att.from, att.weights, strengths)) as f64 / UNIT
}

#[inline(always)]
pub(super) fn weighted_sum(side: RowSide<'_>, strengths: &[f64]) -> f64 {
    if side.from.len() > CHUNK {
        return weighted_sum_in_steps(side.from, side.weights, strengths) as f64 / UNIT;
    }
    chunk_sum_in_steps(side.from, side.weights, strengths) as f64 / UNIT
}

/// The maximum over one side; 0 if the side is empty.
#[inline]
pub(super) fn max_weighted_strength(side: RowSide<'_>, strengths: &[f64]) -> f64 {
    let mut most = 0.0_f64;
    for at in 0..side.from.len() {
        most = most.max(weighted_strength(side, at, strengths));
    }
    most
}

/// The contribution of one source: its strength times the edge's weight.
#[inline]
pub(super) fn weighted_strength(side: RowSide<'_>, at: usize, strengths: &[f64]) -> f64 {
    let strength = strengths[side.from[at].index()];
    match side.weights.get(at) {
        Some(weight) => strength * weight,
        None => strength,
    }
}

/// The product of (1 - weight * strength) over one side; 1 if the side is empty.
#[inline]
pub(super) fn complement_product(side: RowSide<'_>, strengths: &[f64]) -> f64 {
    match side.from.len() {
        0 => 1.0,
        1 => 1.0 - weighted_strength(side, 0, strengths),
        2 => {
            (1.0 - weighted_strength(side, 0, strengths))
                * (1.0 - weighted_strength(side, 1, strengths))
        }
        _ => precise_complement_product(side, strengths),
    }
}

/// Multiplies more than two factors with 128 binary digits and rounds once, at the end.
///
/// At least 110 digits are correct. Another order of the factors could change the result only if
/// the true product were within 2^-55 of the midpoint between two adjacent numbers.
#[inline]
fn precise_complement_product(side: RowSide<'_>, strengths: &[f64]) -> f64 {
    // IEEE 754: the 52 lowest bits of a double are its fraction.
    const FRACTION: u64 = (1 << 52) - 1;
    // The current product is digits / 2^127 * 2^exponent.
    let mut digits = 1_u128 << 127;
    let mut exponent = 0_i64;
    for at in 0..side.from.len() {
        let bits = (1.0 - weighted_strength(side, at, strengths)).to_bits();
        if bits == 0 {
            return 0.0;
        }
        // The factor is mantissa / 2^64 * 2^(its exponent minus 1022); it is never subnormal.
        let mantissa = u128::from((bits & FRACTION | 1 << 52) << 11);
        exponent += (bits >> 52) as i64 - 1022;
        digits = (digits >> 64) * mantissa + (((digits & u128::from(u64::MAX)) * mantissa) >> 64);
        if at % 16 == 15 {
            let zeros = digits.leading_zeros();
            digits <<= zeros;
            exponent -= i64::from(zeros);
        }
    }
    let zeros = digits.leading_zeros();
    let top = (digits << zeros) as f64;
    match u64::try_from(exponent - i64::from(zeros) - 127 + 1023) {
        Ok(exponent) if exponent > 0 => top * f64::from_bits(exponent << 52),
        // Subnormal or smaller: too small to affect any strength.
        _ => 0.0,
    }
}
