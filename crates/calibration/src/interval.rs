//! Intervals of a share.

/// The share that intervals miss, all of those that are meant together.
pub(crate) const MISS: f64 = 0.05;

/// How many standard deviations to either side miss the true value with the chance `miss`.
pub(crate) fn deviations(miss: f64) -> f64 {
    let (mut low, mut high) = (0.0, 8.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        match 2.0 * upper_tail(middle) > miss {
            true => low = middle,
            false => high = middle,
        }
    }
    low
}

/// The chance that a standard normal variable is above `x`, for x from 0 to 8.
fn upper_tail(x: f64) -> f64 {
    // The series of G. Marsaglia, "Evaluating the Normal Distribution", 2004: every term is positive.
    let (mut term, mut sum, mut odd) = (x, x, 1.0);
    while term > sum * 1e-17 {
        odd += 2.0;
        term *= x * x / odd;
        sum += term;
    }
    let density = (-0.5 * x * x).exp() / (2.0 * std::f64::consts::PI).sqrt();
    0.5 - density * sum
}

/// The interval of Wilson, corrected for continuity, for a share of which `found` of `asked` were
/// seen: method 4 of R. Newcombe, "Two-sided confidence intervals for the single proportion",
/// Statistics in Medicine 17, 1998. From 0 to 1 where nothing was asked.
///
/// Without the correction it is too narrow for shares near 1, which is where most models begin: that
/// shows `curves_of_other_forms_are_inside_the_intervals_too`.
pub(crate) fn wilson(found: f64, asked: f64, deviations: f64) -> (f64, f64) {
    if asked <= 0.0 {
        return (0.0, 1.0);
    }
    // The upper end is the lower end of the share that was not found.
    let low = lower_end(found, asked, deviations);
    let high = 1.0 - lower_end(asked - found, asked, deviations);
    (low, high)
}

fn lower_end(found: f64, asked: f64, deviations: f64) -> f64 {
    if found <= 0.0 {
        return 0.0;
    }
    let share = found / asked;
    let square = deviations * deviations;
    let spread = square - 2.0 - 1.0 / asked + 4.0 * share * (asked - found + 1.0);
    let above = 2.0 * found + square - 1.0 - deviations * spread.max(0.0).sqrt();
    (above / (2.0 * (asked + square))).clamp(0.0, share)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: f64, wanted: f64) -> bool {
        (found - wanted).abs() < 5e-4
    }

    #[test]
    fn deviations_are_those_of_the_tables() {
        for (miss, wanted) in [
            (0.05, 1.9600),
            (0.01, 2.5758),
            (0.005, 2.8070),
            (0.3173, 1.0000),
        ] {
            assert!(
                near(deviations(miss), wanted),
                "{miss}: {}",
                deviations(miss)
            );
        }
    }

    #[test]
    fn intervals_are_those_that_were_published() {
        // Those of Newcombe's table 1, for 81 of 263, 15 of 148, 0 of 20 and 1 of 29.
        let z = deviations(0.05);
        for ((found, asked), (low, high)) in [
            ((81.0, 263.0), (0.2535, 0.3682)),
            ((15.0, 148.0), (0.0598, 0.1644)),
            ((0.0, 20.0), (0.0000, 0.2005)),
            ((1.0, 29.0), (0.0018, 0.1963)),
        ] {
            let (own_low, own_high) = wilson(found, asked, z);
            assert!(
                near(own_low, low) && near(own_high, high),
                "{own_low} {own_high}"
            );
            let (mirrored, _) = wilson(asked - found, asked, z);
            assert!(near(mirrored, 1.0 - high), "{mirrored}");
        }
        assert_eq!(wilson(0.0, 0.0, z), (0.0, 1.0));
    }
}
