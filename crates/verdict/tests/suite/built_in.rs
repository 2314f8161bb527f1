//! The verdict of the built-in model, which nobody should take for another.

use agon_record::authority::Authority;
use agon_record::event::{CauseCode, Outcome};
use agon_record::spec::LOCAL;
use agon_samples::job_store::{Debate, job_store, scripted, turn};
use agon_verdict::verdict::{Verdict, verdict};

/// The verdict of `debate` with the built-in model in every seat.
fn ruled(mut debate: Debate) -> Verdict {
    for seating in debate.spec.seats.values_mut() {
        seating.tool = LOCAL.parse().unwrap();
        seating.transport = LOCAL.to_owned();
    }
    verdict(&debate.state()).unwrap()
}

#[test]
fn a_verdict_of_the_built_in_model_says_so_in_every_place() {
    let verdict = ruled(job_store());
    assert_eq!(verdict.authority, Authority::BuiltInModel);
    assert_eq!(
        verdict.headline,
        "the proposer wins · same ruling with the sides swapped · the built-in \
         model's verdict: do not rely on it"
    );
    let document = serde_json::to_value(&verdict).unwrap();
    assert_eq!(document["authority"], "built_in_model");
    let rigor = document["rigor"].as_str().unwrap();
    assert!(
        rigor.contains("the built-in model held every seat"),
        "{rigor}"
    );
    assert!(!document.to_string().contains("unstable"), "{document:#}");
}

#[test]
fn it_says_so_where_nothing_was_judged() {
    let mut lost = Debate::open();
    lost.speak_until("r1.pro");
    lost.lose(turn("r1.cha"), CauseCode::Timeout);
    lost.close(Outcome::Uncontested);
    let headline = ruled(lost).headline;
    assert!(
        headline.contains("the built-in model's verdict"),
        "{headline}"
    );
}

#[test]
fn it_says_so_where_a_turn_is_missing() {
    let mut lost = Debate::open();
    lost.speak_until("r2.pro");
    lost.lose(turn("r2.cha"), CauseCode::Timeout);
    for due in ["verdict.judge", "verdict.swap"] {
        lost.speak(turn(due), scripted(turn(due)));
    }
    lost.close(Outcome::Judged);
    let verdict = ruled(lost);
    assert_eq!(verdict.authority, Authority::Partial);
    let headline = verdict.headline;
    assert!(
        headline.contains("the built-in model's verdict"),
        "{headline}"
    );
    assert!(!headline.contains("judged by"), "{headline}");
}

#[test]
fn a_judge_of_its_own_kind_among_tools_is_marked_too() {
    let mut debate = job_store();
    let judge = debate.spec.seats.values_mut().next_back().unwrap();
    judge.transport = LOCAL.to_owned();
    let verdict = verdict(&debate.state()).unwrap();
    assert_eq!(verdict.authority, Authority::BuiltInModel);
    assert!(verdict.headline.contains("the built-in model's verdict"));
}
