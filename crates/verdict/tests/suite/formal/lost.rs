//! A turn that is lost, a bound that is reached, a reply that is sent back.

use super::*;

/// Exchange 0 is judged; in exchange 1 the opposition's replies are of no use.
fn lost_opposition() -> State {
    let mut state = open(1, 0);
    play(&mut state, good, first);
    go_on(&mut state, 1);
    let act = |key: AskKey, _: usize| match key.turn.seat == Seat::Opposition {
        true => Act::Broken,
        false => Act::Good,
    };
    play(&mut state, act, first);
    state
}

#[test]
fn a_lost_side_halts_the_exchange_and_admits_nobody() {
    let state = lost_opposition();
    let Some(Halt::TurnLost { turn: lost, cause }) = &state.halted else {
        panic!("{:?}", state.halted)
    };
    assert_eq!(
        (*lost, cause.detail.as_str()),
        (turn("r1.opp"), "attack-target")
    );
    assert_eq!(plan(&state), Plan::Close);
    assert_eq!(ids(&state).len(), 6);
    assert_eq!(
        (state.last_judged_exchange(), debate_phase(&state)),
        (Some(0), Phase::AwaitingArguments)
    );
    assert_eq!(state.admitted(turn("r1.prop")), None);
}

#[test]
fn resuming_asks_only_the_lost_side_and_keeps_the_reply_of_the_other() {
    let mut state = lost_opposition();
    let calls = state.spent.calls;
    let kept = state.turns[&turn("r1.prop")].clone();
    let caps = state.caps;
    state.apply(&Event::resumed(caps)).unwrap();
    assert_eq!(wanted(&state), ["r1.opp#0"]);
    let batches = play(&mut state, good, first);
    admits_together(&batches, 1);
    assert_eq!(state.spent.calls, calls + 2);
    assert_eq!(state.turns[&turn("r1.prop")].asks, kept.asks);
    assert_eq!(
        (state.last_judged_exchange(), &state.halted),
        (Some(1), &None)
    );
}

#[test]
fn continuing_after_a_loss_is_resuming() {
    let mut state = lost_opposition();
    go_on(&mut state, 1);
    assert_eq!(state.through, Some(1));
    assert_eq!(wanted(&state), ["r1.opp#0"]);
}

#[test]
fn a_call_under_way_is_heard_out_when_the_other_side_is_lost() {
    let mut spec = spec(1);
    spec.kind.as_formal_mut().unwrap().theses = Some(theses());
    let mut state = State::open(spec);
    go_on(&mut state, 0);
    let Plan::Perform(effects) = plan(&state) else {
        panic!("nothing is asked")
    };
    for effect in &effects {
        let event = asked(&state, effect);
        state.apply(&event).unwrap();
    }
    state
        .apply(&outcome(key("r0.prop#0"), Act::LoggedOut))
        .unwrap();
    assert_eq!(wanted(&state), ["r0.opp#0"]);
    state.apply(&outcome(key("r0.opp#0"), Act::Good)).unwrap();
    let Plan::Decide(events) = plan(&state) else {
        panic!("nothing is decided")
    };
    assert!(
        matches!(&events[..], [Event::Halted { reason: Halt::User { turn, .. } }] if *turn == super::turn("r0.prop"))
    );
    events.iter().for_each(|event| state.apply(event).unwrap());
    let caps = state.caps;
    state.apply(&Event::resumed(caps)).unwrap();
    assert_eq!(wanted(&state), ["r0.prop#0"]);
}

#[test]
fn a_user_who_logs_both_sides_in_resumes_once() {
    let mut state = open(1, 0);
    let act = |key: AskKey, _: usize| match key.turn.seat.is_judge() {
        true => Act::Good,
        false => Act::LoggedOut,
    };
    play(&mut state, act, first);
    assert!(matches!(state.halted, Some(Halt::User { .. })));
    let caps = state.caps;
    state.apply(&Event::resumed(caps)).unwrap();
    assert_eq!(wanted(&state), ["r0.prop#0", "r0.opp#0"]);
}

#[test]
fn a_bound_halts_the_debate_and_a_larger_one_lets_it_go_on() {
    let mut spec = spec(1);
    spec.caps = caps(4);
    let mut state = State::open(spec);
    go_on(&mut state, 1);
    play(&mut state, good, first);
    assert_eq!(state.halted, Some(Halt::Capped { cap: Cap::Calls }));
    assert_eq!(state.last_judged_exchange(), Some(0));
    state.apply(&Event::resumed(caps(9))).unwrap();
    play(&mut state, good, first);
    assert_eq!(
        (state.last_judged_exchange(), &state.halted),
        (Some(1), &None)
    );
}

#[test]
fn no_more_replies_are_sent_back_than_the_bound_allows() {
    let mut spec = spec(1);
    spec.caps.reasks = 1;
    spec.kind.as_formal_mut().unwrap().theses = Some(theses());
    let mut state = State::open(spec);
    go_on(&mut state, 0);
    let Plan::Perform(effects) = plan(&state) else {
        panic!("nothing is asked")
    };
    for effect in &effects {
        let event = asked(&state, effect);
        state.apply(&event).unwrap();
        state.apply(&outcome(effect.key, Act::Wordy)).unwrap();
    }
    play(&mut state, good, first);
    assert_eq!(
        (state.sent_back, state.last_judged_exchange()),
        (1, Some(0))
    );
    let admitted = state.admitted(turn("r0.opp")).unwrap();
    assert_eq!(
        (admitted.key, admitted.findings.len()),
        (key("r0.opp#0"), 1)
    );
}

#[test]
fn an_error_that_a_second_reply_does_not_mend_is_admitted_with_its_finding() {
    let mut state = open(1, 1);
    let act = |key: AskKey, _: usize| match key.turn == turn("r1.opp") {
        true => Act::Wordy,
        false => Act::Good,
    };
    play(&mut state, act, first);
    let admitted = state.admitted(turn("r1.opp")).unwrap();
    let found: Vec<_> = admitted
        .findings
        .iter()
        .map(|f| (f.code.as_str(), f.at.as_str()))
        .collect();
    assert_eq!(
        (admitted.key, found),
        (key("r1.opp#1"), vec![("reply-words", "claim")])
    );
    assert_eq!(state.last_judged_exchange(), Some(1));
}
