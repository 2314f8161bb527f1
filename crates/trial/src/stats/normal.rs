//! The normal distribution.

use std::f64::consts::SQRT_2;

use libm::erfc;

/// The 0.975 quantile, for intervals of 95 %.
pub const Z95: f64 = 1.959_963_984_540_054;

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
            (0.0, 0.5),
            (1.0, 0.841_344_746_068_542_9),
            (-3.0, 1.349_898_031_630_094_5e-3),
        ] {
            assert!((cdf(x) / wanted - 1.0).abs() < 1e-12, "{x}: {}", cdf(x));
        }
        assert!((quantile(0.975) - Z95).abs() < 1e-12);
        assert!((quantile(0.8) - 0.841_621_233_572_914_2).abs() < 1e-12);
        assert_eq!(quantile(0.0), f64::NEG_INFINITY);
    }
}
