//! Scripted arms: what was planted is within its interval in at least 90 of 100 seeds.

use super::bootstrap::share_interval;
use super::flips::flips;
use super::mcnemar::difference;
use super::random::Random;
use super::wins::{Win, wins};

const QUESTIONS: usize = 300;
const SEEDS: u64 = 100;
const WANTED: usize = 90;

/// Returns in how many of 100 seeds `holds`.
fn seeds(mut holds: impl FnMut(u64, &mut Random) -> bool) -> usize {
    (0..SEEDS)
        .filter(|&seed| holds(seed, &mut Random::from_name(seed, "scripted")))
        .count()
}

/// Returns two arms with accuracies of 0.60 and 0.70 that err together: half of the questions are
/// right in both, and a fifth wrong in both.
fn correlated(random: &mut Random) -> Vec<(bool, bool)> {
    let pair = |unit: f64| (unit < 0.6, unit < 0.5 || (0.6..0.8).contains(&unit));
    (0..QUESTIONS).map(|_| pair(random.unit())).collect()
}

#[test]
fn accuracies_are_found() {
    for accuracy in [0.6, 0.7] {
        let held = seeds(|seed, random| {
            let right: Vec<_> = (0..QUESTIONS).map(|_| random.chance(accuracy)).collect();
            share_interval(&right, seed).contains(accuracy)
        });
        assert!(held >= WANTED, "{accuracy}: {held}");
    }
}

#[test]
fn the_difference_of_arms_with_correlated_errors_is_found() {
    let held = seeds(|seed, random| difference(&correlated(random), seed).contains(0.1));
    assert!(held >= WANTED, "{held}");
}

#[test]
fn a_bias_for_length_and_for_the_first_speaker_is_found() {
    let (mut longer, mut first) = (0, 0);
    for seed in 0..SEEDS {
        let mut random = Random::from_name(seed, "wins");
        let debates: Vec<_> = (0..QUESTIONS)
            .map(|_| {
                let is_longer = random.chance(0.68);
                let lengths = if is_longer { (900, 700) } else { (700, 900) };
                Win {
                    winner_length: lengths.0,
                    loser_length: lengths.1,
                    spoke_first: random.chance(0.55),
                }
            })
            .collect();
        let found = wins(&debates);
        longer += usize::from(found.longer.contains(0.68));
        first += usize::from(found.first.contains(0.55));
    }
    assert!(longer >= WANTED && first >= WANTED, "{longer} {first}");
}

#[test]
fn flips_and_what_they_predict_are_found() {
    let (mut rate, mut predicts) = (0, 0);
    for seed in 0..SEEDS {
        let mut random = Random::from_name(seed, "flips");
        let debates: Vec<_> = (0..2 * QUESTIONS)
            .map(|_| {
                let flipped = random.chance(0.13);
                let wrong = random.chance(if flipped { 0.55 } else { 0.3 });
                (flipped, wrong)
            })
            .collect();
        let found = flips(&debates);
        rate += usize::from(found.rate.contains(0.13));
        predicts += usize::from(found.predicts_error.is_some_and(|it| it.contains(0.25)));
    }
    assert!(rate >= WANTED && predicts >= WANTED, "{rate} {predicts}");
}
