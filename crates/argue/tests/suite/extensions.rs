//! Extensions and acceptance against worked examples and brute force.

use agon_argue::{Af, ArgId, LimitHit, Mode, Reasoner, SearchLimits, Semantics};
use proptest::prelude::*;

use crate::brute::{Set, Small};

fn ids(set: Set) -> Vec<ArgId> {
    (0..32).filter(|at| set >> at & 1 == 1).map(ArgId).collect()
}

fn bits(set: &[ArgId]) -> Set {
    set.iter().fold(0, |all, a| all | 1 << a.0)
}

fn all_extensions(af: &Af, semantics: Semantics) -> Vec<Set> {
    let reasoner = Reasoner::new(af);
    let found = reasoner.extensions(semantics).unwrap();
    let mut sets: Vec<Set> = found.map(|it| bits(&it.unwrap())).collect();
    sets.sort_unstable();
    sets
}

/// Checks every extension.
fn check_extensions(af: &Af) {
    for (semantics, mut expected) in Small::of(af).extensions() {
        expected.sort_unstable();
        let found = all_extensions(af, semantics);
        assert_eq!(found, expected, "{semantics:?} {af:?}");
    }
}

/// Checks every extension and the acceptance of all arguments; with `each`, also every single
/// question.
fn check(af: &Af, each: bool) {
    check_extensions(af);
    let reasoner = Reasoner::new(af);
    for semantics in [Semantics::Stable, Semantics::Preferred] {
        let both = reasoner.acceptance(semantics).unwrap();
        let all = |mode| reasoner.mark_accepted(semantics, mode).unwrap();
        let apart = [all(Mode::Credulous), all(Mode::Skeptical)];
        assert_eq!([both.credulous, both.skeptical], apart, "{af:?}");
    }
    for (semantics, expected) in Small::of(af).extensions() {
        for mode in [Mode::Credulous, Mode::Skeptical] {
            let has = |a: u32| move |set: &Set| set >> a & 1 == 1;
            let expect = |a: u32| match mode {
                Mode::Credulous => expected.iter().any(has(a)),
                Mode::Skeptical => expected.iter().all(has(a)),
            };
            let accepted: Vec<bool> = (0..af.len() as u32).map(expect).collect();
            let found = reasoner.mark_accepted(semantics, mode).unwrap();
            assert_eq!(found, accepted, "{semantics:?} {mode:?} {af:?}");
            for a in (0..af.len() as u32).filter(|_| each) {
                let answer = reasoner
                    .decide_acceptance(semantics, mode, ArgId(a))
                    .unwrap();
                assert_eq!(
                    answer.accepted, accepted[a as usize],
                    "{semantics:?} {mode:?} {a} {af:?}"
                );
                let shown = answer.witness.map(|it| bits(&it));
                let shows = answer.accepted == (mode == Mode::Credulous);
                assert_eq!(shown.is_some(), shows, "{semantics:?} {mode:?} {a} {af:?}");
                if let Some(witness) = shown {
                    assert!(
                        expected.contains(&witness),
                        "{semantics:?} {mode:?} {a} {af:?}"
                    );
                    assert_eq!(has(a)(&witness), mode == Mode::Credulous);
                }
            }
        }
    }
}

fn graph(n: u32, edges: u64) -> Af {
    let pairs = (0..n).flat_map(|from| (0..n).map(move |to| (from, to)));
    let kept = pairs.enumerate().filter(|(at, _)| edges >> at & 1 == 1);
    let attacks: Vec<(u32, u32)> = kept.map(|(_, pair)| pair).collect();
    Af::new(n as usize, &attacks).unwrap()
}

#[test]
fn every_graph_of_up_to_three_is_solved_and_every_question_answered() {
    for n in 0..=3 {
        for edges in 0..1_u64 << (n * n) {
            check(&graph(n, edges), true);
        }
    }
}

#[test]
fn every_graph_of_four_is_solved() {
    for edges in 0..1_u64 << 16 {
        check_extensions(&graph(4, edges));
    }
}

/// Whether no renumbering of the four arguments gives a graph with a lower number.
fn is_first_of_its_kind(edges: u64) -> bool {
    let ways = (0..256_u32).map(|way| [way & 3, way >> 2 & 3, way >> 4 & 3, way >> 6]);
    let mut renumberings = ways.filter(|to| to.iter().fold(0, |seen, it| seen | 1 << it) == 15);
    renumberings.all(|to| {
        let renamed = (0..16_u32).filter(|at| edges >> at & 1 == 1).map(|at| {
            let (from, target) = (to[(at / 4) as usize], to[(at % 4) as usize]);
            1_u64 << (from * 4 + target)
        });
        renamed.sum::<u64>() >= edges
    })
}

#[test]
fn every_kind_of_graph_of_four_has_its_questions_answered() {
    let mut kinds = 0;
    for edges in (0..1_u64 << 16).filter(|&it| is_first_of_its_kind(it)) {
        check(&graph(4, edges), true);
        kinds += 1;
    }
    // The number of digraphs of four nodes with loops, up to renumbering.
    assert_eq!(kinds, 3_044);
}

fn any_af(sizes: std::ops::RangeInclusive<u32>) -> impl Strategy<Value = Af> {
    (sizes, prop::sample::select(vec![0.1, 0.2, 0.3, 0.5])).prop_flat_map(|(n, density)| {
        let edge = prop::bool::weighted(density);
        prop::collection::vec(edge, (n * n) as usize).prop_map(move |edges| {
            let pairs = (0..n).flat_map(|from| (0..n).map(move |to| (from, to)));
            let kept = pairs.zip(&edges).filter(|(_, kept)| **kept);
            let attacks: Vec<(u32, u32)> = kept.map(|(pair, _)| pair).collect();
            Af::new(n as usize, &attacks).unwrap()
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10_000))]

    #[test]
    fn random_graphs_of_up_to_eight_are_solved(af in any_af(1..=8)) {
        check(&af, false);
    }

}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_500))]

    #[test]
    fn random_graphs_of_up_to_eight_have_their_questions_answered(af in any_af(5..=8)) {
        check(&af, true);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn the_semantics_relate_as_they_should(af in any_af(6..=12)) {
        let one = |semantics| all_extensions(&af, semantics)[0];
        let (grounded, ideal, eager) = (one(Semantics::Grounded), one(Semantics::Ideal), one(Semantics::Eager));
        prop_assert_eq!(grounded & !ideal, 0);
        prop_assert_eq!(ideal & !eager, 0);
        for preferred in all_extensions(&af, Semantics::Preferred) {
            prop_assert_eq!(ideal & !preferred, 0);
        }
        let stable = all_extensions(&af, Semantics::Stable);
        if !stable.is_empty() {
            prop_assert_eq!(&all_extensions(&af, Semantics::SemiStable), &stable);
            prop_assert_eq!(&all_extensions(&af, Semantics::Stage), &stable);
        }
        let reasoner = Reasoner::new(&af);
        prop_assert_eq!(
            reasoner.mark_accepted(Semantics::Preferred, Mode::Credulous),
            reasoner.mark_accepted(Semantics::Complete, Mode::Credulous)
        );
    }
}

/// Reads `ab bc` as attacks.
fn lettered(n: usize, attacks: &str) -> Af {
    let id = |letter: u8| u32::from(letter - b'a');
    let words = attacks.split_whitespace().map(str::as_bytes);
    let attacks: Vec<(u32, u32)> = words.map(|it| (id(it[0]), id(it[1]))).collect();
    Af::new(n, &attacks).unwrap()
}

/// Reads `- a bd` as sets; `-` is the empty set.
fn sets(text: &str) -> Vec<Set> {
    let members = |word: &str| {
        let letters = word.bytes().filter(|it| *it != b'-');
        letters.fold(0, |set, it| set | 1 << (it - b'a'))
    };
    let mut all: Vec<Set> = text.split_whitespace().map(members).collect();
    all.sort_unstable();
    all
}

#[test]
fn the_worked_examples_have_their_extensions() {
    // Grounded, complete, preferred, stable, semi-stable, stage, ideal, eager.
    let examples = [
        (
            2,
            "ab ba",
            ["-", "- a b", "a b", "a b", "a b", "a b", "-", "-"],
        ),
        (3, "ab bc", ["ac"; 8]),
        (3, "ab bc ca", ["-", "-", "-", "", "-", "a b c", "-", "-"]),
        (
            4,
            "ab ba ac bc cd",
            ["-", "- ad bd", "ad bd", "ad bd", "ad bd", "ad bd", "-", "-"],
        ),
        (
            5,
            "ab ba bc cd de ec",
            ["-", "- a bd", "a bd", "bd", "bd", "bd", "-", "bd"],
        ),
        (2, "aa ab", ["-", "-", "-", "", "-", "b", "-", "-"]),
        (2, "ab ba bb", ["-", "- a", "a", "a", "a", "a", "a", "a"]),
        (
            5,
            "ab cb cd dc de ee",
            ["a", "a ac ad", "ac ad", "ad", "ad", "ad", "a", "ad"],
        ),
        (
            5,
            "ab bd de ed ee",
            ["ac", "ac acd", "acd", "acd", "acd", "acd", "acd", "acd"],
        ),
    ];
    let mut count = 0;
    for (n, attacks, expected) in examples {
        let af = lettered(n, attacks);
        check(&af, true);
        for (semantics, expected) in Semantics::ALL.into_iter().zip(expected) {
            assert_eq!(
                all_extensions(&af, semantics),
                sets(expected),
                "{attacks} {semantics:?}"
            );
            count += 1;
        }
    }
    assert_eq!(count, 72);
}

#[test]
fn a_floating_argument_is_in_every_preferred_extension_but_not_ideal() {
    let af = lettered(4, "ab ba ac bc cd");
    let reasoner = Reasoner::new(&af);
    let d = ArgId(3);
    let skeptical = reasoner
        .decide_acceptance(Semantics::Preferred, Mode::Skeptical, d)
        .unwrap();
    assert_eq!((skeptical.accepted, skeptical.witness), (true, None));
    let ideal = reasoner
        .decide_acceptance(Semantics::Ideal, Mode::Skeptical, d)
        .unwrap();
    assert_eq!((ideal.accepted, ideal.witness), (false, Some(Vec::new())));
}

#[test]
fn without_a_stable_extension_every_argument_is_skeptically_accepted() {
    for (n, attacks) in [(3, "ab bc ca"), (2, "aa ab"), (5, "ab bc ca de")] {
        let af = lettered(n, attacks);
        let reasoner = Reasoner::new(&af);
        let all = reasoner.mark_accepted(Semantics::Stable, Mode::Skeptical);
        assert_eq!(all, Ok(vec![true; n]));
        let none = reasoner.mark_accepted(Semantics::Stable, Mode::Credulous);
        assert_eq!(none, Ok(vec![false; n]));
    }
}

#[test]
fn two_ranges_of_greatest_size_are_both_semi_stable() {
    // Another solver is known to miss one of the two.
    let af = Af::new(4, &[(0, 0), (1, 1), (2, 3), (3, 2), (2, 0), (3, 1)]).unwrap();
    assert_eq!(
        ids(all_extensions(&af, Semantics::SemiStable)[0]),
        [ArgId(2)]
    );
    assert_eq!(all_extensions(&af, Semantics::SemiStable), [1 << 2, 1 << 3]);
}

#[test]
fn many_pairs_stream_without_being_counted_first() {
    // 2^100 preferred extensions.
    let attacks: Vec<(u32, u32)> = (0..200).map(|a| (a, a ^ 1)).collect();
    let af = Af::new(200, &attacks).unwrap();
    let reasoner = Reasoner::new(&af);
    let first: Vec<Vec<ArgId>> = reasoner
        .extensions(Semantics::Preferred)
        .unwrap()
        .take(1_000)
        .collect::<Result<_, _>>()
        .unwrap();
    let mut distinct = first.clone();
    distinct.sort();
    distinct.dedup();
    assert_eq!((distinct.len(), first[0].len()), (1_000, 100));
    let again: Vec<Vec<ArgId>> = reasoner
        .extensions(Semantics::Preferred)
        .unwrap()
        .take(1_000)
        .collect::<Result<_, _>>()
        .unwrap();
    assert_eq!(first, again);
}

#[test]
fn a_question_that_costs_too_much_is_given_up() {
    // A step size that distributes the attacks without a pattern.
    let attacks: Vec<(u32, u32)> = (0..200_u32)
        .flat_map(|a| (1..10_u32).map(move |k| (a, (a * 7 + k * k * 31 + a * k) % 200)))
        .collect();
    let af = Af::new(200, &attacks).unwrap();
    let limited = Reasoner::<agon_argue::Batsat>::with_limits(&af, SearchLimits { conflicts: 5 });
    let found: Result<Vec<_>, _> = limited
        .extensions(Semantics::Preferred)
        .and_then(Iterator::collect);
    assert_eq!(found, Err(LimitHit));
    assert_eq!(
        limited.mark_accepted(Semantics::Ideal, Mode::Skeptical),
        Err(LimitHit)
    );
}

#[test]
fn attacks_are_a_set() {
    let once = Af::new(3, &[(0, 1), (0, 2), (2, 1)]).unwrap();
    let again = Af::new(3, &[(2, 1), (0, 2), (0, 1), (0, 2), (0, 1), (2, 1)]).unwrap();
    assert_eq!(once, again);
    assert_eq!(again.attack_count(), 3);
    assert_eq!(again.attackers(ArgId(1)), [ArgId(0), ArgId(2)]);
}
