//! What holds for every formal debate, whatever the tools do.

#![expect(clippy::unwrap_used, reason = "tests")]

mod formal_debate;

use std::collections::BTreeMap;

use agon_debate::event::{Cap, Event, Halt, ScoreEntry};
use agon_debate::format::{exchange, through};
use agon_debate::id::{AskKey, NodeId, Seat, TurnId};
use agon_debate::moves::{Formal, Moves};
use agon_debate::plan::{Phase, Plan, phase, plan};
use agon_debate::score::Score;
use agon_debate::state::State;
use agon_debate::tally;
use formal_debate::{Act, asked, caps, given, go_on, key, open, outcome, play, spec, theses, turn};
use proptest::prelude::*;

fn good(_: AskKey, _: usize) -> Act {
    Act::Good
}

fn first(_: usize) -> usize {
    0
}

fn ids(state: &State) -> Vec<String> {
    state
        .nodes()
        .iter()
        .map(|node| node.id.to_string())
        .collect()
}

fn current(state: &State, id: &str) -> ScoreEntry {
    state.scores[&id.parse::<NodeId>().unwrap()]
        .last()
        .unwrap()
        .clone()
}

/// The keys that are to be asked now.
fn wanted(state: &State) -> Vec<String> {
    match plan(state) {
        Plan::Perform(effects) => effects
            .iter()
            .map(|effect| effect.key.to_string())
            .collect(),
        other @ (Plan::Decide(_) | Plan::Wait(_) | Plan::Close) => panic!("{other:?}"),
    }
}

/// Every batch that admits a side admits both, in the order of the seats, and every batch that
/// admits a judge admits the whole panel.
fn admits_together(batches: &[Vec<Event>], judges: u8) {
    for batch in batches {
        let turns: Vec<TurnId> = batch
            .iter()
            .filter_map(|event| {
                let Event::Admitted { key, .. } = event else {
                    return None;
                };
                Some(key.turn)
            })
            .collect();
        let Some(first) = turns.first() else { continue };
        assert_eq!(turns.len(), batch.len());
        let together: Vec<TurnId> = match (first.stage, first.seat) {
            (agon_debate::id::Stage::Round(exchange), Seat::Judge(_)) => (1..=judges)
                .map(|nth| TurnId::round(exchange, Seat::Judge(nth)))
                .collect(),
            (agon_debate::id::Stage::Round(exchange), _) => [Seat::Proposition, Seat::Opposition]
                .map(|seat| TurnId::round(exchange, seat))
                .to_vec(),
            _ => vec![TurnId::theses(Seat::JUDGE)],
        };
        assert_eq!(turns, together);
    }
}

#[test]
fn a_debate_of_an_opening_and_two_rebuttals_is_played_to_its_rest() {
    let mut state = open(1, 2);
    let batches = play(&mut state, good, first);
    admits_together(&batches, 1);
    assert_eq!(state.spent.calls, 1 + 3 * 3);
    assert_eq!((state.halted.clone(), state.closed), (None, None));
    assert_eq!(
        (state.judged, exchange(&state), state.rounds_completed()),
        (Some(2), 3, 3)
    );
    assert_eq!(phase(&state), Phase::AwaitingArguments);
    assert_eq!(
        ids(&state),
        [
            "prop_000a",
            "prop_000b",
            "prop_000c",
            "opp_000a",
            "opp_000b",
            "opp_000c",
            "prop_001",
            "opp_001",
            "prop_002",
            "opp_002",
        ]
    );
    let totals = tally::totals(&state);
    assert_eq!(totals[&Seat::Proposition].total, Score::new(500));
    assert_eq!(totals[&Seat::Opposition].total, Score::new(-500));
    assert_eq!(totals[&Seat::Opposition].count, 5);
    assert_eq!(tally::leader(&state), Some(Seat::Proposition));
    assert_eq!(tally::pending(&state), []);
}

#[test]
fn the_phase_follows_the_exchange() {
    let mut state = open(1, 0);
    let mut phases = vec![phase(&state)];
    for batch in play(&mut state.clone(), good, first) {
        batch.iter().for_each(|event| state.apply(event).unwrap());
        if phases.last() != Some(&phase(&state)) {
            phases.push(phase(&state));
        }
    }
    use Phase::{AwaitingArguments, AwaitingJudgment};
    assert_eq!(
        phases,
        [AwaitingArguments, AwaitingJudgment, AwaitingArguments]
    );
}

#[test]
fn theses_are_asked_for_once_and_never_where_the_user_gave_them() {
    let mut state = open(1, 1);
    assert_eq!(wanted(&state), ["theses.judge#0"]);
    let batches = play(&mut state, good, first);
    go_on(&mut state, 1);
    let more = play(&mut state, good, first);
    let asked = batches.iter().chain(&more).flatten();
    let asked = asked
        .filter(|event| matches!(event, Event::Asked(asked) if asked.key == key("theses.judge#0")));
    assert_eq!(asked.count(), 1);
    assert_eq!(state.theses(), Some(&theses()));
    let mut spec = spec(1);
    spec.theses = Some(theses());
    let mut state = State::open(spec);
    go_on(&mut state, 0);
    assert_eq!(wanted(&state), ["r0.prop#0", "r0.opp#0"]);
}

#[test]
fn nothing_is_asked_before_the_debate_is_told_to_run() {
    assert_eq!(plan(&State::open(spec(1))), Plan::Close);
}

#[test]
fn due_exchanges_and_judgments_are_finished_first_and_not_counted() {
    let mut state = State::open(spec(1));
    assert_eq!(
        (exchange(&state), through(&state, 0), through(&state, 3)),
        (0, 0, 3)
    );
    go_on(&mut state, 0);
    play(&mut state, good, first);
    assert_eq!(
        (exchange(&state), through(&state, 1), through(&state, 3)),
        (1, 1, 3)
    );
    assert_eq!(through(&state, 0), 0);
    go_on(&mut state, 0);
    assert_eq!(plan(&state), Plan::Close);
    go_on(&mut state, 1);
    let no_judge = |key: AskKey, _: usize| match key.turn.seat.judges() {
        true => Act::Garbage,
        false => Act::Good,
    };
    play(&mut state, no_judge, first);
    assert_eq!(phase(&state), Phase::AwaitingJudgment);
    assert_eq!(
        (exchange(&state), through(&state, 0), through(&state, 2)),
        (1, 1, 3)
    );
    assert_eq!(through(&state, u16::MAX), u16::MAX);
}

#[test]
fn a_debate_at_rest_is_continued_with_other_seats() {
    let mut state = open(3, 0);
    play(&mut state, good, first);
    assert_eq!(plan(&state), Plan::Close);
    let seats = BTreeMap::from([
        (Seat::Opposition, formal_debate::seating("opencode")),
        (Seat::JUDGE, formal_debate::seating("copilot")),
    ]);
    let event = Event::Continued {
        through: through(&state, 1),
        seats,
        caps: caps(50),
    };
    state.apply(&event).unwrap();
    assert_eq!(wanted(&state), ["r1.prop#0", "r1.opp#0"]);
    let tools: Vec<_> = state
        .seats
        .iter()
        .map(|(seat, s)| format!("{seat} {}", s.tool))
        .collect();
    assert_eq!(
        tools,
        ["proposition claude", "opposition opencode", "judge copilot"]
    );
    play(&mut state, good, first);
    assert_eq!((state.judged, state.caps), (Some(1), caps(50)));
    let all = state
        .turns
        .keys()
        .filter(|turn| turn.to_string().starts_with("r1.judge"));
    assert_eq!(all.count(), 1);
}

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
        (state.judged, phase(&state)),
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
    state.apply(&Event::Resumed { caps }).unwrap();
    assert_eq!(wanted(&state), ["r1.opp#0"]);
    let batches = play(&mut state, good, first);
    admits_together(&batches, 1);
    assert_eq!(state.spent.calls, calls + 2);
    assert_eq!(state.turns[&turn("r1.prop")].asks, kept.asks);
    assert_eq!((state.judged, &state.halted), (Some(1), &None));
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
    spec.theses = Some(theses());
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
        matches!(&events[..], [Event::Halted { reason: Halt::User { turn, .. } }] if *turn == formal_debate::turn("r0.prop"))
    );
    events.iter().for_each(|event| state.apply(event).unwrap());
    let caps = state.caps;
    state.apply(&Event::Resumed { caps }).unwrap();
    assert_eq!(wanted(&state), ["r0.prop#0"]);
}

#[test]
fn a_user_who_logs_both_sides_in_resumes_once() {
    let mut state = open(1, 0);
    let act = |key: AskKey, _: usize| match key.turn.seat.judges() {
        true => Act::Good,
        false => Act::LoggedOut,
    };
    play(&mut state, act, first);
    assert!(matches!(state.halted, Some(Halt::User { .. })));
    let caps = state.caps;
    state.apply(&Event::Resumed { caps }).unwrap();
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
    assert_eq!(state.judged, Some(0));
    state.apply(&Event::Resumed { caps: caps(9) }).unwrap();
    play(&mut state, good, first);
    assert_eq!((state.judged, &state.halted), (Some(1), &None));
}

#[test]
fn no_more_replies_are_sent_back_than_the_bound_allows() {
    let mut spec = spec(1);
    spec.caps.reasks = 1;
    spec.theses = Some(theses());
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
    assert_eq!((state.sent_back, state.judged), (1, Some(0)));
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
    assert_eq!(state.judged, Some(1));
}

#[test]
fn a_panel_of_three_gives_the_median_with_its_spread() {
    let mut state = open(3, 1);
    let batches = play(&mut state, good, first);
    admits_together(&batches, 3);
    assert_eq!(state.spent.calls, 1 + 2 * 5);
    for (id, score, spread) in [
        ("prop_000b", 200, [100, 500]),
        ("opp_001", -200, [-500, -100]),
    ] {
        let expected = ScoreEntry {
            score: Score::new(score),
            reasoning: format!("{} tenths.", score / 100),
            at_ms: Some(1_700_000_000_000),
            triggered_by: None,
            spread: Some(spread.map(Score::new)),
        };
        assert_eq!(current(&state, id), expected);
    }
    assert_eq!(
        tally::totals(&state)[&Seat::Proposition].total,
        Score::new(800)
    );
}

#[test]
fn a_rescore_counts_where_the_majority_of_the_panel_made_it() {
    let mut state = open(3, 0);
    play(&mut state, good, first);
    go_on(&mut state, 1);
    while phase(&state) == Phase::AwaitingArguments {
        match plan(&state) {
            Plan::Decide(events) => events.iter().for_each(|event| state.apply(event).unwrap()),
            Plan::Perform(effects) => {
                for effect in effects {
                    let event = asked(&state, &effect);
                    state.apply(&event).unwrap();
                    state.apply(&outcome(effect.key, Act::Good)).unwrap();
                }
            }
            other @ (Plan::Wait(_) | Plan::Close) => panic!("{other:?}"),
        }
    }
    let rescore = |id: &str, new: f64| {
        serde_json::json!({ "argument_id": id, "old_score": if id.starts_with('p') { 0.2 } else { -0.2 },
                            "new_score": new, "reasoning": format!("{id} to {new}.") })
    };
    let scores = |own: f64| {
        serde_json::json!([
            { "argument_id": "opp_001", "score": -own, "reasoning": "Less." },
            { "argument_id": "prop_001", "score": own, "reasoning": "More." },
        ])
    };
    for (judge, own, rescores) in [
        (
            "r1.judge#0",
            0.4,
            vec![rescore("prop_000a", 0.1), rescore("opp_000b", 0.0)],
        ),
        ("r1.judge-2#0", 0.1, vec![rescore("prop_000a", -0.1)]),
        ("r1.judge-3#0", 0.4, vec![]),
    ] {
        let moves = serde_json::json!({ "scores": scores(own), "rescores": rescores });
        state.apply(&given(key(judge), moves.to_string())).unwrap();
    }
    play(&mut state, |key, _| panic!("{key} is asked"), first);
    assert_eq!(state.judged, Some(1));
    let entry = |score: i32, reasoning: &str, by: Option<&str>, spread: [i32; 2]| ScoreEntry {
        score: Score::new(score),
        reasoning: reasoning.to_owned(),
        at_ms: Some(1_700_000_000_000),
        triggered_by: by.map(|id| id.parse().unwrap()),
        spread: Some(spread.map(Score::new)),
    };
    assert_eq!(
        current(&state, "prop_001"),
        entry(400, "More.", None, [100, 400])
    );
    assert_eq!(
        current(&state, "prop_000a"),
        entry(0, "prop_000a to 0.1.", Some("opp_001"), [-100, 100])
    );
    assert_eq!(state.scores[&"opp_000b".parse().unwrap()].len(), 1);
}

#[test]
fn a_lost_judge_of_a_panel_is_asked_again_alone() {
    let mut state = open(3, 0);
    let act = |key: AskKey, _: usize| match key.turn.seat == Seat::Judge(2) {
        true => Act::Garbage,
        false => Act::Good,
    };
    play(&mut state, act, first);
    assert!(
        matches!(&state.halted, Some(Halt::TurnLost { turn, .. }) if *turn == formal_debate::turn("r0.judge-2"))
    );
    assert!(state.scores.is_empty());
    let caps = state.caps;
    state.apply(&Event::Resumed { caps }).unwrap();
    assert_eq!(wanted(&state), ["r0.judge-2#0"]);
    play(&mut state, good, first);
    assert_eq!((state.judged, state.scores.len()), (Some(0), 6));
}

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
        prop_assert_eq!(&one.scores, &other.scores);
        prop_assert_eq!((phase(&one), one.judged), (phase(&other), other.judged));
        if one.halted.is_none() {
            prop_assert_eq!(one.judged, Some(2));
            prop_assert!(one == other, "the order shows");
        }
        let sum: Score = tally::totals(&one).values().map(|total| total.total).sum();
        prop_assert!(sum.is_zero());
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
            state.apply(&Event::Resumed { caps }).unwrap();
        }
        play(&mut state, good, first);
        prop_assert_eq!((state.judged, &state.halted), (Some(2), &None));
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
        let start = Event::Continued { through: 1, seats: state.seats.clone(), caps: state.caps };
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
                let judged = seen.judged >= Some(exchange);
                prop_assert!(!judged || spoke[0]);
            }
        }
        for (_, admitted) in state.spoken() {
            if let Moves::Formal(Formal::Case(case)) = &admitted.moves {
                prop_assert_eq!(case.arguments.len(), 3);
            }
        }
    }
}
