use agon_record::id::TurnId;
use agon_record::moves::MovesKind;
use agon_record::spec::LOCAL;
use agon_record::state::State;
use agon_samples::duel::{job_store, key};

use super::*;
use crate::prompt;

/// The duel of the samples before `turn`, with a small model in every seat.
fn seated(turn: TurnId) -> State {
    let mut state = job_store(2, turn);
    for seating in state.seats.values_mut() {
        seating.transport = LOCAL.to_owned();
    }
    state
}

#[test]
fn the_recorded_prompt_holds_every_word_of_others_in_a_fence() {
    let turn = "verdict.judge".parse().unwrap();
    let (state, key) = (seated(turn), key(turn, 0));
    let interview = Interview::for_turn(&state, key, MovesKind::Verdict).unwrap();
    let told = prompt(&state, key).text();
    let mut outside = String::new();
    let mut inside = false;
    for line in told.lines() {
        match (line.starts_with("<<<data "), line.ends_with(">>>")) {
            (true, _) => inside = true,
            (_, true) => inside = false,
            _ if !inside => outside.push_str(line),
            _ => {}
        }
    }
    for fill in &interview.questions()[0].fills {
        assert!(told.contains(fill.as_str()), "{fill}");
        assert!(!outside.contains(fill.as_str()), "{outside}");
    }
}

#[test]
fn an_open_topic_has_no_questions() {
    let turn = "r1.pro".parse().unwrap();
    let mut state = seated(turn);
    state.spec.topic = "What should we use?".to_owned();
    assert_eq!(prompt(&state, key(turn, 0)).parts, []);
}
