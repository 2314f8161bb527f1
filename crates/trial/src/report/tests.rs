use super::*;
use crate::outcome::{DebateFacts, OUTCOME_SCHEMA};
use crate::stored::TRIAL_SCHEMA;

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
        answers: usize::from(grade != Grade::Failed),
        lost: usize::from(grade == Grade::Failed),
        calls: 1,
        tokens,
        cost_usd: 0.0,
        priced: false,
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
            votes_basis: None,
            tools: vec!["claude".to_owned()],
            models: vec![None],
            efforts: vec![None],
            rounds: None,
            quick: false,
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
    assert_eq!((one.lost, duel.lost), (10, 0));
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
    assert!(pair.exact_p.is_some_and(|p| p < 0.001) && pair.difference.value == 0.5);
    assert_eq!((pair.first_accuracy, pair.second_accuracy), (0.25, 0.75));
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

#[test]
fn an_arm_that_alone_has_read_a_hidden_passage_is_not_comparable() {
    let mut loaded = loaded();
    let evidence: Vec<_> = (0..10)
        .map(|at| outcome(at, Arm::Evidence, Grade::Right, 1_000))
        .collect();
    loaded.outcomes.extend(evidence);
    let question = |hidden| Question {
        id: "q3".to_owned(),
        context: Some("It is so.".to_owned()),
        hidden,
        ..Question::default()
    };
    loaded.questions = vec![question(false)];
    assert!(report(&loaded).pairs.iter().all(|pair| pair.comparable));
    loaded.questions = vec![question(true)];
    let pairs = report(&loaded).pairs;
    let found: Vec<_> = pairs
        .iter()
        .map(|pair| (pair.second, pair.comparable, pair.exact_p.is_some()))
        .collect();
    let wanted = [
        (Arm::Duel, true, true),
        (Arm::Evidence, false, false),
        (Arm::Evidence, false, false),
    ];
    assert_eq!(found, wanted);
    // On the ten questions of both.
    assert_eq!(
        (pairs[1].first_accuracy, pairs[1].second_accuracy),
        (0.3, 1.0)
    );
}

#[test]
fn tokens_are_compared_with_those_of_a_duel_and_a_price_needs_every_call() {
    let mut loaded = loaded();
    let ratios = |loaded: &Loaded| -> Vec<_> {
        report(loaded)
            .arms
            .iter()
            .map(|arm| arm.tokens_ratio)
            .collect()
    };
    assert_eq!(ratios(&loaded), [Some(0.1), Some(1.0)]);
    for outcome in &mut loaded.outcomes {
        (outcome.cost_usd, outcome.priced) = (0.5, true);
    }
    let cost = report(&loaded).arms[1].cost_per_right.unwrap().value;
    assert!((cost - 20.0 / 30.0).abs() < 1e-9, "{cost}");
    let last = loaded.outcomes.last_mut().unwrap();
    (last.cost_usd, last.priced) = (0.0, false);
    assert_eq!(report(&loaded).arms[1].cost_per_right, None);
    loaded.outcomes.retain(|outcome| outcome.arm == Arm::One);
    assert_eq!(ratios(&loaded), [None]);
}
