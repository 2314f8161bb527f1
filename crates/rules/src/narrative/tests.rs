//! A narrative is held to its headings, its length and the ids it names.

use agon_record::event::Event;
use agon_record::id::{AskKey, TurnId};
use agon_record::moves::{Case, Contention, Formal, Moves};
use agon_record::point;
use agon_samples::duel;

use super::*;

/// A formal debate in which the proposition made one argument, `prop_000a`.
fn debate() -> State {
    let mut spec = duel::spec(1);
    spec.kind = agon_record::spec::Spec::formal("", "").kind;
    let mut state = State::open(spec);
    let contention: Contention = serde_json::from_value(serde_json::json!({
        "title": "t", "claim": "c", "grounds": [], "warrant": "w"
    }))
    .unwrap();
    let turn: TurnId = "r0.prop".parse().unwrap();
    let moves = Moves::Formal(Formal::Case(Case {
        arguments: vec![contention],
    }));
    let admitted = Event::Admitted {
        key: AskKey { turn, again: 0 },
        ids: point::point_ids(turn, &moves),
        moves: Box::new(moves),
        findings: Vec::new(),
    };
    state.apply(&admitted).unwrap();
    state
}

fn account(words: usize, naming: &str) -> String {
    let each = (words - 1) / 4;
    let mut text = String::new();
    for (at, heading) in HEADINGS.iter().enumerate() {
        let more = if at == 0 { words - 1 - 4 * each } else { 0 };
        text.push_str(&format!(
            "## {heading}\n\n{}\n\n",
            "word ".repeat(each + more)
        ));
    }
    text + naming
}

#[test]
fn an_account_of_the_right_form_is_accepted_up_to_its_limits() {
    let state = debate();
    for words in [500, 550, 600] {
        assert_eq!(
            check_narrative(&state, &account(words, "prop_000a")),
            Vec::<String>::new()
        );
    }
}

#[test]
fn what_is_wrong_is_told_at_once() {
    let state = debate();
    assert_eq!(
        check_narrative(&state, &account(499, "x")),
        ["it has 499 words instead of 500 to 600"]
    );
    assert_eq!(
        check_narrative(&state, &account(601, "x")),
        ["it has 601 words instead of 500 to 600"]
    );
    assert_eq!(
        check_narrative(&state, &account(550, "(opp_004,")),
        ["it names opp_004, which does not exist in this debate"]
    );
    let swapped = account(550, "x").replace("## The clash", "## A clash");
    assert_eq!(
        check_narrative(&state, &swapped),
        [
            "it must have exactly these four headings, in this order: ## The question, ## The clash, \
          ## Turning points, ## The verdict"
        ]
    );
}

#[test]
fn a_fence_and_a_greeting_around_the_account_are_taken_off() {
    let text = extract_narrative("Here it is:\n```markdown\n## The question\nWhy?\n```\n");
    assert_eq!(text, "## The question\nWhy?");
}
