//! Selects how many cases of a long test run: a sample by default, all with `AGON_TEST_FULL=1`.

use std::env;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

/// Runs every case of every test; `cargo xtask test --full` sets it.
const FULL_VARIABLE: &str = "AGON_TEST_FULL";

/// Limits a full run to one part of the cases, as in `2/3`; `cargo xtask team --part` sets it.
const PART_VARIABLE: &str = "AGON_TEST_PART";

/// Seeds samples and the cases of proptest; `cargo xtask test` sets it.
const SEED_VARIABLE: &str = "PROPTEST_RNG_SEED";

/// Returns whether every case should run, however long that takes.
pub fn is_full() -> bool {
    env::var_os(FULL_VARIABLE).is_some_and(|value| value == "1")
}

/// Returns all of `cases` in a full run (or the part named by `AGON_TEST_PART`), or else `count` of
/// them in order.
///
/// The first and the last are always included. The others depend on the seed and the name of the
/// test, so that tests with equally many cases use different ones.
#[expect(clippy::print_stderr, reason = "the seed repeats a failing sample")]
pub fn sample<T>(test: &str, cases: Vec<T>, count: usize) -> Vec<T> {
    if is_full() {
        let part = env::var(PART_VARIABLE).ok();
        return nth_part(cases, part.as_deref().and_then(parse_part));
    }
    if cases.len() <= count {
        return cases;
    }
    let seed = seed();
    let (all, mut chosen) = (
        cases.len(),
        pick_indices(seed, test, cases.len(), count).into_iter(),
    );
    eprintln!("{test}: {count} of {all} cases, {SEED_VARIABLE}={seed}; all with {FULL_VARIABLE}=1");
    let mut next = chosen.next();
    let mut sampled = Vec::with_capacity(count);
    for (at, case) in cases.into_iter().enumerate() {
        if next == Some(at) {
            sampled.push(case);
            next = chosen.next();
        }
    }
    sampled
}

/// Parses `I/N`, where `I` is from 1 to `N`.
fn parse_part(part: &str) -> Option<(usize, usize)> {
    let (nth, count) = part.split_once('/')?;
    let (nth, count) = (nth.parse().ok()?, count.parse().ok()?);
    (1..=count).contains(&nth).then_some((nth, count))
}

/// Returns the `nth` of `count` runs of consecutive cases, which together are all cases.
fn nth_part<T>(mut cases: Vec<T>, part: Option<(usize, usize)>) -> Vec<T> {
    let Some((nth, count)) = part else {
        return cases;
    };
    let start = |nth: usize| cases.len() * nth / count;
    let range = start(nth - 1)..start(nth);
    cases.drain(range).collect()
}

/// Returns a pseudo-random number from 1 to `most`, determined by the seed and `name`.
pub fn pick(name: &str, most: u64) -> u64 {
    1 + Draws::new(seed(), name).number_below(most)
}

fn seed() -> u64 {
    let seed = env::var(SEED_VARIABLE).ok();
    seed.and_then(|seed| seed.parse().ok()).unwrap_or_default()
}

/// Picks `count` of the numbers below `all`, sorted, including the first and the last.
fn pick_indices(seed: u64, name: &str, all: usize, count: usize) -> Vec<usize> {
    let mut draws = Draws::new(seed, name);
    let mut between: Vec<usize> = (1..all - 1).collect();
    let mut drawn = vec![0, all - 1];
    drawn.truncate(count);
    while drawn.len() < count {
        let at = draws.number_below(between.len() as u64);
        drawn.push(between.swap_remove(usize::try_from(at).unwrap()));
    }
    drawn.sort_unstable();
    drawn
}

/// SplitMix64: good enough to spread samples, and the same on every machine.
struct Draws(u64);

impl Draws {
    fn new(seed: u64, name: &str) -> Self {
        let mut hasher = DefaultHasher::new();
        (seed, name).hash(&mut hasher);
        Self(hasher.finish())
    }

    fn number_below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % bound
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_is_sorted_and_has_the_first_and_the_last() {
        for count in 2..20 {
            let drawn = pick_indices(7, "kills", 100, count);
            assert_eq!(drawn.len(), count);
            assert!(drawn.is_sorted_by(|one, next| one < next), "{drawn:?}");
            assert_eq!((drawn[0], drawn[count - 1]), (0, 99));
        }
    }

    #[test]
    fn parts_are_in_order_and_together_all_cases() {
        let cases: Vec<u8> = (0..10).collect();
        for count in 1..12 {
            let parts = (1..=count).map(|nth| nth_part(cases.clone(), Some((nth, count))));
            assert_eq!(parts.flatten().collect::<Vec<_>>(), cases, "{count} parts");
        }
        assert_eq!(nth_part(cases.clone(), None), cases);
        assert_eq!(parse_part("2/3"), Some((2, 3)));
        for wrong in ["", "2", "0/3", "4/3", "1/0", "a/b"] {
            assert_eq!(parse_part(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_sample_follows_from_its_seed_and_the_name_of_its_test() {
        assert_eq!(
            pick_indices(7, "kills", 1_000, 12),
            pick_indices(7, "kills", 1_000, 12)
        );
        assert_ne!(
            pick_indices(7, "kills", 1_000, 12),
            pick_indices(8, "kills", 1_000, 12)
        );
        assert_ne!(
            pick_indices(7, "kills", 1_000, 12),
            pick_indices(7, "cuts", 1_000, 12)
        );
    }
}
