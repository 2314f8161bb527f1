//! Outcomes in any order, and crashes at any point.

use proptest::prelude::*;

use super::*;

fn acts() -> impl Strategy<Value = Act> {
    prop_oneof![
        10 => Just(Act::Good),
        2 => Just(Act::Wordy),
        2 => Just(Act::Broken),
        1 => Just(Act::Garbage),
        1 => Just(Act::Empty),
        1 => Just(Act::Timeout),
        1 => Just(Act::Busy),
        1 => Just(Act::LoggedOut),
        1 => Just(Act::Cancelled),
    ]
}

/// What a tool makes of an attempt at a call: the same in whichever order calls come back.
fn by_key(acts: &[Act]) -> impl Fn(AskKey, usize) -> Act {
    move |key, nth| {
        let mut place = 3 * nth;
        for byte in key.to_string().bytes() {
            place = (place * 31 + usize::from(byte)) % 9_973;
        }
        acts[place % acts.len()]
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Also what is spent is the same, unless a turn is lost: then nothing new is asked, and which
    /// calls had been made by then depends on the order.
    #[test]
    fn the_same_outcomes_in_any_order_give_the_same_debate(
        acts in proptest::collection::vec(acts(), 61), judges in 1_u8..4,
        picks in proptest::collection::vec(any::<prop::sample::Index>(), 40),
    ) {
        let mut one = open(judges, 2);
        let mut other = one.clone();
        let mut p = 0;
        let batches = play(&mut one, by_key(&acts), first);
        admits_together(&batches, judges);
        let again = play(&mut other, by_key(&acts), |len| { p += 1; picks[p % picks.len()].index(len) });
        admits_together(&again, judges);
        prop_assert_eq!(one.halted.is_some(), other.halted.is_some());
        prop_assert_eq!(ids(&one), ids(&other));
        prop_assert_eq!(one.score_histories(), other.score_histories());
        prop_assert_eq!((debate_phase(&one), one.last_judged_exchange()), (debate_phase(&other), other.last_judged_exchange()));
        if one.halted.is_none() {
            prop_assert_eq!(one.last_judged_exchange(), Some(2));
            prop_assert!(one == other, "the order shows");
        }
        let sum: Score = tally::side_totals(&one).values().map(|total| total.total).sum();
        prop_assert!(sum.is_zero_within_tolerance());
    }

    #[test]
    fn a_debate_that_is_resumed_often_enough_comes_to_its_rest(acts in proptest::collection::vec(acts(), 61)) {
        let mut state = open(2, 2);
        for fault in acts.chunks(7) {
            play(&mut state, by_key(fault), first);
            if state.halted.is_none() {
                break;
            }
            let caps = state.caps;
            state.apply(&Event::resumed(caps)).unwrap();
        }
        play(&mut state, good, first);
        prop_assert_eq!((state.last_judged_exchange(), &state.halted), (Some(2), &None));
        prop_assert_eq!(ids(&state).len(), 10);
    }

    #[test]
    fn the_outcomes_of_one_exchange_give_the_same_state_and_plan_in_any_order(
        outcomes in proptest::collection::vec(acts(), 2),
        panel in proptest::collection::vec(acts(), 3),
    ) {
        let mut state = open(3, 0);
        for (at, acts) in [("r0.prop", outcomes), ("r0.judge", panel)] {
            while !wanted(&state)[0].starts_with(at) {
                let Plan::Perform(effects) = plan(&state) else { panic!("nothing is asked") };
                for effect in effects {
                    let event = asked(&state, &effect);
                    state.apply(&event).unwrap();
                    state.apply(&outcome(effect.key, Act::Good)).unwrap();
                }
                while let Plan::Decide(events) = plan(&state) {
                    events.iter().for_each(|event| state.apply(event).unwrap());
                }
            }
            let Plan::Perform(effects) = plan(&state) else { panic!("nothing is asked") };
            let mut open = state.clone();
            for effect in &effects {
                let event = asked(&open, effect);
                open.apply(&event).unwrap();
            }
            let events: Vec<_> = effects.iter().zip(&acts).map(|(e, act)| outcome(e.key, *act)).collect();
            let mut forward = open.clone();
            events.iter().for_each(|event| forward.apply(event).unwrap());
            let mut backward = open;
            events.iter().rev().for_each(|event| backward.apply(event).unwrap());
            prop_assert!(forward == backward);
            prop_assert_eq!(plan(&forward), plan(&backward));
        }
    }

    #[test]
    fn every_prefix_replays_to_the_same_plan_and_every_event_reads_back(
        acts in proptest::collection::vec(acts(), 61), judges in 1_u8..3,
    ) {
        let mut state = State::open(spec(judges));
        let mut events = vec![Event::Opened(Box::new(spec(judges)))];
        let start = Event::Continued { through: 1, seats: state.seats.clone(), caps: state.caps, standby: agon_record::spec::Standby::default() };
        state.apply(&start).unwrap();
        events.push(start);
        events.extend(play(&mut state, by_key(&acts), first).into_iter().flatten());
        let mut seen = State::open(spec(judges));
        for (at, event) in events.iter().enumerate().skip(1) {
            seen.apply(event).unwrap();
            let again = State::replay(&events[..=at]).unwrap();
            prop_assert_eq!(plan(&again), plan(&seen));
            let line = serde_json::to_string(event).unwrap();
            prop_assert_eq!(&serde_json::from_str::<Event>(&line).unwrap(), event);
        }
        prop_assert!(seen == state);
    }

    #[test]
    fn nothing_of_an_exchange_stands_before_all_of_it_does(acts in proptest::collection::vec(acts(), 61)) {
        let mut state = open(1, 1);
        let mut seen = state.clone();
        for batch in play(&mut state, by_key(&acts), first) {
            batch.iter().for_each(|event| seen.apply(event).unwrap());
            for exchange in 0..2 {
                let spoke = [Seat::Proposition, Seat::Opposition]
                    .map(|seat| seen.admitted(TurnId::round(exchange, seat)).is_some());
                prop_assert_eq!(spoke[0], spoke[1]);
                let judged = seen.last_judged_exchange() >= Some(exchange);
                prop_assert!(!judged || spoke[0]);
            }
        }
        for (_, admitted) in state.admitted_turns() {
            if let Moves::Formal(Formal::Case(case)) = &admitted.moves {
                prop_assert_eq!(case.arguments.len(), 3);
            }
        }
    }
}
