//! Models of a known curve, measured a hundred times: whether intervals and falls can be relied on.

use crate::analysis::{Analysis, CellAnswer, analyse};
use crate::design::{Cell, Design};
use crate::prompt::{Prompt, build_prompt};
use crate::random::Random;
use crate::score::score;

/// Runs of each model.
const RUNS: u64 = 100;

/// Of the runs: in how many the known curve is inside the intervals at every length, and where the
/// onset and the severe fall were seen.
struct RunCounts {
    covered: usize,
    onsets: Vec<Option<usize>>,
    severes: Vec<Option<usize>>,
}

fn design() -> Design {
    Design::new(&[1_000, 1_200, 1_400, 1_600, 1_800], 9, 3).unwrap()
}

/// Measures a model that answers `prompt` by `answer`, whose recall by length is `curve`.
fn measure(curve: [f64; 5], answer: impl Fn(Cell, &Prompt, &mut Random) -> String) -> RunCounts {
    let design = design();
    let prompts: Vec<_> = design
        .cells()
        .into_iter()
        .map(|cell| (cell, build_prompt(&design, cell)))
        .collect();
    let run = |run: u64| -> Analysis {
        let mut random = Random::from_parts(&[77, run]);
        let answers = prompts.iter().map(|(cell, prompt)| {
            let text = answer(*cell, prompt, &mut random);
            let depths = prompt.questions.iter().map(|it| it.depth);
            CellAnswer {
                cell: *cell,
                outcomes: depths.zip(score(prompt, &text)).collect(),
                read: None,
            }
        });
        analyse(&design, &answers.collect::<Vec<_>>())
    };
    let mut tally = RunCounts {
        covered: 0,
        onsets: Vec::new(),
        severes: Vec::new(),
    };
    for analysis in (0..RUNS).map(run) {
        let inside = analysis.lengths.iter().zip(curve);
        let inside = inside.map(|(it, known)| (it.recall.low..=it.recall.high).contains(&known));
        tally.covered += usize::from(inside.into_iter().all(|it| it));
        tally.onsets.push(analysis.falls.onset.map(|it| it.before));
        tally
            .severes
            .push(analysis.falls.severe.map(|it| it.before));
    }
    tally
}

fn chance(random: &mut Random, share: f64) -> bool {
    let number = random.below(1_000_000);
    (number as f64) < share * 1e6
}

/// A model that finds each value by itself with the chance of its length, and misses in all ways.
fn independent(curve: [f64; 5]) -> RunCounts {
    measure(curve, |cell, prompt, random| {
        let line = |(at, question): (usize, &crate::prompt::PlantedQuestion)| {
            let value = match chance(random, curve[cell.length]) {
                true => question.value.clone(),
                false => match random.below(3) {
                    0 => "unknown".to_owned(),
                    1 => question.near_miss.clone().unwrap_or("12".to_owned()),
                    _ => return String::new(),
                },
            };
            format!("{}: {value}\n", at + 1)
        };
        prompt.questions.iter().enumerate().map(line).collect()
    })
}

fn count(all: &[Option<usize>], wanted: Option<usize>) -> usize {
    all.iter().filter(|it| **it == wanted).count()
}

#[test]
fn a_known_curve_is_inside_the_intervals_and_its_falls_are_seen_where_they_are() {
    let tally = independent([0.97, 0.96, 0.95, 0.78, 0.4]);
    assert!(tally.covered >= 90, "{}", tally.covered);
    assert!(count(&tally.onsets, Some(2)) >= 90, "{:?}", tally.onsets);
    assert!(count(&tally.severes, Some(3)) >= 90, "{:?}", tally.severes);
}

#[test]
fn curves_of_other_forms_are_inside_the_intervals_too() {
    for curve in [
        [1.0, 1.0, 1.0, 1.0, 1.0],
        [0.999, 0.99, 0.98, 0.97, 0.95],
        [0.9, 0.7, 0.5, 0.3, 0.1],
        [0.8, 0.8, 0.02, 0.01, 0.0],
        [0.3, 0.3, 0.3, 0.3, 0.3],
    ] {
        let tally = independent(curve);
        assert!(tally.covered >= 90, "{curve:?}: {}", tally.covered);
    }
}

#[test]
fn where_nothing_falls_no_fall_is_seen() {
    for level in [1.0, 0.95, 0.8, 0.6] {
        let tally = independent([level; 5]);
        assert!(
            count(&tally.onsets, None) >= 95,
            "{level}: {:?}",
            tally.onsets
        );
        assert_eq!(count(&tally.severes, None), 100, "{level}");
    }
    // It does not do what is asked at any length.
    let tally = independent([0.2, 0.1, 0.0, 0.0, 0.0]);
    assert_eq!(count(&tally.onsets, None), 100);
}

#[test]
fn intervals_hold_for_a_model_that_finds_a_prompts_values_together_or_not_at_all() {
    let curve = [0.95, 0.9, 0.85, 0.6, 0.3];
    let tally = measure(curve, |cell, prompt, random| {
        // Half of the chance is the prompt's, half that of each value: answers of a prompt are alike.
        let share = curve[cell.length];
        let whole = chance(random, share);
        let line = |(at, question): (usize, &crate::prompt::PlantedQuestion)| {
            let own = match chance(random, 0.5) {
                true => whole,
                false => chance(random, share),
            };
            match own {
                true => format!("{}: {}\n", at + 1, question.value),
                false => format!("{}: unknown\n", at + 1),
            }
        };
        prompt.questions.iter().enumerate().map(line).collect()
    });
    assert!(tally.covered >= 90, "{}", tally.covered);
}
