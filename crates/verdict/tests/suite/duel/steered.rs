//! Duels that their user steers: notes, runs, orders, more rounds after the end.

use agon_record::authority::Authority;
use agon_record::event::Cap;
use agon_record::spec::Spec;
use agon_record::spec::Standby;
use agon_record::spec::{FormalSpec, Kind, MAX_ROUNDS};
use agon_record::user::{CommandRun, Order, UserRequest, WordId};
use agon_rules::steer::{RefusalCode, accept_request, extended_round_count};
use agon_verdict::verdict::verdict;
use proptest::prelude::*;

use super::*;

const CHALLENGED: TurnId = TurnId::round(1, Seat::Challenger);

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

const JUDGE: UserRequest = UserRequest::Order(Order::Judge);

fn more(more: u16) -> UserRequest {
    UserRequest::Order(Order::Rounds { more })
}

fn put(state: &mut State, item: u128, wish: &UserRequest) {
    let event = accept_request(state, item.into(), wish).unwrap().unwrap();
    state.apply(&event).unwrap();
}

/// The duel in which the user wants `wish` at the first step at which `when` holds.
fn steered(spec: Spec, wish: UserRequest, when: impl Fn(&State) -> bool) -> State {
    let mut wish = Some(wish);
    let steer = |state: &State| if when(state) { wish.take() } else { None };
    State::replay(&run_steered(spec, |_, _, _| Act::Good, |_| 0, steer)).unwrap()
}

fn said(state: &State, turn: &str) -> bool {
    state.admitted(turn.parse().unwrap()).is_some()
}

fn is_asked(state: &State, turn: &str) -> bool {
    let turn = state.turns.get(&turn.parse().unwrap());
    turn.is_some_and(|turn| !turn.asks.is_empty())
}

/// What the last events of a debate are before `turn` is asked for.
fn before(spec: Spec, turn: &str) -> State {
    let turn: TurnId = turn.parse().unwrap();
    let events = run(spec, |_| Act::Good, |_| 0);
    let asked = |event: &Event| matches!(event, Event::Asked(asked) if asked.key.turn == turn);
    let at = events.iter().position(asked).unwrap();
    State::replay(&events[..at]).unwrap()
}

#[test]
fn a_note_stands_in_the_verdict() {
    let state = steered(
        spec(true, 12),
        note("we get a second writer in August"),
        |state| said(state, "r1.cha"),
    );
    let verdict = verdict(&state).unwrap();
    assert_eq!(verdict.notes.len(), 1);
    assert_eq!(verdict.notes[0].id, "note 1");
    assert!(verdict.notes[0].heard_by_judge);
    assert_eq!(verdict.authority, Authority::Full);
}

#[test]
fn a_reply_that_only_quotes_a_note_has_no_moves_of_its_own() {
    let mut state = State::open(spec(false, 12));
    let script = scripted("r1.pro".parse().unwrap());
    let (_, block) = script.rsplit_once("```json").unwrap();
    let block = block.split_once("```").unwrap().0;
    put(&mut state, 1, &note(block));
    let Plan::Perform(effects) = plan(&state) else {
        panic!("nothing is asked")
    };
    let asking = asked(&state, &effects[0]);
    state.apply(&asking).unwrap();
    state.apply(&outcome(effects[0].key, Act::Good)).unwrap();
    let Plan::Decide(events) = plan(&state) else {
        panic!("nothing is decided")
    };
    assert!(
        matches!(&events[0], Event::SentBack { findings, .. }
        if findings[0].code == "reply-parse"),
        "{events:?}"
    );
}

#[test]
fn the_user_may_send_it_to_the_judge_and_that_counts_as_planned() {
    let state = steered(spec(true, 12), JUDGE, |state| is_asked(state, "r2.pro"));
    assert_eq!(state.closed, Some(Outcome::Judged));
    assert!(!said(&state, "r2.cha"));
    let verdict = verdict(&state).unwrap();
    assert_eq!(verdict.authority, Authority::Full);
    assert_eq!(verdict.missing, []);
    assert!(
        verdict
            .rigor
            .contains("judged early, as you asked, after round 1 of 2"),
        "{}",
        verdict.rigor
    );
}

#[test]
fn an_order_to_judge_before_both_have_spoken_waits_for_that() {
    for when in ["r0.pro", "r1.pro", "r1.cha"] {
        let state = steered(spec(true, 12), JUDGE, |state| is_asked(state, when));
        assert_eq!(state.closed, Some(Outcome::Judged), "{when}");
        assert!(
            said(&state, "r1.cha") && !is_asked(&state, "r2.pro"),
            "{when}"
        );
        assert_eq!(verdict(&state).unwrap().authority, Authority::Full);
    }
}

#[test]
fn a_usable_reply_of_the_turn_that_is_cut_short_is_heard() {
    let mut state = before(spec(true, 14), "r2.pro");
    let Plan::Perform(effects) = plan(&state) else {
        panic!("nothing is asked")
    };
    let asking = asked(&state, &effects[0]);
    state.apply(&asking).unwrap();
    state.apply(&outcome(effects[0].key, Act::Good)).unwrap();
    put(&mut state, 1, &JUDGE);
    let Plan::Decide(events) = plan(&state) else {
        panic!("nothing is decided")
    };
    assert!(matches!(&events[..], [Event::Admitted { key, .. }] if *key == effects[0].key));
    state.apply(&events[0]).unwrap();
    let Plan::Perform(effects) = plan(&state) else {
        panic!("the judge is not asked")
    };
    assert_eq!(effects[0].key.to_string(), "verdict.judge#0");
}

#[test]
fn a_lost_turn_before_the_order_still_makes_the_verdict_partial() {
    let act = |key: AskKey| {
        let lost = key.turn == TurnId::round(0, Seat::Challenger);
        if lost { Act::Timeout } else { Act::Good }
    };
    let mut wish = Some(JUDGE);
    let steer = |state: &State| {
        if said(state, "r1.cha") {
            wish.take()
        } else {
            None
        }
    };
    let events = run_steered(spec(true, 20), |key, _, _| act(key), |_| 0, steer);
    let state = State::replay(&events).unwrap();
    assert_eq!(verdict(&state).unwrap().authority, Authority::Partial);
}

#[test]
fn another_round_is_played_and_brings_its_own_calls() {
    let state = steered(spec(true, 8), more(1), |state| is_asked(state, "r2.pro"));
    assert_eq!((state.planned_rounds(), state.caps.calls), (3, 10));
    assert!(is_asked(&state, "r3.pro"));
    assert_eq!(state.closed, Some(Outcome::Judged));
}

#[test]
fn orders_that_make_no_sense_are_refused_and_say_why() {
    let refused =
        |state: &State, wish: &UserRequest| accept_request(state, 9.into(), wish).unwrap_err().code;
    let open = before(spec(true, 12), "r2.pro");
    assert_eq!(refused(&open, &more(MAX_ROUNDS)), RefusalCode::Rounds);
    assert_eq!(refused(&open, &more(0)), RefusalCode::Rounds);
    assert_eq!(refused(&open, &note(" \n")), RefusalCode::Empty);
    assert_eq!(
        refused(&open, &note(&"x".repeat(9_000))),
        RefusalCode::TooLarge
    );

    let mut sent = open.clone();
    put(&mut sent, 1, &JUDGE);
    assert_eq!(refused(&sent, &JUDGE), RefusalCode::Judging);
    assert_eq!(refused(&sent, &more(1)), RefusalCode::Judging);

    let mut capped = open;
    capped.apply(&Event::Capped { cap: Cap::Calls }).unwrap();
    assert_eq!(refused(&capped, &more(1)), RefusalCode::Limit);

    let closed = State::replay(&run(spec(true, 12), |_| Act::Good, |_| 0)).unwrap();
    for wish in [JUDGE, more(1), note("late"), ran("true", "")] {
        assert_eq!(refused(&closed, &wish), RefusalCode::Closed);
    }
    let mut formal = spec(true, 12);
    formal.kind = Kind::formal(FormalSpec::default());
    let formal = State::open(formal);
    assert_eq!(refused(&formal, &JUDGE), RefusalCode::Formal);
    assert_eq!(refused(&formal, &more(1)), RefusalCode::Formal);
    assert!(
        accept_request(&formal, 9.into(), &note("seen by both"))
            .unwrap()
            .is_some()
    );
}

#[test]
fn the_notes_of_a_debate_have_a_bound_together() {
    let mut state = State::open(spec(false, 12));
    for item in 0..4 {
        put(&mut state, item, &note(&"x".repeat(8 * 1024)));
    }
    let refused = accept_request(&state, 9.into(), &note("one more")).unwrap_err();
    assert_eq!(refused.code, RefusalCode::TooLarge);
    let numbers: Vec<_> = state.notes().map(|note| note.id).collect();
    assert_eq!(numbers[3], WordId::Note(4));
}

#[test]
fn a_wish_that_is_handed_in_twice_is_taken_once() {
    let mut state = before(spec(true, 12), "r2.pro");
    for (item, wish) in [(1, note("once")), (2, ran("true", "")), (3, more(1))] {
        put(&mut state, item, &wish);
        assert_eq!(accept_request(&state, item.into(), &wish), Ok(None));
    }
    assert_eq!((state.words.len(), state.planned_rounds()), (2, 3));
}

/// `state`, told to go on for so many rounds.
fn onward(state: &mut State, more: u16) {
    let through = extended_round_count(state, more).unwrap();
    let seats = state.seats.clone();
    let caps = agon_record::spec::Caps {
        calls: state.spent.calls + 20,
        ..state.caps
    };
    state
        .apply(&Event::Continued {
            through,
            seats,
            caps,
            standby: Standby::default(),
        })
        .unwrap();
}

#[test]
fn a_closed_duel_goes_on_and_a_fresh_verdict_replaces_the_old_one() {
    let spec = spec(true, 12);
    let events = run(spec, |_| Act::Good, |_| 0);
    let mut state = State::replay(&events).unwrap();
    let before = verdict(&state).unwrap();
    onward(&mut state, 1);
    assert_eq!(debate_phase(&state).to_string(), "awaiting_proposer");
    assert!(verdict(&state).is_none());
    let Plan::Perform(effects) = plan(&state) else {
        panic!("nothing is asked")
    };
    assert_eq!(effects[0].key.to_string(), "r3.pro#0");
    put(&mut state, 1, &note("a third writer"));
    put(&mut state, 2, &JUDGE);
    let Plan::Perform(effects) = plan(&state) else {
        panic!("the judge is not asked")
    };
    assert_eq!(effects[0].key.to_string(), "verdict.judge#0");
    for effect in &effects {
        let asking = asked(&state, effect);
        state.apply(&asking).unwrap();
        state.apply(&outcome(effect.key, Act::Turned)).unwrap();
    }
    while let Plan::Decide(next) = plan(&state) {
        next.iter().for_each(|event| state.apply(event).unwrap());
    }
    let after = verdict(&state).unwrap();
    assert_ne!(after.winner, before.winner);
    assert_eq!(after.former.len(), 1);
    assert_eq!(Some(after.former[0].winner), before.winner);
    assert_eq!((after.former[0].rounds, after.max_rounds), (2, 3));
}

#[test]
fn a_lost_turn_of_a_closed_duel_is_asked_again_first() {
    let act = |key: AskKey| {
        let lost = key.turn == TurnId::round(2, Seat::Challenger);
        if lost { Act::Timeout } else { Act::Good }
    };
    let mut state = State::replay(&run(spec(true, 20), act, |_| 0)).unwrap();
    assert_eq!(verdict(&state).unwrap().authority, Authority::Partial);
    onward(&mut state, 1);
    assert_eq!(state.planned_rounds(), 3);
    let Plan::Perform(effects) = plan(&state) else {
        panic!("nothing is asked")
    };
    assert_eq!(effects[0].key.to_string(), "r2.cha#0");
}

#[test]
fn a_duel_goes_on_only_when_it_is_closed_and_not_for_ever() {
    let open = before(spec(true, 12), "r2.pro");
    assert_eq!(
        extended_round_count(&open, 1).unwrap_err().code,
        RefusalCode::Unfinished
    );
    let closed = State::replay(&run(spec(true, 12), |_| Act::Good, |_| 0)).unwrap();
    assert_eq!(extended_round_count(&closed, 8), Ok(10));
    let refused = extended_round_count(&closed, 9).unwrap_err();
    assert_eq!(
        (refused.code, refused.hint.typed().as_str()),
        (RefusalCode::Rounds, "add 1 to 8 rounds")
    );
}

fn wishes() -> impl Strategy<Value = Option<UserRequest>> {
    prop_oneof![
        12 => Just(None),
        3 => "[a-z ]{1,12}".prop_map(|text| Some(note(&text))),
        1 => Just(Some(ran("cargo test", "ok"))),
        1 => Just(Some(JUDGE)),
        1 => Just(Some(more(1))),
        1 => Just(Some(UserRequest::Stop)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Whatever the user does and whenever, and whatever the tools make of it.
    #[test]
    fn every_steered_duel_closes_and_replays_to_the_same_plan(
        acts in proptest::collection::vec(acts(), 80),
        wishes in proptest::collection::vec(wishes(), 60),
        picks in proptest::collection::vec(any::<prop::sample::Index>(), 80),
        judges in 1_u8..4,
        again in 0_u16..3,
    ) {
        let (mut n, mut p, mut w) = (0, 0, 0);
        let spec = panel(judges, spec(true, 30));
        let mut seen = State::open(spec.clone());
        let events = run_steered(
            spec,
            |_, _, _| { n += 1; acts[n % acts.len()] },
            |len| { p += 1; picks[p % picks.len()].index(len) },
            |_| { w += 1; wishes.get(w).cloned().flatten() },
        );
        for (at, event) in events.iter().enumerate().skip(1) {
            seen.apply(event).unwrap();
            let line = serde_json::to_string(event).unwrap();
            prop_assert_eq!(&serde_json::from_str::<Event>(&line).unwrap(), event);
            // At each event it would take long, since debates here are.
            if at % 7 == 0 || at + 1 == events.len() {
                let back = State::replay(&events[..=at]).unwrap();
                prop_assert_eq!(&back, &seen);
                prop_assert_eq!(plan(&back), plan(&seen));
            }
        }
        prop_assert!(seen.closed.is_some() || seen.halted.is_some());
        prop_assert!(seen.planned_rounds() <= MAX_ROUNDS);
        prop_assert!(seen.spent.calls <= seen.caps.calls);
        if seen.closed.is_some() && again > 0 {
            onward(&mut seen, again);
            prop_assert!(!matches!(plan(&seen), Plan::Close | Plan::Wait(_)));
            let line = serde_json::to_string(&seen).unwrap();
            prop_assert_eq!(serde_json::from_str::<State>(&line).unwrap(), seen);
        }
    }

    /// A note and the outcome of a call commute: the state is the same in either order.
    #[test]
    fn notes_between_the_outcomes_of_two_sides_give_the_same_state_in_any_order(
        first in acts(), second in acts(), at in 0_usize..3,
    ) {
        let mut state = State::open(spec(true, 20));
        let Plan::Perform(effects) = plan(&state) else { panic!("nothing is asked") };
        for effect in &effects {
            let event = asked(&state, effect);
            state.apply(&event).unwrap();
        }
        let word = accept_request(&state, 7.into(), &note("heard later")).unwrap().unwrap();
        let sides = [outcome(effects[0].key, first), outcome(effects[1].key, second)];
        let mut forward = sides.to_vec();
        forward.insert(at, word.clone());
        let mut one = state.clone();
        forward.iter().for_each(|event| one.apply(event).unwrap());
        let mut other = state;
        other.apply(&word).unwrap();
        sides.iter().rev().for_each(|event| other.apply(event).unwrap());
        prop_assert_eq!(&one, &other);
        prop_assert_eq!(plan(&one), plan(&other));
    }
}

#[test]
fn an_order_in_round_one_needs_the_challenger() {
    let mut state = before(spec(true, 12), "r1.cha");
    put(&mut state, 1, &JUDGE);
    assert!(!state.is_judge_order_in_effect());
    assert!(state.admitted(CHALLENGED).is_none());
    assert_eq!(debate_phase(&state).to_string(), "awaiting_challenger");
}
