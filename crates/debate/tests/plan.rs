//! What holds for every duel, whatever the tools do.

#![expect(clippy::unwrap_used, reason = "tests")]

use std::collections::BTreeMap;

use agon_debate::event::{
    Asked, Cause, CauseCode, Class, Event, Given, Halt, Lost, Outcome, Reply, Usage,
};
use agon_debate::id::{AskKey, Seat, TurnId};
use agon_debate::plan::{Effect, Plan, phase, plan};
use agon_debate::spec::{Caps, Context, Effort, FormatName, Seating, Spec};
use agon_debate::state::State;
use proptest::prelude::*;

const SCRIPT: &str = include_str!("../../testkit/scripts/job-store.json");

/// The replies of a hand-written duel, by turn.
fn script() -> BTreeMap<String, Vec<String>> {
    let file: serde_json::Value = serde_json::from_str(SCRIPT).unwrap();
    serde_json::from_value(file["turns"].clone()).unwrap()
}

fn seating(tool: &str, vendor: &str) -> Seating {
    Seating {
        tool: tool.parse().unwrap(),
        vendor: vendor.to_owned(),
        model: None,
        effort: Effort::Medium,
        transport: "cli".to_owned(),
        version: None,
    }
}

fn spec(blind: bool, calls: u32) -> Spec {
    Spec {
        ulid: ulid::Ulid::nil(),
        slug: "job-store".to_owned(),
        format: FormatName::Duel,
        topic: "SQLite or plain files for the job store?".to_owned(),
        definitions: Vec::new(),
        scope: None,
        theses: None,
        seats: BTreeMap::from([
            (Seat::Proposer, seating("claude", "anthropic")),
            (Seat::Challenger, seating("codex", "openai")),
            (Seat::JUDGE, seating("gemini", "google")),
        ]),
        substitutes: vec![seating("opencode", "")],
        rounds: 2,
        blind,
        ask_on_agreement: false,
        context: Context::None,
        caps: Caps {
            calls,
            tokens: 250_000,
            time_ms: 1_800_000,
            cost_micros: None,
            reasks: 4,
        },
        ask_timeout_ms: 240_000,
        severities: BTreeMap::new(),
        weights: Default::default(),
        same_tool: false,
        salt: "0".repeat(64),
        agon: "0.1.0".to_owned(),
        ruleset: "duel/1".to_owned(),
    }
}

/// What a tool may do with one call.
#[derive(Clone, Copy, Debug)]
enum Act {
    Good,
    Garbage,
    Empty,
    Timeout,
    Busy,
    LoggedOut,
    Cancelled,
}

fn acts() -> impl Strategy<Value = Act> {
    prop_oneof![
        8 => Just(Act::Good),
        2 => Just(Act::Garbage),
        1 => Just(Act::Empty),
        1 => Just(Act::Timeout),
        1 => Just(Act::Busy),
        1 => Just(Act::LoggedOut),
        1 => Just(Act::Cancelled),
    ]
}

fn asked(state: &State, effect: &Effect) -> Event {
    let seating = &state.seats[&effect.key.turn.seat];
    Event::Asked(Asked {
        key: effect.key,
        tool: seating.tool.clone(),
        model: None,
        effort: seating.effort,
        timeout_ms: 240_000,
        reserved: effect.reserve,
        parts: Vec::new(),
        prompt_version: 1,
        session: None,
    })
}

fn outcome(key: AskKey, act: Act, script: &BTreeMap<String, Vec<String>>) -> Event {
    let given = |text: &str| {
        Event::Given(Given {
            key,
            reply: Reply::Text(text.to_owned()),
            usage: Usage {
                input: 900,
                output: 300,
                ..Usage::default()
            },
            took_ms: 10,
            clock_ms: 10,
            at_ms: None,
            stop_reason: None,
            redacted: 0,
        })
    };
    let lost = |class, code| {
        let cause = Cause {
            code,
            detail: String::new(),
        };
        Event::Lost(Lost {
            key,
            class,
            cause,
            usage: None,
            took_ms: 10,
            clock_ms: 10,
        })
    };
    match act {
        Act::Good => given(&script[&key.turn.to_string()][0]),
        Act::Garbage => given("I would rather not say."),
        Act::Empty => lost(Class::Tool, CauseCode::Empty),
        Act::Timeout => lost(Class::Retry { after_ms: 5 }, CauseCode::Timeout),
        Act::Busy => lost(Class::Retry { after_ms: 5 }, CauseCode::RateLimited),
        Act::LoggedOut => lost(Class::User, CauseCode::LoggedOut),
        Act::Cancelled => lost(Class::Cancelled, CauseCode::Cancelled),
    }
}

/// Runs a duel to its end; `pick` says which of the open calls comes back next.
fn run(
    spec: Spec,
    mut act: impl FnMut(AskKey) -> Act,
    mut pick: impl FnMut(usize) -> usize,
) -> Vec<Event> {
    let script = script();
    let mut state = State::open(spec.clone());
    let mut events = vec![Event::Opened(Box::new(spec))];
    let mut open: Vec<Effect> = Vec::new();
    for _ in 0..400 {
        let next = match plan(&state) {
            Plan::Close => return events,
            Plan::Decide(events) => events,
            Plan::Wait(_) => vec![Event::Agreement { stop: false }],
            Plan::Perform(effects) => {
                let new: Vec<_> = effects
                    .iter()
                    .filter(|e| open.iter().all(|o| o.key != e.key))
                    .copied()
                    .collect();
                if new.is_empty() {
                    let effect = open.remove(pick(open.len()));
                    vec![outcome(effect.key, act(effect.key), &script)]
                } else {
                    open.extend(&new);
                    new.iter().map(|effect| asked(&state, effect)).collect()
                }
            }
        };
        for event in &next {
            state.apply(event).unwrap();
        }
        events.extend(next);
    }
    panic!(
        "the duel does not close: {:?}",
        state.turns.keys().collect::<Vec<_>>()
    );
}

#[test]
fn a_duel_in_which_everybody_speaks_is_judged_with_the_calls_planned() {
    let spec = spec(true, 11);
    let planned = spec.planned_calls();
    let events = run(spec, |_| Act::Good, |_| 0);
    let state = State::replay(&events).unwrap();
    assert_eq!(state.closed, Some(Outcome::Judged));
    assert_eq!(state.spent.calls, planned);
    assert_eq!(state.rounds_completed(), 2);
    assert_eq!(phase(&state).to_string(), "closed");
}

#[test]
fn a_silent_challenger_leaves_the_answer_uncontested() {
    let act = |key: AskKey| {
        if key.turn == TurnId::round(1, Seat::Challenger) {
            Act::Garbage
        } else {
            Act::Good
        }
    };
    let state = State::replay(&run(spec(true, 20), act, |_| 0)).unwrap();
    assert_eq!(state.closed, Some(Outcome::Uncontested));
    assert_eq!(state.sent_back, 1);
}

#[test]
fn a_silent_proposer_halts_the_duel_and_resuming_asks_again() {
    let act = |key: AskKey| {
        if key.turn == TurnId::round(1, Seat::Proposer) {
            Act::Busy
        } else {
            Act::Good
        }
    };
    let mut state = State::replay(&run(spec(true, 20), act, |_| 0)).unwrap();
    assert!(matches!(state.halted, Some(Halt::ProposerLost { .. })));
    assert_eq!(plan(&state), Plan::Close);
    let caps = state.caps;
    state.apply(&Event::Resumed { caps }).unwrap();
    let Plan::Perform(effects) = plan(&state) else {
        panic!("nothing is asked")
    };
    assert_eq!(effects[0].key.to_string(), "r1.pro#0");
}

#[test]
fn when_nobody_speaks_in_time_that_is_said() {
    let state = State::replay(&run(spec(true, 20), |_| Act::Timeout, |_| 0)).unwrap();
    assert_eq!(state.halted, Some(Halt::AllTimedOut));
    let state = State::replay(&run(spec(true, 20), |_| Act::Garbage, |_| 0)).unwrap();
    assert_eq!(state.halted, Some(Halt::NoTurns));
}

#[test]
fn a_lost_judge_is_replaced_by_the_next_candidate() {
    let mut seen = 0;
    let act = move |key: AskKey| {
        if key.turn.seat.judges() {
            seen += 1;
            if seen <= 2 {
                return Act::Garbage;
            }
        }
        Act::Good
    };
    let state = State::replay(&run(spec(true, 20), act, |_| 0)).unwrap();
    assert_eq!(state.closed, Some(Outcome::Judged));
    assert_eq!(state.seats[&Seat::JUDGE].tool.as_str(), "opencode");
    assert_eq!(state.lost_judges.len(), 1);
}

#[test]
fn a_lost_later_turn_goes_to_the_judge() {
    let act = |key: AskKey| {
        if key.turn == TurnId::round(2, Seat::Challenger) {
            Act::Timeout
        } else {
            Act::Good
        }
    };
    let state = State::replay(&run(spec(true, 20), act, |_| 0)).unwrap();
    assert_eq!(state.closed, Some(Outcome::Judged));
    assert_eq!(state.lost_turns().count(), 1);
}

#[test]
fn the_judge_keeps_its_call_when_the_others_use_theirs_up() {
    let state = State::replay(&run(spec(true, 5), |_| Act::Good, |_| 0)).unwrap();
    assert_eq!(state.capped, Some(agon_debate::event::Cap::Calls));
    assert_eq!(state.closed, Some(Outcome::Judged));
    assert_eq!(state.spent.calls, 5);
    let state = State::replay(&run(spec(true, 2), |_| Act::Good, |_| 0)).unwrap();
    assert!(matches!(state.halted, Some(Halt::Capped { .. })));
}

#[test]
fn an_error_that_a_second_reply_does_not_mend_is_admitted_with_its_finding() {
    let mut state = State::open(spec(false, 20));
    let script = script();
    let reply =
        script["r1.pro"][0].replacen("\"stance\": \"", "\"stance\": \"Maybe, it depends: ", 1);
    assert_ne!(reply, script["r1.pro"][0]);
    for _ in 0..2 {
        let Plan::Perform(effects) = plan(&state) else {
            panic!("nothing is asked")
        };
        let asking = asked(&state, &effects[0]);
        state.apply(&asking).unwrap();
        let mut given = outcome(effects[0].key, Act::Good, &script);
        if let Event::Given(given) = &mut given {
            given.reply = Reply::Text(reply.clone());
        }
        state.apply(&given).unwrap();
        let Plan::Decide(events) = plan(&state) else {
            panic!("nothing is decided")
        };
        events.iter().for_each(|event| state.apply(event).unwrap());
    }
    let admitted = state.admitted(TurnId::round(1, Seat::Proposer)).unwrap();
    assert_eq!(admitted.key.again, 1);
    assert!(!admitted.findings.is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn every_duel_closes_within_its_bounds_and_replays_to_the_same_plan(
        acts in proptest::collection::vec(acts(), 80),
        blind: bool,
        calls in 1_u32..20,
        picks in proptest::collection::vec(any::<prop::sample::Index>(), 80),
    ) {
        let (mut n, mut p) = (0, 0);
        let mut seen = State::open(spec(blind, calls));
        let events = run(
            spec(blind, calls),
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

    #[test]
    fn outcomes_of_the_two_sides_give_the_same_state_in_any_order(
        first in acts(), second in acts(),
    ) {
        let script = script();
        let mut state = State::open(spec(true, 20));
        let Plan::Perform(effects) = plan(&state) else { panic!("nothing is asked") };
        for effect in &effects {
            let event = asked(&state, effect);
            state.apply(&event).unwrap();
        }
        let outcomes = [
            outcome(effects[0].key, first, &script),
            outcome(effects[1].key, second, &script),
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
        acts in proptest::collection::vec(acts(), 40), blind: bool,
    ) {
        let mut n = 0;
        for event in run(spec(blind, 20), |_| { n += 1; acts[n % acts.len()] }, |_| 0) {
            let line = serde_json::to_string(&event).unwrap();
            prop_assert_eq!(serde_json::from_str::<Event>(&line).unwrap(), event);
        }
    }
}
