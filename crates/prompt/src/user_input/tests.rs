//! What the user put in stands in the prompts that are made after it.

use agon_record::id::{AskKey, TurnId};
use agon_record::state::State;
use agon_record::user::{CommandRun, Order, UserRequest};
use agon_rules::steer::accept_request;
use agon_samples::duel::{job_store, key};

use crate::{prompt, prompt_with_user_words};

fn note(text: &str) -> UserRequest {
    let text = text.to_owned();
    UserRequest::Note { text, redacted: 0 }
}

fn ran(command: &str, output: &str) -> UserRequest {
    UserRequest::Run(CommandRun {
        command: command.to_owned(),
        exit: Some(1),
        ended: None,
        output: output.to_owned(),
        bytes: output.len() as u64,
        left_out: 0,
        took_ms: 3,
        redacted: 0,
    })
}

fn put(state: &mut State, item: u128, request: &UserRequest) {
    let event = accept_request(state, item.into(), request)
        .unwrap()
        .unwrap();
    state.apply(&event).unwrap();
}

/// The scripted duel before `turn`.
fn before(turn: &str) -> State {
    job_store(2, turn.parse().unwrap())
}

fn text_of(state: &State, turn: &str) -> String {
    prompt(state, key(turn.parse().unwrap(), 0))
        .text()
        .to_string()
}

#[test]
fn a_note_stands_in_every_later_prompt_in_a_fence() {
    for turn in ["r2.pro", "r2.cha", "verdict.judge", "verdict.swap"] {
        let mut state = before(turn);
        put(&mut state, 1, &note("we get a second writer in August"));
        let text = text_of(&state, turn);
        let (_, after) = text.split_once("# Note 1, from the user").unwrap();
        let fenced = after
            .lines()
            .skip_while(|line| !line.starts_with("<<<data "));
        let fenced: Vec<_> = fenced.take(3).collect();
        assert!(fenced[0].ends_with(" note 1"), "{turn}: {fenced:?}");
        assert_eq!(fenced[1], "we get a second writer in August", "{turn}");
    }
}

#[test]
fn what_a_command_printed_is_shown_and_cited_by_its_name() {
    for turn in ["r1.cha", "r2.pro", "verdict.judge", "verdict.swap"] {
        let mut state = before(turn);
        put(&mut state, 1, &ran("cargo test", "3 passed; 1 failed"));
        let text = text_of(&state, turn);
        for expected in [
            "# Run 1, a command that the user ran",
            "It ended with exit 1.",
            "$ cargo test\n3 passed; 1 failed\n",
            r#"{"command": "run 1", "output": "#,
        ] {
            assert!(text.contains(expected), "{turn}: {expected}");
        }
    }
}

#[test]
fn a_long_output_is_shown_by_its_ends_and_says_so() {
    let lines: Vec<_> = (0..4_000).map(|at| format!("line {at}")).collect();
    let mut state = before("r1.pro");
    put(&mut state, 1, &ran("yes", &lines.join("\n")));
    let text = text_of(&state, "r1.pro");
    assert!(text.contains("\nline 0\n") && text.contains("\nline 3999\n"));
    assert!(!text.contains("\nline 2000\n"));
    assert!(text.contains(" bytes are not shown."));
    assert!(text.len() < 20_000, "{}", text.len());
}

#[test]
fn a_note_that_comes_while_a_call_is_under_way_leaves_its_prompt_as_it_was() {
    let mut state = before("r2.pro");
    let key: AskKey = "r2.pro#0".parse().unwrap();
    put(&mut state, 1, &note("first"));
    let asked = prompt(&state, key);
    put(&mut state, 2, &note("second"));
    assert_eq!(prompt_with_user_words(&state, key, 1), asked);
    assert_ne!(prompt(&state, key), asked);
    assert_eq!(prompt_with_user_words(&state, key, 2), prompt(&state, key));
}

#[test]
fn the_prompts_of_both_seats_have_the_same_parts_of_the_user() {
    let mut state = before("r2.pro");
    put(&mut state, 1, &note("first"));
    put(&mut state, 2, &ran("true", ""));
    let of = |turn: &str| {
        let turn: TurnId = turn.parse().unwrap();
        let parts = prompt(&state, key(turn, 0)).part_refs();
        let ours = parts
            .into_iter()
            .filter(|part| matches!(part.kind.as_str(), "note" | "run"));
        ours.collect::<Vec<_>>()
    };
    assert_eq!(of("r2.pro").len(), 2);
    assert_eq!(of("r2.pro"), of("r2.cha"));
    assert_eq!(of("r2.pro"), of("verdict.judge"));
}

#[test]
fn a_judge_who_is_asked_early_is_told_so() {
    let mut state = before("r2.pro");
    put(&mut state, 1, &UserRequest::Order(Order::Judge));
    let judge = text_of(&state, "verdict.judge");
    assert!(judge.contains("after round 1 of 2: the user wants the verdict now."));
}
