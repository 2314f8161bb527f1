//! What holds for every duel, whatever the tools do.

mod any_order;
mod host;
mod judging;
mod refused;
mod set_aside;
mod steered;
mod substitute;

use agon_record::event::{Event, Halt, Outcome, Reply};
use agon_record::id::{AskKey, Seat, TurnId};
use agon_record::state::State;
use agon_rules::format::debate_phase;
use agon_rules::plan::{Plan, plan};

use self::host::{
    Act, acts, asked, outcome, panel, run, run_steered, run_tools, scripted, spec, with_a_source,
};

#[test]
fn a_duel_in_which_everybody_speaks_is_judged_with_the_calls_planned() {
    let spec = spec(true, 11);
    let planned = spec.planned_calls();
    let events = run(spec, |_| Act::Good, |_| 0);
    let state = State::replay(&events).unwrap();
    assert_eq!(state.closed, Some(Outcome::Judged));
    assert_eq!(state.spent.calls, planned);
    assert_eq!(state.rounds_completed(), 2);
    assert_eq!(debate_phase(&state).to_string(), "closed");
}

#[test]
fn with_a_source_every_reply_is_looked_up_before_it_is_weighed() {
    let events = run(with_a_source(true, 20), |_| Act::Good, |_| 0);
    let state = State::replay(&events).unwrap();
    assert_eq!(state.closed, Some(Outcome::Judged));
    let place = |wanted: &dyn Fn(&Event) -> bool| events.iter().position(wanted);
    for turn in ["r1.pro", "r1.cha", "r2.pro", "r2.cha"] {
        let turn: TurnId = turn.parse().unwrap();
        let asks = [0, 1].map(|again| AskKey { turn, again });
        let stamped = asks.map(|asked| {
            place(&|event| matches!(event, Event::Stamped { key, .. } if *key == asked))
        });
        let back = place(&|event| matches!(event, Event::SentBack { key, .. } if *key == asks[0]));
        let admitted =
            place(&|event| matches!(event, Event::Admitted { key, .. } if *key == asks[1]));
        let order = [stamped[0], back, stamped[1], admitted];
        assert!(order.is_sorted() && order[0].is_some(), "{turn}: {order:?}");
        let left = &state.admitted(turn).unwrap().findings;
        assert!(
            left.iter().any(|finding| finding.code == "evidence-wrong"),
            "{left:?}"
        );
    }
    assert_eq!(state.sent_back, 4);
    let cited = agon_verdict::verdict::citation_counts(&state);
    let wrong: u32 = cited.values().map(|side| side.wrong).sum();
    let all: u32 = cited.values().map(|side| side.total()).sum();
    assert!(wrong > 0 && wrong == all, "{cited:?}");
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
    state.apply(&Event::resumed(caps)).unwrap();
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
fn without_first_answers_too_it_is_said_when_nobody_speaks() {
    let halted = |act: Act| {
        let state = State::replay(&run(spec(false, 20), |_| act, |_| 0)).unwrap();
        state.halted.unwrap()
    };
    assert_eq!(halted(Act::Timeout), Halt::AllTimedOut);
    assert_eq!(halted(Act::Empty), Halt::NoTurns);
    // What came and could not be used says more.
    assert!(matches!(halted(Act::Garbage), Halt::ProposerLost { .. }));
}

#[test]
fn a_lost_judge_is_replaced_by_the_next_candidate() {
    let mut seen = 0;
    let act = move |key: AskKey| {
        if key.turn == TurnId::verdict(Seat::JUDGE) {
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
    assert_eq!(state.lost_judges().len(), 1);
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
    assert_eq!(state.capped, Some(agon_record::event::Cap::Calls));
    assert_eq!(state.closed, Some(Outcome::Judged));
    assert_eq!(state.spent.calls, 5);
    let state = State::replay(&run(spec(true, 2), |_| Act::Good, |_| 0)).unwrap();
    assert!(matches!(state.halted, Some(Halt::Capped { .. })));
}

#[test]
fn an_error_that_a_second_reply_does_not_mend_is_admitted_with_its_finding() {
    let mut state = State::open(spec(false, 20));
    let script = scripted(TurnId::round(1, Seat::Proposer));
    let reply = script.replacen("\"stance\": \"", "\"stance\": \"Maybe, it depends: ", 1);
    assert_ne!(reply, script);
    for _ in 0..2 {
        let Plan::Perform(effects) = plan(&state) else {
            panic!("nothing is asked")
        };
        let asking = asked(&state, &effects[0]);
        state.apply(&asking).unwrap();
        let mut given = outcome(effects[0].key, Act::Good);
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
