use crate::id::{AskKey, Seat};
use crate::prompt::fixture::{job_store, key};
use crate::prompt::formal::fixture as formal;
use crate::prompt::{estimate_tokens, prompt};
use crate::state::State;

const TURNS: [&str; 6] = [
    "r0.pro",
    "r1.pro",
    "r1.cha",
    "r2.pro",
    "r2.cha",
    "verdict.judge",
];

fn with_budget(mut state: State, budget: u32) -> State {
    for seating in state.seats.values_mut() {
        seating.budget = Some(budget);
    }
    state
}

fn told(turn: &str, budget: u32) -> String {
    let turn = turn.parse().unwrap();
    let state = with_budget(job_store(2, turn), budget);
    prompt(&state, key(turn, 0)).text()
}

#[test]
fn every_turn_of_a_duel_fits_its_budget_and_says_what_to_do() {
    for turn in TURNS {
        for budget in [600, 1_000, 2_048, 8_192] {
            let text = told(turn, budget);
            let most = u64::from(budget) * 3 / 5;
            assert!(
                estimate_tokens(text.len() as u64) <= most + 2,
                "{turn}:\n{text}"
            );
            assert!(text.contains(&format!("Turn: {turn}\n")), "{turn}:\n{text}");
            assert!(text.contains("SQLite or plain files for the job store?"));
            assert!(!text.contains("TEMPLATE ERROR"), "{text}");
        }
    }
}

#[test]
fn what_there_is_room_for_is_told_in_a_fence_and_the_newest_stays() {
    let whole = told("r2.cha", 8_192);
    for id in ["pro_001a", "cha_001a", "pro_002a"] {
        assert!(whole.contains(&format!("{id}, ")), "{id}:\n{whole}");
    }
    assert!(whole.contains("<<<data "));
    let little = told("r2.cha", 600);
    assert!(little.contains("pro_002"), "{little}");
    assert!(little.len() < whole.len());
}

#[test]
fn the_turns_of_a_formal_debate_have_one_too() {
    for turn in formal::TURNS {
        let state = with_budget(formal::before(turn), 2_048);
        let turn = formal::turn(turn);
        let text = prompt(&state, AskKey { turn, again: 0 }).text();
        assert!(estimate_tokens(text.len() as u64) <= 1_230, "{text}");
        assert!(!text.contains("TEMPLATE ERROR"), "{text}");
        let side = matches!(turn.seat, Seat::Proposition | Seat::Opposition);
        assert_eq!(side, text.contains("You defend this: "), "{text}");
    }
}

#[test]
fn a_prompt_in_the_whole() {
    insta::assert_snapshot!(told("r1.cha", 2_048));
}
