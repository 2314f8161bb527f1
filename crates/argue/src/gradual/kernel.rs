//! The formulas of each semantics for a single argument.

use super::aggregate::{
    complement_product, max_weighted_strength, support_minus_attack, weighted_strength,
    weighted_sum,
};
use crate::rows::{GraphRow, RowSide};

/// A gradual semantics, as plain functions that the loops are specialized for.
pub(super) trait Kernel {
    /// Combines the attackers and supporters of an argument into one number; 0 if it has none.
    fn aggregate(row: GraphRow<'_>, base: &[f64], strengths: &[f64]) -> f64;

    /// Applies a non-zero aggregate to the base weight `w`, which may be 0, 1 or between.
    fn influence(w: f64, aggregate: f64) -> f64;

    /// The derivatives of the influence by the base weight and by the aggregate.
    fn influence_slopes(w: f64, aggregate: f64) -> (f64, f64);

    /// The derivatives of the aggregate by each parent, attackers first.
    fn aggregate_slopes(row: GraphRow<'_>, base: &[f64], strengths: &[f64], out: &mut Vec<f64>);

    /// The strength of one argument.
    #[inline(always)]
    fn strength(row: GraphRow<'_>, w: f64, base: &[f64], strengths: &[f64]) -> f64 {
        let aggregate = Self::aggregate(row, base, strengths);
        if aggregate == 0.0 {
            return w;
        }
        Self::influence(w, aggregate).clamp(0.0, 1.0)
    }
}

/// Evaluates `$body` with `$kernel` as the formulas of a semantics.
macro_rules! with_kernel {
    ($semantics:expr, $kernel:ident => $body:expr) => {
        match $semantics {
            Gradual::DfQuad => {
                type $kernel = $crate::gradual::kernel::DfQuad;
                $body
            }
            Gradual::SquaredDfQuad => {
                type $kernel = $crate::gradual::kernel::SquaredDfQuad;
                $body
            }
            Gradual::QuadraticEnergy => {
                type $kernel = $crate::gradual::kernel::QuadraticEnergy;
                $body
            }
            Gradual::Euler => {
                type $kernel = $crate::gradual::kernel::Euler;
                $body
            }
            Gradual::EulerTop => {
                type $kernel = $crate::gradual::kernel::EulerTop;
                $body
            }
            Gradual::Mlp => {
                type $kernel = $crate::gradual::kernel::Mlp;
                $body
            }
            Gradual::HCategoriser => {
                type $kernel = $crate::gradual::kernel::HCategoriser;
                $body
            }
            Gradual::MaxBased => {
                type $kernel = $crate::gradual::kernel::MaxBased;
                $body
            }
            Gradual::CardBased => {
                type $kernel = $crate::gradual::kernel::CardBased;
                $body
            }
        }
    };
}
pub(super) use with_kernel;

pub(super) struct DfQuad;
pub(super) struct SquaredDfQuad;
pub(super) struct QuadraticEnergy;
pub(super) struct Euler;
pub(super) struct EulerTop;
pub(super) struct Mlp;
pub(super) struct HCategoriser;
pub(super) struct MaxBased;
pub(super) struct CardBased;

impl Kernel for DfQuad {
    #[inline(always)]
    fn aggregate(row: GraphRow<'_>, _: &[f64], strengths: &[f64]) -> f64 {
        complement_product(row.attackers, strengths) - complement_product(row.supporters, strengths)
    }

    #[inline]
    fn influence(w: f64, v: f64) -> f64 {
        move_toward_bound(w, v, v.abs())
    }

    fn influence_slopes(w: f64, v: f64) -> (f64, f64) {
        if v >= 0.0 {
            (1.0 - v, 1.0 - w)
        } else {
            (1.0 + v, w)
        }
    }

    fn aggregate_slopes(row: GraphRow<'_>, _: &[f64], strengths: &[f64], out: &mut Vec<f64>) {
        complement_product_slopes(row.attackers, strengths, -1.0, out);
        complement_product_slopes(row.supporters, strengths, 1.0, out);
    }
}

impl Kernel for SquaredDfQuad {
    #[inline(always)]
    fn aggregate(row: GraphRow<'_>, base: &[f64], strengths: &[f64]) -> f64 {
        DfQuad::aggregate(row, base, strengths)
    }

    #[inline]
    fn influence(w: f64, v: f64) -> f64 {
        move_toward_bound(w, v, v.abs() / (1.0 + v.abs()))
    }

    fn influence_slopes(w: f64, v: f64) -> (f64, f64) {
        let rest = 1.0 + v.abs();
        let room = if v >= 0.0 { 1.0 - w } else { w };
        (1.0 - v.abs() / rest, room / (rest * rest))
    }

    fn aggregate_slopes(row: GraphRow<'_>, base: &[f64], strengths: &[f64], out: &mut Vec<f64>) {
        DfQuad::aggregate_slopes(row, base, strengths, out);
    }
}

impl Kernel for QuadraticEnergy {
    #[inline(always)]
    fn aggregate(row: GraphRow<'_>, _: &[f64], strengths: &[f64]) -> f64 {
        support_minus_attack(row, strengths)
    }

    #[inline]
    fn influence(w: f64, energy: f64) -> f64 {
        let square = energy * energy;
        move_toward_bound(w, energy, square / (1.0 + square))
    }

    fn influence_slopes(w: f64, energy: f64) -> (f64, f64) {
        let rest = 1.0 + energy * energy;
        let room = if energy >= 0.0 { 1.0 - w } else { w };
        (1.0 / rest, room * 2.0 * energy.abs() / (rest * rest))
    }

    fn aggregate_slopes(row: GraphRow<'_>, _: &[f64], _: &[f64], out: &mut Vec<f64>) {
        support_minus_attack_slopes(row, out);
    }
}

impl Kernel for Euler {
    #[inline(always)]
    fn aggregate(row: GraphRow<'_>, _: &[f64], strengths: &[f64]) -> f64 {
        support_minus_attack(row, strengths)
    }

    #[inline]
    fn influence(w: f64, energy: f64) -> f64 {
        if w == 0.0 {
            return 0.0;
        }
        1.0 - (1.0 - w * w) / (1.0 + w * energy.exp())
    }

    fn influence_slopes(w: f64, energy: f64) -> (f64, f64) {
        // Limit the exponent to keep the square finite; beyond 300 the strength is 1 to the last
        // bit.
        let e = energy.min(300.0).exp();
        let rest = 1.0 + w * e;
        let room = 1.0 - w * w;
        (
            2.0 * w / rest + room * e / (rest * rest),
            room * w * e / (rest * rest),
        )
    }

    fn aggregate_slopes(row: GraphRow<'_>, _: &[f64], _: &[f64], out: &mut Vec<f64>) {
        support_minus_attack_slopes(row, out);
    }
}

impl Kernel for EulerTop {
    #[inline(always)]
    fn aggregate(row: GraphRow<'_>, _: &[f64], strengths: &[f64]) -> f64 {
        max_weighted_strength(row.supporters, strengths)
            - max_weighted_strength(row.attackers, strengths)
    }

    #[inline]
    fn influence(w: f64, difference: f64) -> f64 {
        Euler::influence(w, difference)
    }

    fn influence_slopes(w: f64, difference: f64) -> (f64, f64) {
        Euler::influence_slopes(w, difference)
    }

    fn aggregate_slopes(row: GraphRow<'_>, _: &[f64], strengths: &[f64], out: &mut Vec<f64>) {
        max_strength_slopes(row.attackers, strengths, -1.0, out);
        max_strength_slopes(row.supporters, strengths, 1.0, out);
    }
}

impl Kernel for Mlp {
    #[inline(always)]
    fn aggregate(row: GraphRow<'_>, _: &[f64], strengths: &[f64]) -> f64 {
        support_minus_attack(row, strengths)
    }

    #[inline]
    fn influence(w: f64, energy: f64) -> f64 {
        if w == 0.0 || w == 1.0 {
            return w;
        }
        1.0 / (1.0 + (-(w.ln() - (-w).ln_1p() + energy)).exp())
    }

    fn influence_slopes(w: f64, energy: f64) -> (f64, f64) {
        if w == 0.0 {
            return (energy.exp(), 0.0);
        }
        if w == 1.0 {
            return ((-energy).exp(), 0.0);
        }
        let strength = Self::influence(w, energy);
        let spread = strength * (1.0 - strength);
        (spread / (w * (1.0 - w)), spread)
    }

    fn aggregate_slopes(row: GraphRow<'_>, _: &[f64], _: &[f64], out: &mut Vec<f64>) {
        support_minus_attack_slopes(row, out);
    }
}

impl Kernel for HCategoriser {
    #[inline(always)]
    fn aggregate(row: GraphRow<'_>, _: &[f64], strengths: &[f64]) -> f64 {
        weighted_sum(row.attackers, strengths)
    }

    #[inline]
    fn influence(w: f64, burden: f64) -> f64 {
        w / (1.0 + burden)
    }

    fn influence_slopes(w: f64, burden: f64) -> (f64, f64) {
        let rest = 1.0 + burden;
        (1.0 / rest, -w / (rest * rest))
    }

    fn aggregate_slopes(row: GraphRow<'_>, _: &[f64], _: &[f64], out: &mut Vec<f64>) {
        out.extend((0..row.attackers.from.len()).map(|at| row.attackers.weight(at)));
        out.extend(row.supporters.from.iter().map(|_| 0.0));
    }
}

impl Kernel for MaxBased {
    #[inline(always)]
    fn aggregate(row: GraphRow<'_>, _: &[f64], strengths: &[f64]) -> f64 {
        max_weighted_strength(row.attackers, strengths)
    }

    #[inline]
    fn influence(w: f64, burden: f64) -> f64 {
        HCategoriser::influence(w, burden)
    }

    fn influence_slopes(w: f64, burden: f64) -> (f64, f64) {
        HCategoriser::influence_slopes(w, burden)
    }

    fn aggregate_slopes(row: GraphRow<'_>, _: &[f64], strengths: &[f64], out: &mut Vec<f64>) {
        max_strength_slopes(row.attackers, strengths, 1.0, out);
        out.extend(row.supporters.from.iter().map(|_| 0.0));
    }
}

impl Kernel for CardBased {
    #[inline(always)]
    fn aggregate(row: GraphRow<'_>, base: &[f64], strengths: &[f64]) -> f64 {
        // Arguments with base weight 0 have strength 0 here and do not contribute to the sum
        // anyway.
        match count_with_base_weight(row.attackers, base) {
            0 => 0.0,
            count => count as f64 + weighted_sum(row.attackers, strengths) / count as f64,
        }
    }

    #[inline]
    fn influence(w: f64, burden: f64) -> f64 {
        HCategoriser::influence(w, burden)
    }

    fn influence_slopes(w: f64, burden: f64) -> (f64, f64) {
        HCategoriser::influence_slopes(w, burden)
    }

    fn aggregate_slopes(row: GraphRow<'_>, base: &[f64], _: &[f64], out: &mut Vec<f64>) {
        let count = count_with_base_weight(row.attackers, base).max(1) as f64;
        out.extend((0..row.attackers.from.len()).map(|at| {
            let counts = base[row.attackers.from[at].index()] > 0.0;
            if counts {
                row.attackers.weight(at) / count
            } else {
                0.0
            }
        }));
        out.extend(row.supporters.from.iter().map(|_| 0.0));
    }
}

/// How many of the sources have a base weight above 0.
fn count_with_base_weight(side: RowSide<'_>, base: &[f64]) -> usize {
    let sources = side.from.iter();
    sources.filter(|from| base[from.index()] > 0.0).count()
}

/// Moves `w` by the share `h` of the distance to 1 if `direction` is positive, or else of the
/// distance to 0.
///
/// Computed without a branch, because it would be unpredictable.
#[inline]
fn move_toward_bound(w: f64, direction: f64, h: f64) -> f64 {
    let room = if direction > 0.0 { 1.0 - w } else { -w };
    w + room * h
}

fn support_minus_attack_slopes(row: GraphRow<'_>, out: &mut Vec<f64>) {
    out.extend((0..row.attackers.from.len()).map(|at| -row.attackers.weight(at)));
    out.extend((0..row.supporters.from.len()).map(|at| row.supporters.weight(at)));
}

/// The derivative belongs to the strongest source; equally strong ones share it.
fn max_strength_slopes(side: RowSide<'_>, strengths: &[f64], sign: f64, out: &mut Vec<f64>) {
    let most = max_weighted_strength(side, strengths);
    let is_top = |at: usize| weighted_strength(side, at, strengths) == most;
    let tops = (0..side.from.len()).filter(|&at| is_top(at)).count();
    out.extend((0..side.from.len()).map(|at| {
        if is_top(at) {
            sign * side.weight(at) / tops as f64
        } else {
            0.0
        }
    }));
}

/// Each factor's derivative is the product of the others, computed from both ends.
fn complement_product_slopes(side: RowSide<'_>, strengths: &[f64], sign: f64, out: &mut Vec<f64>) {
    let n = side.from.len();
    let start = out.len();
    let mut before = 1.0;
    for at in 0..n {
        out.push(before);
        before *= 1.0 - weighted_strength(side, at, strengths);
    }
    let mut after = 1.0;
    for at in (0..n).rev() {
        out[start + at] *= after * sign * side.weight(at);
        after *= 1.0 - weighted_strength(side, at, strengths);
    }
}
