//! Several judges.

use agon_verdict::verdict::{Panel, Trial, verdict};

use super::*;

#[test]
fn a_panel_of_three_gives_the_median_with_its_spread() {
    let mut state = open(3, 1);
    let batches = play(&mut state, good, first);
    admits_together(&batches, 3);
    assert_eq!(state.spent.calls, 1 + 2 * 5);
    for (id, score, spread) in [
        ("prop_000b", 200, [100, 500]),
        ("opp_001", -200, [-500, -100]),
    ] {
        let expected = ScoreEntry {
            score: Score::new(score),
            reasoning: format!("{} tenths.", score / 100),
            at_ms: Some(1_700_000_000_000),
            triggered_by: None,
            spread: Some(spread.map(Score::new)),
        };
        assert_eq!(current(&state, id), expected);
    }
    assert_eq!(
        tally::side_totals(&state)[&Seat::Proposition].total,
        Score::new(800)
    );
    let panel = verdict(&state).unwrap().stability.panel.unwrap();
    assert_eq!(
        (panel.judges, panel.in_favour, panel.leave_one_out),
        (3, 3, Trial::Same)
    );
}

/// Lets both sides of the exchange speak.
fn argue(state: &mut State) {
    while debate_phase(state) == Phase::AwaitingArguments {
        match plan(state) {
            Plan::Decide(events) => events.iter().for_each(|event| state.apply(event).unwrap()),
            Plan::Perform(effects) => {
                for effect in effects {
                    let event = asked(state, &effect);
                    state.apply(&event).unwrap();
                    state.apply(&outcome(effect.key, Act::Good)).unwrap();
                }
            }
            other @ (Plan::Resolve(_) | Plan::Wait(_) | Plan::Close) => panic!("{other:?}"),
        }
    }
}

#[test]
fn a_panel_whose_lead_hangs_on_one_judge_says_so() {
    let mut state = open(3, 0);
    argue(&mut state);
    for (judge, own) in [
        ("r0.judge#0", 0.3),
        ("r0.judge-2#0", -0.1),
        ("r0.judge-3#0", 0.1),
    ] {
        let score = |id: &str, score: f64| serde_json::json!({ "argument_id": id, "score": score, "reasoning": "So." });
        let scores: Vec<_> = ["a", "b", "c"]
            .into_iter()
            .flat_map(|at| {
                let (ours, theirs) = (format!("prop_000{at}"), format!("opp_000{at}"));
                [score(&ours, own), score(&theirs, -own)]
            })
            .collect();
        let moves = serde_json::json!({ "scores": scores });
        state.apply(&given(key(judge), moves.to_string())).unwrap();
    }
    play(&mut state, |key, _| panic!("{key} is asked"), first);
    let verdict = verdict(&state).unwrap();
    assert_eq!(verdict.winner, Some(Seat::Proposition));
    // Without the first the others' medians are zero, and the second is for the other side.
    let panel = Panel {
        judges: 3,
        in_favour: 2,
        leave_one_out: Trial::Flipped,
        tie: false,
    };
    assert_eq!(verdict.stability.panel, Some(panel));
    assert_eq!(verdict.stability.swap_reason, None);
}

#[test]
fn a_rescore_counts_where_the_majority_of_the_panel_made_it() {
    let mut state = open(3, 0);
    play(&mut state, good, first);
    go_on(&mut state, 1);
    argue(&mut state);
    let rescore = |id: &str, new: f64| {
        serde_json::json!({ "argument_id": id, "old_score": if id.starts_with('p') { 0.2 } else { -0.2 },
                            "new_score": new, "reasoning": format!("{id} to {new}.") })
    };
    let scores = |own: f64| {
        serde_json::json!([
            { "argument_id": "opp_001", "score": -own, "reasoning": "Less." },
            { "argument_id": "prop_001", "score": own, "reasoning": "More." },
        ])
    };
    for (judge, own, rescores) in [
        (
            "r1.judge#0",
            0.4,
            vec![rescore("prop_000a", 0.1), rescore("opp_000b", 0.0)],
        ),
        ("r1.judge-2#0", 0.1, vec![rescore("prop_000a", -0.1)]),
        ("r1.judge-3#0", 0.4, vec![]),
    ] {
        let moves = serde_json::json!({ "scores": scores(own), "rescores": rescores });
        state.apply(&given(key(judge), moves.to_string())).unwrap();
    }
    play(&mut state, |key, _| panic!("{key} is asked"), first);
    assert_eq!(state.last_judged_exchange(), Some(1));
    let entry = |score: i32, reasoning: &str, by: Option<&str>, spread: [i32; 2]| ScoreEntry {
        score: Score::new(score),
        reasoning: reasoning.to_owned(),
        at_ms: Some(1_700_000_000_000),
        triggered_by: by.map(|id| id.parse().unwrap()),
        spread: Some(spread.map(Score::new)),
    };
    assert_eq!(
        current(&state, "prop_001"),
        entry(400, "More.", None, [100, 400])
    );
    assert_eq!(
        current(&state, "prop_000a"),
        entry(0, "prop_000a to 0.1.", Some("opp_001"), [-100, 100])
    );
    assert_eq!(
        state.score_histories()[&"opp_000b".parse().unwrap()].len(),
        1
    );
}

#[test]
fn a_lost_judge_of_a_panel_is_asked_again_alone() {
    let mut state = open(3, 0);
    let act = |key: AskKey, _: usize| match key.turn.seat == Seat::Judge(2) {
        true => Act::Garbage,
        false => Act::Good,
    };
    play(&mut state, act, first);
    assert!(
        matches!(&state.halted, Some(Halt::TurnLost { turn, .. }) if *turn == super::turn("r0.judge-2"))
    );
    assert!(state.score_histories().is_empty());
    let caps = state.caps;
    state.apply(&Event::resumed(caps)).unwrap();
    assert_eq!(wanted(&state), ["r0.judge-2#0"]);
    play(&mut state, good, first);
    assert_eq!(
        (state.last_judged_exchange(), state.score_histories().len()),
        (Some(0), 6)
    );
}
