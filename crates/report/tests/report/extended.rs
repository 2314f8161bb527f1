//! Transcripts that are extended by the latest turns.

use agon_record::event::Event;
use agon_record::state::State;
use agon_report::markdown::link_points;
use agon_report::{render_documents_since, transcript_md};
use agon_rules::ops::{OutsideStep, StepOutcome, SubmittedReply, evaluate_outside_step};
use agon_samples::steps;
use serde_json::Value;

const AT: u64 = 1_795_291_200_000;

fn reply(text: &str) -> SubmittedReply<'_> {
    SubmittedReply {
        reply: text.as_bytes(),
        redacted: 0,
    }
}

fn take(state: &mut State, step: OutsideStep<'_>) -> Vec<Event> {
    let StepOutcome::Taken { events, .. } = evaluate_outside_step(state, step, AT) else {
        panic!("the step was not accepted")
    };
    for event in &events {
        state.apply(event).unwrap();
    }
    events
}

fn argue(state: &mut State, exchange: u16, [ours, theirs]: [&str; 2]) -> Vec<Event> {
    let (proposition, opposition) = (reply(ours), reply(theirs));
    let step = OutsideStep::Exchange {
        exchange,
        proposition,
        opposition,
    };
    take(state, step)
}

fn judge(state: &mut State, exchange: u16) -> Vec<Event> {
    let scores = steps::scores(exchange).to_string();
    take(state, OutsideStep::Judgment(reply(&scores)))
}

fn whole(state: &State) -> String {
    link_points(state, &transcript_md(state))
}

/// Returns the transcript, given the one before `events`.
fn extended(state: &State, events: &[Event], earlier: &str) -> String {
    let known = |path: &str| (path == "transcript.md").then_some(earlier);
    let mut documents = render_documents_since(state, None, events, known).into_iter();
    let (_, bytes) = documents.find(|(path, _)| path == "transcript.md").unwrap();
    String::from_utf8(bytes).unwrap()
}

fn is_reused(state: &State, events: &[Event], earlier: &str) -> bool {
    let marked = earlier.replace("Incident review of March", "Incident review of Marsh");
    assert_ne!(marked, earlier);
    extended(state, events, &marked).contains("Incident review of Marsh")
}

#[test]
fn each_step_extends_the_transcript_to_the_whole_one() {
    let mut state = State::open(steps::spec());
    let mut earlier = whole(&state);
    for exchange in 0..4 {
        let good = ["prop", "opp"].map(|side| steps::good(side, exchange));
        let argued = argue(&mut state, exchange, good.each_ref().map(String::as_str));
        assert_eq!(extended(&state, &argued, &earlier), whole(&state));
        assert!(exchange == 0 || is_reused(&state, &argued, &earlier));
        earlier = whole(&state);
        let judged = judge(&mut state, exchange);
        assert_eq!(extended(&state, &judged, &earlier), whole(&state));
        assert!(is_reused(&state, &judged, &earlier));
        earlier = whole(&state);
    }
}

#[test]
fn a_point_named_before_it_was_made_is_linked_once_it_is() {
    let mut state = State::open(steps::spec());
    let case = steps::case().to_string();
    argue(&mut state, 0, [&case, &case]);
    judge(&mut state, 0);
    let mut early = steps::rebuttal("prop", 1);
    early["warrant"] = Value::from("As opp_002 will show, work that is lost once is lost again.");
    argue(&mut state, 1, [&early.to_string(), &steps::good("opp", 1)]);
    judge(&mut state, 1);
    let earlier = whole(&state);
    let good = ["prop", "opp"].map(|side| steps::good(side, 2));
    let argued = argue(&mut state, 2, good.each_ref().map(String::as_str));
    let transcript = extended(&state, &argued, &earlier);
    assert!(transcript.contains("As [opp_002](arguments/opp_002.md) will show"));
    assert_eq!(transcript, whole(&state));
}

#[test]
fn other_events_render_the_whole_transcript() {
    let mut state = State::open(steps::spec());
    let case = steps::case().to_string();
    argue(&mut state, 0, [&case, &case]);
    let earlier = whole(&state);
    let mut events = judge(&mut state, 0);
    assert!(is_reused(&state, &events, &earlier));
    events.push(Event::Agreement { stop: false });
    assert!(!is_reused(&state, &events, &earlier));
    assert!(!is_reused(&state, &[], &earlier));
}
