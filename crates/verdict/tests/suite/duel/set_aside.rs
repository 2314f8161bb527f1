//! The call that is set aside for whoever rules.

use agon_record::spec::{Spec, ToolName};
use agon_rules::plan::{debater_deadline_ms, judge_timeout_ms};
use host::seating;
use proptest::prelude::*;

use super::*;

/// Those who may judge, in the order in which they are asked.
const CANDIDATES: [&str; 5] = ["gemini", "opencode", "copilot", "codex", "claude"];

/// A duel with so many judges; the other candidates are substitutes.
fn duel(judges: u8, mut spec: Spec) -> Spec {
    let mut candidates = CANDIDATES.into_iter().map(|tool| seating(tool, tool));
    for (number, judge) in (1..=judges).zip(candidates.by_ref()) {
        spec.seats.insert(Seat::Judge(number), judge);
    }
    spec.kind.as_duel_mut().unwrap().substitutes = candidates.collect();
    spec
}

fn failures() -> impl Strategy<Value = Act> {
    prop_oneof![
        Just(Act::Garbage),
        Just(Act::Empty),
        Just(Act::Timeout),
        Just(Act::Busy),
    ]
}

/// The calls that were made before the first judge was asked.
fn before_the_judges(events: &[Event]) -> usize {
    let asked = |event: &&Event| matches!(event, Event::Asked(_));
    let judged =
        |event: &Event| matches!(event, Event::Asked(asked) if asked.key.turn.seat.is_judge());
    let first = events.iter().position(judged).unwrap();
    events[..first].iter().filter(asked).count()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn whoever_would_rule_is_asked_as_long_as_there_is_a_call(
        fails in proptest::collection::vec(failures(), CANDIDATES.len()),
        rules in 0..CANDIDATES.len(),
        judges in 1_u8..4,
        (swap, blind) in any::<(bool, bool)>(),
        calls in 5_u32..18,
        picks in proptest::collection::vec(any::<prop::sample::Index>(), 80),
    ) {
        let mut spec = duel(judges, spec(blind, calls));
        spec.kind.as_duel_mut().unwrap().swap = swap;
        let at = |tool: &ToolName| CANDIDATES.iter().position(|name| *name == tool.as_str());
        let act = |key: AskKey, tool: &ToolName, _: usize| match at(tool) {
            Some(at) if key.turn.seat.is_judge() && at != rules => fails[at],
            _ => Act::Good,
        };
        let mut p = 0;
        let events = run_tools(spec, act, |len| { p += 1; picks[p % picks.len()].index(len) });
        let state = State::replay(&events).unwrap();
        // The first round is there, so that there is something to rule on.
        prop_assume!(state.admitted(TurnId::round(1, Seat::Challenger)).is_some());
        let left = calls as usize - before_the_judges(&events);
        if rules < left {
            prop_assert_eq!(state.closed, Some(Outcome::Judged), "{:?}", state.halted);
        }
        prop_assert!(state.spent.calls <= calls);
    }

    #[test]
    fn the_swap_is_tried_again_only_once_the_judge_has_ruled(
        acts in proptest::collection::vec(acts(), 80),
        calls in 8_u32..20,
        picks in proptest::collection::vec(any::<prop::sample::Index>(), 80),
    ) {
        let (mut n, mut p) = (0, 0);
        let events = run(
            duel(1, spec(true, calls)),
            |_| { n += 1; acts[n % acts.len()] },
            |len| { p += 1; picks[p % picks.len()].index(len) },
        );
        let mut seen = State::open(spec(true, calls));
        for event in &events[1..] {
            if let Event::Asked(asked) = event && asked.key.turn == TurnId::SWAP {
                let lost = |turn: &agon_record::state::Turn| {
                    turn.asks.iter().any(|ask| !ask.losses.is_empty() || ask.given.is_some())
                };
                let again = seen.turns.get(&TurnId::SWAP).is_some_and(lost);
                let ruled = seen.admitted(TurnId::verdict(Seat::JUDGE)).is_some();
                prop_assert!(!again || ruled);
            }
            seen.apply(event).unwrap();
        }
    }
}

#[test]
fn a_debate_that_is_cut_short_leaves_a_call_for_a_substitute() {
    let act = |key: AskKey, tool: &ToolName, _: usize| match tool.as_str() {
        "gemini" if key.turn.seat.is_judge() => Act::Busy,
        _ => Act::Good,
    };
    // Every turn and the judge would need seven: the second round is left out.
    let state = State::replay(&run_tools(spec(true, 6), act, |_| 0)).unwrap();
    assert_eq!(state.closed, Some(Outcome::Judged));
    assert_eq!(state.seats[&Seat::JUDGE].tool.as_str(), "opencode");
    assert_eq!((state.rounds_completed(), state.spent.calls), (1, 6));
    // Where every turn has its call, none is left out for what may not come to pass.
    let state = State::replay(&run(spec(true, 7), |_| Act::Good, |_| 0)).unwrap();
    assert_eq!(
        (state.rounds_completed(), state.capped),
        (2, Some(agon_record::event::Cap::Calls))
    );
}

/// When the debaters fall silent, and what a judge has then, in seconds.
fn seconds(spec: Spec, clock_ms: u64) -> (u64, u64) {
    let mut state = State::open(spec);
    let until = debater_deadline_ms(&state);
    state.spent.clock_ms = until + clock_ms;
    let within = judge_timeout_ms(&state, state.spec.ask_timeout_ms, 0);
    (until / 1_000, within / 1_000)
}

#[test]
fn a_judge_has_its_whole_time_and_so_has_whoever_rules_in_its_place() {
    assert_eq!(seconds(spec(true, 12), 0), (1_320, 240));
    assert_eq!(seconds(spec(true, 12), 240_000), (1_320, 120));
    let mut alone = spec(true, 12);
    alone.kind.as_duel_mut().unwrap().substitutes.clear();
    assert_eq!(seconds(alone.clone(), 0), (1_560, 240));
    // Where time is short, a third is theirs, or a quarter of who judges alone.
    let short = |mut spec: Spec| {
        spec.caps.time_ms = 60_000;
        seconds(spec, 0)
    };
    assert_eq!(short(spec(true, 12)), (40, 10));
    assert_eq!(short(alone), (45, 15));
}
