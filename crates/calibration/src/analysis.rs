//! What all answers come to: recall by length and depth, with intervals.

use crate::design::{Cell, Design, Wording};
use crate::fall::{Falls, find_falls};
use crate::interval::{MISS, deviations};
use crate::isotonic::falling_fit;
use crate::recall::{LengthRecall, RecallRate};
use crate::score::QuestionOutcome;

/// What a call came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellAnswer {
    /// The call.
    pub cell: Cell,
    /// The depth of each question and what came of it.
    pub outcomes: Vec<(usize, QuestionOutcome)>,
    /// The tokens that the tool counted in the prompt and what it adds of its own.
    pub read: Option<u64>,
}

/// What all answers come to.
#[derive(Clone, Debug, PartialEq)]
pub struct Analysis {
    /// By length, ascending.
    pub lengths: Vec<LengthRecall>,
    /// By depth, over all lengths.
    pub depths: Vec<RecallRate>,
    /// By wording and distractors, over all lengths.
    pub parts: [(Wording, bool, RecallRate); 4],
    /// Where recall falls.
    pub falls: Falls,
}

const PARTS: [(Wording, bool); 4] = [
    (Wording::Literal, false),
    (Wording::Literal, true),
    (Wording::Paraphrased, false),
    (Wording::Paraphrased, true),
];

/// Works out what `answers` to the calls of `design` come to; a call may be missing.
pub fn analyse(design: &Design, answers: &[CellAnswer]) -> Analysis {
    let single = deviations(MISS);
    // Bonferroni's inequality: intervals that miss a share of 5 % divided by their number miss
    // together at most 5 %, however they depend on each other.
    let together = deviations(MISS / design.lengths().len() as f64);
    // Few prompts of one length tell little of how alike their answers are; those of all lengths
    // tell more. The larger of both counts.
    let of_all = design_effect(&answers.iter().collect::<Vec<_>>(), design.lengths().len());
    let mut lengths: Vec<LengthRecall> = design
        .lengths()
        .iter()
        .enumerate()
        .map(|(at, &planned)| {
            let own: Vec<_> = answers.iter().filter(|it| it.cell.length == at).collect();
            let effect = design_effect(&own, design.lengths().len()).max(of_all);
            LengthRecall {
                planned,
                read: median(own.iter().filter_map(|it| it.read).collect()),
                calls: u32::try_from(own.len()).unwrap_or(u32::MAX),
                recall: RecallRate::count(all_outcomes(&own), together, effect),
                fitted: None,
                effect,
                parts: parts(&own, single),
                depths: by_depth(design, &own, single),
                outcomes: QuestionOutcome::ALL.map(|outcome| {
                    let count = all_outcomes(&own).filter(|it| **it == outcome).count();
                    (outcome, u32::try_from(count).unwrap_or(u32::MAX))
                }),
            }
        })
        .collect();
    let shares = |it: &LengthRecall| Some((it.recall.share()?, f64::from(it.recall.asked)));
    let mut fitted =
        falling_fit(&lengths.iter().filter_map(shares).collect::<Vec<_>>()).into_iter();
    for length in &mut lengths {
        length.fitted = length.recall.share().and_then(|_| fitted.next());
    }
    let all: Vec<_> = answers.iter().collect();
    Analysis {
        falls: find_falls(&lengths),
        depths: by_depth(design, &all, single),
        parts: parts(&all, single),
        lengths,
    }
}

fn all_outcomes<'a>(answers: &[&'a CellAnswer]) -> impl Iterator<Item = &'a QuestionOutcome> {
    answers
        .iter()
        .flat_map(|it| it.outcomes.iter().map(|(_, outcome)| outcome))
}

fn parts(answers: &[&CellAnswer], deviations: f64) -> [(Wording, bool, RecallRate); 4] {
    PARTS.map(|(wording, distractors)| {
        let own = answers.iter().copied();
        let own = own.filter(|it| is_part(it.cell, (wording, distractors)));
        let own: Vec<_> = own.collect();
        let recall = RecallRate::count(all_outcomes(&own), deviations, 1.0);
        (wording, distractors, recall)
    })
}

fn is_part(cell: Cell, part: (Wording, bool)) -> bool {
    (cell.wording, cell.distractors) == part
}

fn by_depth(design: &Design, answers: &[&CellAnswer], deviations: f64) -> Vec<RecallRate> {
    let at = |depth: usize| {
        let all = answers.iter().flat_map(|it| &it.outcomes);
        let own = all.filter(move |it| it.0 == depth).map(|it| &it.1);
        RecallRate::count(own, deviations, 1.0)
    };
    (0..design.depths()).map(at).collect()
}

/// By how much the answers of one prompt are alike: how many times the variance of the share is what
/// it were if each answer stood by itself. At least 1. From how prompts of one length and wording,
/// with or without distractors, differ from each other; where there is one of each, as with a single
/// seed, from how prompts of one length do, which is more rather than less.
fn design_effect(answers: &[&CellAnswer], lengths: usize) -> f64 {
    let of_parts = (0..lengths).flat_map(|length| PARTS.map(|part| (length, Some(part))));
    let of_parts = likeness(answers, of_parts);
    let of_lengths = || likeness(answers, (0..lengths).map(|length| (length, None)));
    of_parts.or_else(of_lengths).unwrap_or(1.0).max(1.0)
}

/// How much more prompts of one group differ than answers that stand by themselves would make them;
/// none where no group has two prompts.
fn likeness(
    answers: &[&CellAnswer],
    groups: impl Iterator<Item = (usize, Option<(Wording, bool)>)>,
) -> Option<f64> {
    let (mut between, mut single, mut is_known) = (0.0, 0.0, false);
    for (length, part) in groups {
        let own = answers.iter().copied().filter(|it| {
            it.cell.length == length && part.is_none_or(|part| is_part(it.cell, part))
        });
        let own: Vec<(f64, f64)> = own.map(count_found).filter(|it| it.1 > 0.0).collect();
        if own.len() < 2 {
            continue;
        }
        is_known = true;
        let found: f64 = own.iter().map(|it| it.0).sum();
        let asked: f64 = own.iter().map(|it| it.1).sum();
        let share = found / asked;
        let squares: f64 = own.iter().map(|it| (it.0 - share * it.1).powi(2)).sum();
        let prompts = own.len() as f64;
        between += squares * prompts / (prompts - 1.0);
        single += share * (1.0 - share) * asked;
    }
    is_known.then(|| match single > 0.0 {
        true => between / single,
        false => 1.0,
    })
}

/// How many values of a prompt were found, and how many were asked for.
fn count_found(answer: &CellAnswer) -> (f64, f64) {
    let answered = answer.outcomes.iter().filter(|it| it.1.is_answer());
    answered.fold((0.0, 0.0), |(found, asked), (_, outcome)| {
        let one = f64::from(u8::from(*outcome == QuestionOutcome::Found));
        (found + one, asked + 1.0)
    })
}

fn median(mut all: Vec<u64>) -> Option<u64> {
    all.sort_unstable();
    all.get(all.len() / 2).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every call of a design, answered by `found`.
    fn answers(design: &Design, found: impl Fn(Cell, usize) -> bool) -> Vec<CellAnswer> {
        let answer = |cell: Cell| CellAnswer {
            cell,
            outcomes: (0..design.depths())
                .map(|depth| match found(cell, depth) {
                    true => (depth, QuestionOutcome::Found),
                    false => (depth, QuestionOutcome::Wrong),
                })
                .collect(),
            read: Some(design.lengths()[cell.length] + 100),
        };
        design.cells().into_iter().map(answer).collect()
    }

    fn design() -> Design {
        Design::new(&[2_000, 4_000, 8_000], 9, 3).unwrap()
    }

    #[test]
    fn recall_is_counted_by_length_depth_wording_and_distractors() {
        let design = design();
        let all = answers(&design, |cell, depth| {
            depth != 4 && !(cell.distractors && cell.length == 2)
        });
        let analysis = analyse(&design, &all);
        let counts = |it: &RecallRate| (it.found, it.asked);
        let by_length: Vec<_> = analysis
            .lengths
            .iter()
            .map(|it| counts(&it.recall))
            .collect();
        assert_eq!(by_length, [(96, 108), (96, 108), (48, 108)]);
        assert_eq!(counts(&analysis.depths[4]), (0, 36));
        assert_eq!(counts(&analysis.depths[0]), (30, 36));
        let parts = analysis
            .parts
            .map(|(wording, on, recall)| (wording, on, recall.found));
        assert_eq!(
            parts,
            [
                (Wording::Literal, false, 72),
                (Wording::Literal, true, 48),
                (Wording::Paraphrased, false, 72),
                (Wording::Paraphrased, true, 48),
            ]
        );
        assert_eq!(analysis.lengths[0].read, Some(2_100));
        assert_eq!(
            analysis.lengths[0].outcomes[2],
            (QuestionOutcome::Wrong, 12)
        );
    }

    #[test]
    fn a_refused_and_an_empty_answer_leave_recall_alone() {
        let design = design();
        let mut all = answers(&design, |_, _| true);
        for (at, outcome) in [(0, QuestionOutcome::Refused), (3, QuestionOutcome::Empty)] {
            all[at].outcomes.iter_mut().for_each(|it| it.1 = outcome);
        }
        let first = analyse(&design, &all).lengths.remove(0);
        assert_eq!((first.recall.found, first.recall.asked), (90, 90));
        assert_eq!(
            first.outcomes[5..],
            [(QuestionOutcome::Refused, 9), (QuestionOutcome::Empty, 9)]
        );
    }

    #[test]
    fn prompts_that_are_answered_wholly_or_not_at_all_have_wide_intervals() {
        let design = design();
        let whole = analyse(&design, &answers(&design, |cell, _| cell.seed != 1));
        let mixed = analyse(
            &design,
            &answers(&design, |cell, depth| {
                !(depth + cell.seed as usize).is_multiple_of(3)
            }),
        );
        let [whole, mixed] = [whole, mixed].map(|it| it.lengths[0].clone());
        assert_eq!(whole.recall.found, mixed.recall.found);
        assert!((whole.effect - 13.5).abs() < 1e-9, "{}", whole.effect);
        assert!((mixed.effect - 1.0).abs() < 1e-9, "{}", mixed.effect);
        let width = |it: &LengthRecall| it.recall.high - it.recall.low;
        assert!(width(&whole) > 2.5 * width(&mixed));
    }

    #[test]
    fn a_single_seed_has_wide_intervals_too_where_answers_of_a_prompt_are_alike() {
        let design = Design::new(&[2_000, 4_000, 8_000], 9, 1).unwrap();
        let whole = analyse(&design, &answers(&design, |cell, _| cell.distractors));
        let mixed = answers(&design, |cell, depth| {
            depth.is_multiple_of(2) == cell.distractors
        });
        let mixed = analyse(&design, &mixed);
        let [whole, mixed] = [whole, mixed].map(|it| it.lengths[0].clone());
        assert_eq!((whole.recall.found, mixed.recall.found), (18, 18));
        assert!(whole.effect > 10.0, "{}", whole.effect);
        assert!((mixed.effect - 1.0).abs() < 1e-9, "{}", mixed.effect);
        let width = |it: &LengthRecall| it.recall.high - it.recall.low;
        assert!(width(&whole) > 2.0 * width(&mixed));
    }

    #[test]
    fn a_length_without_an_answer_has_no_share_and_none_on_the_curve() {
        let design = design();
        let mut all = answers(&design, |_, _| true);
        all.retain(|it| it.cell.length != 1);
        let analysis = analyse(&design, &all);
        let fitted: Vec<_> = analysis.lengths.iter().map(|it| it.fitted).collect();
        assert_eq!(fitted, [Some(1.0), None, Some(1.0)]);
        assert_eq!(analysis.lengths[1].recall.share(), None);
    }
}
