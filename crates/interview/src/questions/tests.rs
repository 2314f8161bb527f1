use agon_record::spec::LOCAL;
use agon_samples::duel::{job_store, key};

use super::*;

/// Returns the sample duel before `turn`, with the small model in every seat.
fn seated(turn: &str) -> (State, AskKey) {
    let turn = turn.parse().unwrap();
    let mut state = job_store(2, turn);
    for seating in state.seats.values_mut() {
        seating.transport = LOCAL.to_owned();
    }
    (state, key(turn, 0))
}

fn interview(state: &State, key: AskKey) -> Option<Interview> {
    let kind = match key.turn.to_string().as_str() {
        "r0.pro" => MovesKind::Blind,
        "r1.pro" => MovesKind::Opening,
        "r1.cha" => MovesKind::Challenge,
        "r2.pro" => MovesKind::Defense,
        "r2.cha" => MovesKind::FollowUp,
        _ => MovesKind::Verdict,
    };
    Interview::for_turn(state, key, kind)
}

fn asked(turn: &str) -> Vec<(String, String)> {
    let (state, key) = seated(turn);
    let interview = interview(&state, key).unwrap();
    let questions = interview.questions.iter();
    questions
        .map(|it| (it.field.to_string(), it.text()))
        .collect()
}

#[test]
fn each_side_is_asked_what_speaks_for_what_it_stands_for() {
    let opening = asked("r1.pro");
    assert_eq!(
        opening[0],
        (
            "claim 1".to_owned(),
            "SQLite or plain files for the job store? What is the main advantage of SQLite over \
             plain files? Answer in one short sentence."
                .to_owned()
        )
    );
    let challenge = asked("r1.cha");
    assert_eq!(challenge[0].0, "objection 1 pro_001a");
    assert!(
        challenge[0]
            .1
            .contains("one drawback of SQLite compared with plain files")
    );
    let alternative = challenge.iter().find(|it| it.0 == "alternative 1").unwrap();
    assert!(
        alternative
            .1
            .contains("advantage of plain files over SQLite"),
        "{alternative:?}"
    );
}

#[test]
fn two_fields_are_never_asked_in_the_same_words_first() {
    let opening = asked("r1.pro");
    let first = |field: &str| opening.iter().find(|it| it.0 == field).map(|it| &it.1);
    assert_ne!(first("claim 1"), first("claim 2"));
}

#[test]
fn every_turn_of_a_duel_has_questions_and_each_slot_is_filled() {
    for turn in [
        "r0.pro",
        "r1.pro",
        "r1.cha",
        "r2.pro",
        "r2.cha",
        "verdict.judge",
    ] {
        let all = asked(turn);
        assert!(!all.is_empty(), "{turn}");
        for (field, text) in all {
            assert!(!text.contains("{}"), "{turn} {field}: {text}");
            assert!(field.parse::<AnswerField>().is_ok(), "{field}");
        }
    }
}

#[test]
fn the_judge_is_shown_a_reason_of_each_side() {
    let text = &asked("verdict.judge")[0].1;
    assert!(text.contains("\nFor SQLite: "), "{text}");
    assert!(text.contains("\nFor plain files: "), "{text}");
    let (state, key) = seated("verdict.judge");
    let questions = interview(&state, key).unwrap().questions;
    let choices = ["SQLite", "plain files"].map(str::to_owned);
    assert_eq!(questions[0].choices, Some(choices));
    // The reason is asked only for the chosen side.
    let after: Vec<_> = questions.iter().map(|it| it.after).collect();
    assert_eq!(after[0], None);
    assert!(after[1..].iter().all(Option::is_some), "{after:?}");
}

#[test]
fn what_the_record_says_of_the_options_holds_and_an_open_topic_has_no_interview() {
    let (mut state, key) = seated("r1.pro");
    state.spec.topic = "What should we use?".to_owned();
    assert_eq!(interview(&state, key), None);
    if let Some(duel) = state.spec.kind.as_duel_mut() {
        duel.options = read_options("Tea or coffee?").ok();
    }
    let first = interview(&state, key).unwrap().questions.remove(0);
    assert_eq!(first.fills[1..], ["tea", "coffee"]);
}

#[test]
fn nobody_else_is_interviewed() {
    let turn = "r1.pro".parse().unwrap();
    assert_eq!(interview(&job_store(2, turn), key(turn, 0)), None);
}

#[test]
fn reasons_speak_well_of_a_side_and_badly_of_what_neither_may_do() {
    let (mut state, key) = seated("r1.cha");
    let tones = |state: &State| {
        let questions = interview(state, key).unwrap().questions;
        let tone = |field: &str| {
            let mut questions = questions.iter();
            let found = questions.find(|it| it.field.to_string().starts_with(field));
            found.unwrap().tone
        };
        [tone("objection"), tone("alternative")]
    };
    assert_eq!(tones(&state), [Some(Tone::Bad), Some(Tone::Good)]);
    state.spec.topic = "Should we deploy on Fridays?".to_owned();
    assert_eq!(tones(&state), [Some(Tone::Bad), Some(Tone::Bad)]);
}

#[test]
fn a_topic_about_computing_has_examples_about_computing() {
    let first = |topic: &str| {
        let (mut state, key) = seated("r1.pro");
        state.spec.topic = topic.to_owned();
        interview(&state, key).unwrap().examples[0][0]
    };
    assert!(first("Tabs or spaces?").starts_with("Vim or Emacs"));
    assert!(first("Trains or planes for short trips?").starts_with("Wool coats"));
}
