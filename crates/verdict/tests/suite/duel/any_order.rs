//! Outcomes in any order, and crashes at any point.

use agon_record::spec::ToolName;
use agon_rules::plan::{Plan, plan};
use agon_verdict::verdict::verdict;
use proptest::prelude::*;

use super::*;

/// What a tool makes of an attempt at a call: the same in whichever order calls come back.
fn by_key(acts: &[Act]) -> impl Fn(AskKey, &ToolName, usize) -> Act {
    move |key, tool, nth| {
        let mut place = 3 * nth;
        for byte in format!("{key} {tool}").bytes() {
            place = (place * 31 + usize::from(byte)) % 9_973;
        }
        acts[place % acts.len()]
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn every_duel_closes_within_its_bounds_and_replays_to_the_same_plan(
        acts in proptest::collection::vec(acts(), 80),
        blind: bool,
        swap: bool,
        judges in 1_u8..4,
        calls in 1_u32..24,
        picks in proptest::collection::vec(any::<prop::sample::Index>(), 80),
    ) {
        let (mut n, mut p) = (0, 0);
        let mut spec = panel(judges, spec(blind, calls));
        spec.kind.as_duel_mut().unwrap().swap = swap;
        let mut seen = State::open(spec.clone());
        let events = run(
            spec,
            |_| { n += 1; acts[n % acts.len()] },
            |len| { p += 1; picks[p % picks.len()].index(len) },
        );
        for (at, event) in events.iter().enumerate().skip(1) {
            seen.apply(event).unwrap();
            let again = State::replay(&events[..=at]).unwrap();
            prop_assert_eq!(&again, &seen);
            prop_assert_eq!(plan(&again), plan(&seen));
        }
        prop_assert!(seen.closed.is_some() || seen.halted.is_some());
        prop_assert!(seen.spent.calls <= calls);
    }

    /// Bounds are left wide: which call meets one depends on the order.
    #[test]
    fn the_same_outcomes_in_any_order_give_the_same_verdict(
        acts in proptest::collection::vec(acts(), 61), judges in 1_u8..4,
        picks in proptest::collection::vec(any::<prop::sample::Index>(), 40),
    ) {
        let mut spec = panel(judges, spec(true, 400));
        spec.caps.reasks = 400;
        spec.caps.tokens = u64::MAX;
        let mut p = 0;
        let one = run_tools(spec.clone(), by_key(&acts), |_| 0);
        let other = run_tools(spec, by_key(&acts), |len| { p += 1; picks[p % picks.len()].index(len) });
        let (one, other) = (State::replay(&one).unwrap(), State::replay(&other).unwrap());
        prop_assert_eq!(one.closed, other.closed);
        prop_assert_eq!(one.halted.is_some(), other.halted.is_some());
        prop_assert_eq!(one.lost_judges(), other.lost_judges());
        let told = |state: &State| verdict(state).map(|verdict| {
            (verdict.answer, verdict.winner, verdict.authority, verdict.stability, verdict.readings)
        });
        prop_assert_eq!(told(&one), told(&other));
    }

    #[test]
    fn the_outcomes_of_the_judges_give_the_same_state_and_plan_in_any_order(
        outcomes in proptest::collection::vec(acts(), 4),
    ) {
        let mut state = judging::before_the_judges(panel(3, spec(true, 24)));
        let Plan::Perform(effects) = plan(&state) else { panic!("nothing is asked") };
        for effect in &effects {
            let event = asked(&state, effect);
            state.apply(&event).unwrap();
        }
        let events: Vec<_> =
            effects.iter().zip(outcomes).map(|(effect, act)| outcome(effect.key, act)).collect();
        prop_assert_eq!(events.len(), 4);
        let mut forward = state.clone();
        let mut backward = state;
        events.iter().for_each(|event| forward.apply(event).unwrap());
        events.iter().rev().for_each(|event| backward.apply(event).unwrap());
        prop_assert_eq!(&forward, &backward);
        prop_assert_eq!(plan(&forward), plan(&backward));
    }

    #[test]
    fn outcomes_of_the_two_sides_give_the_same_state_in_any_order(
        first in acts(), second in acts(),
    ) {
        let mut state = State::open(spec(true, 20));
        let Plan::Perform(effects) = plan(&state) else { panic!("nothing is asked") };
        for effect in &effects {
            let event = asked(&state, effect);
            state.apply(&event).unwrap();
        }
        let outcomes = [
            outcome(effects[0].key, first),
            outcome(effects[1].key, second),
        ];
        let mut forward = state.clone();
        let mut backward = state;
        outcomes.iter().for_each(|event| forward.apply(event).unwrap());
        outcomes.iter().rev().for_each(|event| backward.apply(event).unwrap());
        prop_assert_eq!(&forward, &backward);
        prop_assert_eq!(plan(&forward), plan(&backward));
    }

    #[test]
    fn events_read_back_as_they_were_written(
        acts in proptest::collection::vec(acts(), 40), blind: bool, judges in 1_u8..4,
    ) {
        let mut n = 0;
        for event in run(panel(judges, spec(blind, 20)), |_| { n += 1; acts[n % acts.len()] }, |_| 0) {
            let line = serde_json::to_string(&event).unwrap();
            prop_assert_eq!(serde_json::from_str::<Event>(&line).unwrap(), event);
        }
    }
}
