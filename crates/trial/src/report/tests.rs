use super::*;
use crate::folder::TRIAL_SCHEMA;
use crate::outcome::{DebateFacts, OUTCOME_SCHEMA};

fn outcome(at: usize, arm: Arm, grade: Grade, tokens: u64) -> Outcome {
    let debate = DebateFacts {
        flipped: Some(at.is_multiple_of(4)),
        first_won: Some(at.is_multiple_of(2)),
        lengths: Some([10, 5]),
        ..DebateFacts::default()
    };
    Outcome {
        schema: OUTCOME_SCHEMA.to_owned(),
        question: format!("q{at}"),
        arm,
        answer: Some("x".to_owned()),
        grade,
        confidence: Some(0.5),
        answers: 1,
        calls: 1,
        tokens,
        cost_usd: 0.0,
        seconds: 1.0,
        debate: arm.is_debate().then_some(debate),
        texts: vec!["Answer: x".to_owned()],
        folder: None,
    }
}

/// Returns the report of one answer and a duel on 40 questions.
pub(crate) fn sample_report() -> Report {
    report(&loaded())
}

pub(crate) fn loaded() -> Loaded {
    let of = |at: usize| {
        let one = [Grade::Right, Grade::Wrong, Grade::Unreadable, Grade::Failed][at % 4];
        [
            outcome(at, Arm::One, one, 100),
            outcome(
                at,
                Arm::Duel,
                if at % 4 < 3 {
                    Grade::Right
                } else {
                    Grade::Wrong
                },
                1_000,
            ),
        ]
    };
    Loaded {
        trial: TrialDoc {
            schema: TRIAL_SCHEMA.to_owned(),
            dataset: "q.jsonl".to_owned(),
            licence: None,
            seed: 3,
            arms: vec![Arm::One, Arm::Duel],
            votes: None,
            tools: vec!["claude".to_owned()],
        },
        questions: Vec::new(),
        outcomes: (0..40).flat_map(of).collect(),
        planned: 80,
    }
}

#[test]
fn unreadable_and_failed_answers_are_counted_apart_from_wrong_ones() {
    let report = report(&loaded());
    let [one, duel] = &report.arms[..] else {
        panic!()
    };
    assert_eq!(
        (one.right, one.wrong, one.unreadable, one.failed),
        (10, 10, 10, 10)
    );
    assert_eq!((one.accuracy.value, duel.accuracy.value), (0.25, 0.75));
    assert_eq!(one.tokens_per_right.unwrap().value, 400.0);
    assert_eq!(one.cost_per_right, None);
    assert!(one.wins.is_none() && duel.wins.is_some());
    let flips = duel.flips.as_ref().unwrap();
    assert_eq!((flips.asked, flips.rate.value), (40, 0.25));
    assert_eq!(duel.wins.as_ref().unwrap().longer.value, 1.0);
    assert!(report.complete);
    let [pair] = &report.pairs[..] else { panic!() };
    assert_eq!((pair.table.only_first, pair.table.only_second), (0, 20));
    assert!(pair.exact_p < 0.001 && pair.difference.value == 0.5);
}

#[test]
fn a_report_is_the_same_each_time_and_a_missing_answer_makes_it_incomplete() {
    let mut loaded = loaded();
    assert_eq!(report(&loaded), report(&loaded));
    loaded.outcomes.pop();
    assert!(!report(&loaded).complete);
    loaded.outcomes.clear();
    assert!(report(&loaded).arms.is_empty());
}
