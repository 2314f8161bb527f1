//! The small result of a debate, and the document of an error.

use agon_record::event::Outcome;
use agon_record::moves::Moves;
use agon_record::state::State;
use agon_samples::job_store::{Debate, job_store, scripted, turn};
use agon_verdict::result::result_document;
use agon_verdict::verdict::verdict;
use serde_json::Value;

use crate::verdict::faults;

const PATH: &str = "debates/job-store";

fn told(state: &State) -> Value {
    let result = result_document(state, verdict(state).as_ref(), PATH);
    assert_eq!(faults("result", &result), [""; 0]);
    serde_json::to_value(&result).unwrap()
}

#[test]
fn the_result_of_a_normal_debate_is_small() {
    let state = job_store().state();
    let text = serde_json::to_string(&told(&state)).unwrap();
    let tokens = agon_tokens::count_tokens(&text);
    assert!(tokens <= 1_500, "{tokens} tokens");
    insta::assert_snapshot!(serde_json::to_string_pretty(&told(&state)).unwrap());
}

#[test]
fn the_result_of_an_open_debate_says_how_far_it_is() {
    let mut debate = Debate::open();
    debate.speak_until("r1.pro");
    let told = told(&debate.state());
    assert_eq!(told["phase"], "awaiting_challenger");
    for absent in [
        "answer",
        "winner",
        "why",
        "do_next",
        "unless",
        "authority",
        "stability",
    ] {
        assert_eq!(told[absent], Value::Null, "{absent}");
    }
    assert_eq!(told["usage"]["calls"], 3);
    assert_eq!(told["citations"]["proposer"]["unchecked"], 4);
    assert_eq!(told["paths"]["verdict"], Value::Null);
}

#[test]
fn long_texts_are_cut_in_a_result() {
    for text in [
        "a long answer ".repeat(800),
        "答案".repeat(5_000),
        "\u{1b}[31mred ".repeat(2_000),
    ] {
        let mut debate = Debate::open();
        debate.speak_until("r2.cha");
        let Moves::Verdict(mut ruling) = scripted(turn("verdict.judge")) else {
            panic!("a verdict");
        };
        for part in [
            &mut ruling.answer,
            &mut ruling.why,
            &mut ruling.do_next,
            &mut ruling.unless,
            &mut ruling.open[0].question,
        ] {
            part.clone_from(&text);
        }
        let open = ruling.open[0].clone();
        ruling.open = vec![open; 40];
        debate.speak(turn("verdict.judge"), Moves::Verdict(ruling));
        debate.close(Outcome::Judged);
        let told = told(&debate.state());
        let line = serde_json::to_string(&told).unwrap();
        let tokens = agon_tokens::count_tokens(&line);
        assert!(
            line.len() <= 6_000 && tokens <= 1_500,
            "{} bytes, {tokens} tokens",
            line.len()
        );
        assert!(told["answer"].as_str().unwrap().ends_with('…'));
    }
}

#[test]
fn what_a_result_has_no_room_for_is_left_out_by_whole_entries_and_counted() {
    let mut debate = Debate::open();
    debate.speak_until("r2.cha");
    let Moves::Verdict(mut ruling) = scripted(turn("verdict.judge")) else {
        panic!("a verdict");
    };
    let mut agreed = ruling.agreements[0].clone();
    agreed.point = "Both sides hold that a claim and its lease are two steps. ".repeat(4);
    ruling.agreements = vec![agreed.clone(); 30];
    debate.speak(turn("verdict.judge"), Moves::Verdict(ruling.clone()));
    debate.close(Outcome::Judged);
    let told = told(&debate.state());
    let shown = told["agreements"].as_array().unwrap();
    assert!(!shown.is_empty() && shown.len() < 30, "{}", shown.len());
    for one in shown {
        assert_eq!(one["point"], agreed.point.trim());
    }
    assert_eq!(told["left_out"]["agreements"], 30 - shown.len());
    assert_eq!(told["answer"], ruling.answer);
    assert_eq!(told["open"].as_array().unwrap().len(), ruling.open.len());
    assert_eq!(told["winner_tool"], "claude");
    assert_eq!(told["topic"], "SQLite or plain files for the job store?");
}
