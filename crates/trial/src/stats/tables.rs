//! McNemar's test and the bootstrap against other programs, on 50 random tables.
//!
//! `tables/expected.csv` was made with numpy 2.4.6, scipy 1.17.1 and statsmodels 0.15.0: each table
//! is a multinomial draw (`default_rng(20261129)`) of 40 to 600 questions with probabilities from
//! `dirichlet([4, 1.5, 1.5, 3])`, without those whose two discordant counts are equal. The p-values
//! are those of `mcnemar(exact=True)` and `mcnemar(exact=False, correction=True)`, the limits those
//! of `scipy.stats.bootstrap(..., np.mean, n_resamples=20000, method="BCa")` of second minus first.

use super::float;
use super::mcnemar::{PairTable, difference};

#[test]
fn fifty_tables_have_the_values_of_scipy_and_statsmodels() {
    let mut tables = 0;
    for line in include_str!("tables/expected.csv").lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let counts: Vec<usize> = cells[..4].iter().map(|it| it.parse().unwrap()).collect();
        let wanted: Vec<f64> = cells[4..].iter().map(|it| it.parse().unwrap()).collect();
        let table = PairTable {
            both: counts[0],
            only_first: counts[1],
            only_second: counts[2],
            neither: counts[3],
        };
        let close = |found: f64, wanted: f64| (found - wanted).abs() <= 1e-9 * wanted.max(1e-300);
        assert!(
            close(table.exact_p(), wanted[0]),
            "{line}: {}",
            table.exact_p()
        );
        let (statistic, p) = table.chi_squared();
        assert!(
            close(statistic, wanted[1]) && close(p, wanted[2]),
            "{line}: {statistic} {p}"
        );

        let pairs: Vec<_> = [(true, true), (true, false), (false, true), (false, false)]
            .into_iter()
            .zip(&counts)
            .flat_map(|(pair, &count)| vec![pair; count])
            .collect();
        assert_eq!(PairTable::of(&pairs), table);
        let found = difference(&pairs, 1);
        // Differences are multiples of one question, and the resamples are others and fewer.
        let half = (wanted[4] - wanted[3]) / 2.0;
        let most = (half / 8.0).max(2.01 / float(pairs.len()));
        assert!((found.low - wanted[3]).abs() <= most, "{line}: {found:?}");
        assert!((found.high - wanted[4]).abs() <= most, "{line}: {found:?}");
        tables += 1;
    }
    assert_eq!(tables, 50);
}
