//! The normal distribution.

use std::f64::consts::{PI, SQRT_2};

/// The 0.975 quantile, for intervals of 95 %.
pub const Z95: f64 = 1.959_963_984_540_054;

/// Returns the complementary error function, with a relative error below 1e-10.
pub fn erfc(x: f64) -> f64 {
    if x < 0.0 {
        return 2.0 - erfc(-x);
    }
    if x < 2.5 {
        // The series of Abramowitz and Stegun, 7.1.6: its terms are positive.
        let (mut term, mut sum) = (x, x);
        let mut denominator = 1.0;
        while term > sum * 1e-17 && term > 0.0 {
            denominator += 2.0;
            term *= 2.0 * x * x / denominator;
            sum += term;
        }
        return 1.0 - 2.0 / PI.sqrt() * (-x * x).exp() * sum;
    }
    // The continued fraction of Abramowitz and Stegun, 7.1.14, from its tail.
    let mut fraction = x;
    for step in (1..=80_u32).rev() {
        fraction = x + f64::from(step) / 2.0 / fraction;
    }
    (-x * x).exp() / PI.sqrt() / fraction
}

/// Returns the probability of a value up to `x`.
pub fn cdf(x: f64) -> f64 {
    0.5 * erfc(-x / SQRT_2)
}

/// Returns the value up to which the probability is `p`; infinite for 0 and 1.
pub fn quantile(p: f64) -> f64 {
    if p <= 0.0 {
        return f64::NEG_INFINITY;
    }
    if p >= 1.0 {
        return f64::INFINITY;
    }
    // Bisection: 100 halvings of the interval reach the precision of a float.
    let (mut low, mut high) = (-40.0_f64, 40.0_f64);
    for _ in 0..100 {
        let middle = f64::midpoint(low, high);
        match cdf(middle) < p {
            true => low = middle,
            false => high = middle,
        }
    }
    f64::midpoint(low, high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_values_are_those_of_the_tables() {
        for (x, wanted) in [
            (0.0, 1.0),
            (0.5, 0.479_500_122_186_953_5),
            (2.4, 6.885_138_966_645_068e-4),
            (2.6, 2.360_344_165_293_497e-4),
            (5.0, 1.537_459_794_428_035e-12),
        ] {
            assert!((erfc(x) / wanted - 1.0).abs() < 1e-10, "{x}: {}", erfc(x));
        }
        assert!((erfc(-0.5) - 1.520_499_877_813_046_5).abs() < 1e-12);
        assert!((quantile(0.975) - Z95).abs() < 1e-12);
        assert!((quantile(0.8) - 0.841_621_233_572_914_2).abs() < 1e-12);
        assert_eq!(quantile(0.0), f64::NEG_INFINITY);
    }
}
