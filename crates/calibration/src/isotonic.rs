//! The curve that never rises and is nearest to what was measured.

/// The values that never rise and whose weighted squares of distances to `values` are least; each
/// value has its weight. By pooling neighbours that rise, in one pass.
pub(crate) fn falling_fit(values: &[(f64, f64)]) -> Vec<f64> {
    // Weighted sum, weight, how many values.
    let mut pools: Vec<(f64, f64, usize)> = Vec::new();
    for &(value, weight) in values {
        let weight = weight.max(f64::MIN_POSITIVE);
        let mut pool = (value * weight, weight, 1);
        while let Some(&(sum, before, count)) = pools.last()
            && sum * pool.1 < pool.0 * before
        {
            pools.pop();
            pool = (pool.0 + sum, pool.1 + before, pool.2 + count);
        }
        pools.push(pool);
    }
    let fitted = pools.iter();
    fitted
        .flat_map(|&(sum, weight, count)| std::iter::repeat_n(sum / weight, count))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fit(values: &[f64], weights: &[f64]) -> Vec<f64> {
        let pairs: Vec<_> = values
            .iter()
            .copied()
            .zip(weights.iter().copied())
            .collect();
        falling_fit(&pairs)
    }

    #[test]
    fn what_falls_stays_and_what_rises_becomes_its_weighted_mean() {
        let close = |found: &[f64], wanted: &[f64]| {
            let pairs = found.iter().zip(wanted);
            found.len() == wanted.len() && pairs.into_iter().all(|(a, b)| (a - b).abs() < 1e-12)
        };
        assert!(close(&fit(&[0.9, 0.8, 0.1], &[1.0; 3]), &[0.9, 0.8, 0.1]));
        assert!(close(
            &fit(&[0.8, 0.9, 0.1], &[1.0, 3.0, 1.0]),
            &[0.875, 0.875, 0.1]
        ));
        // The last one pools with all before it.
        assert!(close(&fit(&[0.5, 0.2, 0.9], &[1.0; 3]), &[1.6 / 3.0; 3]));
        assert!(close(
            &fit(&[0.9, 0.2, 0.6, 0.1], &[1.0; 4]),
            &[0.9, 0.4, 0.4, 0.1]
        ));
        assert!(close(&fit(&[], &[]), &[]));
    }

    #[test]
    fn no_other_falling_curve_on_a_grid_is_nearer() {
        let values = [0.7, 0.9, 0.4, 0.5];
        let weights = [1.0, 2.0, 1.0, 3.0];
        let distance = |curve: &[f64]| {
            let parts = curve.iter().zip(&values).zip(&weights);
            parts.map(|((a, b), w)| w * (a - b) * (a - b)).sum::<f64>()
        };
        let own = distance(&fit(&values, &weights));
        let grid: Vec<f64> = (0..=20).map(|it| f64::from(it) / 20.0).collect();
        for &a in &grid {
            for &b in grid.iter().filter(|b| **b <= a) {
                for &c in grid.iter().filter(|c| **c <= b) {
                    for &d in grid.iter().filter(|d| **d <= c) {
                        assert!(own <= distance(&[a, b, c, d]) + 1e-12);
                    }
                }
            }
        }
    }
}
