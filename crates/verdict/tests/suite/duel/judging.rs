//! Panels of judges, and the first judge asked again with the sides swapped.

use std::collections::BTreeMap;

use agon_record::authority::Authority;
use agon_record::event::{Cap, CauseCode};
use agon_record::moves::Ruling;
use agon_record::spec::{Effort, Spec, ToolName};
use agon_verdict::verdict::{Panel, Stability, Trial, Verdict, cautions, verdict};

use super::*;
use crate::duel::host::seating;

const JUDGE: TurnId = TurnId::verdict(Seat::JUDGE);

fn judge(number: u8) -> TurnId {
    TurnId::verdict(Seat::Judge(number))
}

/// A debate that waits for its judges.
pub(crate) fn before_the_judges(spec: Spec) -> State {
    let events = run(spec, |_| Act::Good, |_| 0);
    let judged =
        |event: &&Event| matches!(event, Event::Asked(asked) if asked.key.turn.seat.is_judge());
    let first = events.iter().position(|event| judged(&event)).unwrap();
    State::replay(&events[..first]).unwrap()
}

/// How a duel ends in which each of these turns is spoken so, and every other well.
fn ends(spec: Spec, acts: &[(TurnId, Act)]) -> State {
    let acts: BTreeMap<_, _> = acts.iter().copied().collect();
    let act = |key: AskKey| acts.get(&key.turn).copied().unwrap_or(Act::Good);
    State::replay(&run(spec, act, |_| 0)).unwrap()
}

fn ruled(spec: Spec, acts: &[(TurnId, Act)]) -> Verdict {
    let state = ends(spec, acts);
    assert_eq!(state.closed, Some(Outcome::Judged), "{:?}", state.halted);
    verdict(&state).unwrap()
}

fn asks(state: &State) -> Vec<String> {
    let Plan::Perform(effects) = plan(state) else {
        panic!("nothing is asked: {:?}", plan(state))
    };
    effects
        .iter()
        .map(|effect| effect.key.to_string())
        .collect()
}

fn stability(swap: Trial, reason: Option<&str>) -> Stability {
    Stability {
        swap,
        swap_reason: reason.map(str::to_owned),
        panel: None,
    }
}

#[test]
fn every_judge_and_the_swap_are_asked_at_once() {
    let state = before_the_judges(spec(true, 12));
    assert_eq!(state.spec.planned_calls(), 8);
    assert_eq!(asks(&state), ["verdict.judge#0", "verdict.swap#0"]);

    let mut deep = panel(3, spec(true, 16));
    deep.kind.as_duel_mut().unwrap().rounds = 3;
    assert_eq!(deep.planned_calls(), 12);
    let state = before_the_judges(panel(3, spec(true, 16)));
    assert_eq!(
        asks(&state),
        [
            "verdict.judge#0",
            "verdict.judge-2#0",
            "verdict.judge-3#0",
            "verdict.swap#0"
        ]
    );
}

#[test]
fn the_swap_is_asked_of_the_judges_tool_and_model() {
    let mut spec = spec(true, 12);
    let judge = spec.seats.get_mut(&Seat::JUDGE).unwrap();
    (judge.model, judge.effort) = (Some("pro-9".to_owned()), Effort::High);
    let state = before_the_judges(spec);
    let Plan::Perform(effects) = plan(&state) else {
        panic!("nothing is asked")
    };
    let seats: Vec<_> = effects
        .iter()
        .map(|effect| &state.seats[&effect.key.turn.seat])
        .collect();
    assert_eq!(seats[0], seats[1]);
    assert_eq!(seats[1].model.as_deref(), Some("pro-9"));
}

#[test]
fn a_judge_that_stays_is_stable_and_one_that_changes_sides_is_not() {
    let steady = ruled(spec(true, 12), &[]);
    assert_eq!(steady.stability, stability(Trial::Same, None));
    assert_eq!(steady.usage.calls, 8);

    let flipped = ruled(spec(true, 12), &[(TurnId::SWAP, Act::Turned)]);
    assert_eq!(flipped.stability, stability(Trial::Flipped, None));
    assert_eq!(flipped.winner, Some(Seat::Proposer));
    assert_eq!(flipped.authority, Authority::Unstable);
    let swap = flipped.readings.swap.unwrap();
    assert_eq!((swap.winner, swap.seat), (Seat::Challenger, Seat::JUDGE));
    assert_eq!(swap.tool.unwrap().as_str(), "gemini");

    let both = [(JUDGE, Act::Turned), (TurnId::SWAP, Act::Turned)];
    let turned = ruled(spec(true, 12), &both);
    assert_eq!(turned.stability, stability(Trial::Same, None));
    assert_eq!(turned.winner, Some(Seat::Challenger));
}

#[test]
fn a_ruling_with_the_sides_swapped_is_kept_in_the_debates_own_names() {
    let state = ends(spec(true, 12), &[]);
    let ruling = |turn| -> &Ruling { state.admitted(turn).unwrap().moves.ruling().unwrap() };
    assert_eq!(ruling(TurnId::SWAP), ruling(JUDGE));
    assert!(state.admitted(TurnId::SWAP).unwrap().findings.is_empty());
}

#[test]
fn a_lost_swap_costs_nothing_but_the_trial() {
    for (act, reason) in [
        (Act::Timeout, "timeout"),
        (Act::Garbage, "no_moves"),
        (Act::Empty, "empty"),
        (Act::Busy, "rate_limited"),
        (Act::LoggedOut, "logged_out"),
    ] {
        let verdict = ruled(spec(true, 20), &[(TurnId::SWAP, act)]);
        assert_eq!(verdict.stability, stability(Trial::NotRun, Some(reason)));
        assert_eq!(verdict.authority, Authority::Full, "{reason}");
        assert_eq!((verdict.missing, verdict.readings.swap), (Vec::new(), None));
        assert_eq!(verdict.findings.fatal, 0, "{reason}");
    }
}

#[test]
fn a_debate_without_a_swap_says_so() {
    let mut off = spec(true, 12);
    off.kind.as_duel_mut().unwrap().swap = false;
    assert_eq!(off.planned_calls(), 7);
    let verdict = ruled(off, &[]);
    assert_eq!(verdict.stability, stability(Trial::NotRun, Some("off")));
    assert_eq!(verdict.usage.calls, 7);
}

#[test]
fn a_debate_from_before_there_was_a_swap_opens_without_one() {
    let mut old = serde_json::to_value(spec(true, 12)).unwrap();
    old.as_object_mut().unwrap().remove("swap");
    let old: Spec = serde_json::from_value(old).unwrap();
    assert!(!old.has_swap());
    assert_eq!(asks(&before_the_judges(old)), ["verdict.judge#0"]);
}

#[test]
fn the_swap_is_never_asked_at_the_judges_expense() {
    // One call is left: it is the judge's.
    let one = ruled(spec(true, 7), &[]);
    assert_eq!(one.stability, stability(Trial::NotRun, Some("cap:calls")));
    assert_eq!((one.authority, one.usage.calls), (Authority::Full, 7));

    // Two are left: the judge may need both, so the swap waits.
    let mut state = before_the_judges(spec(true, 8));
    assert_eq!(asks(&state), ["verdict.judge#0"]);
    let Plan::Perform(effects) = plan(&state) else {
        panic!("nothing is asked")
    };
    let asking = asked(&state, &effects[0]);
    state.apply(&asking).unwrap();
    state.apply(&outcome(effects[0].key, Act::Good)).unwrap();
    let Plan::Decide(events) = plan(&state) else {
        panic!("nothing is decided")
    };
    events.iter().for_each(|event| state.apply(event).unwrap());
    assert_eq!(asks(&state), ["verdict.swap#0"]);
    assert_eq!(ruled(spec(true, 8), &[]).stability.swap, Trial::Same);
    // Another tool takes the last call, not the one that has just failed.
    let act = |_: AskKey, tool: &ToolName, _: usize| match tool.as_str() {
        "gemini" => Act::Garbage,
        _ => Act::Good,
    };
    let state = State::replay(&run_tools(spec(true, 8), act, |_| 0)).unwrap();
    let verdict = verdict(&state).unwrap();
    assert_eq!(
        verdict.readings.judge.unwrap().tool.unwrap().as_str(),
        "opencode"
    );
    let untried = stability(Trial::NotRun, Some("cap:calls"));
    assert_eq!((verdict.stability, verdict.usage.calls), (untried, 8));
}

/// The verdict when the first reply to `turn` is unusable.
fn ruled_after_garbage(turn: TurnId, spec: Spec) -> Verdict {
    let act = |key: AskKey| match key.turn == turn && key.again == 0 {
        true => Act::Garbage,
        false => Act::Good,
    };
    verdict(&State::replay(&run(spec, act, |_| 0)).unwrap()).unwrap()
}

#[test]
fn a_bound_that_the_debaters_meet_leaves_the_judge_alone() {
    let mut spec = spec(true, 40);
    spec.caps.cost_micros = Some(0);
    let state = ends(spec.clone(), &[]);
    assert_eq!(state.halted, Some(Halt::Capped { cap: Cap::Cost }));
    // Met when everybody has spoken.
    spec.caps.cost_micros = None;
    let mut state = before_the_judges(spec);
    state.apply(&Event::Capped { cap: Cap::Time }).unwrap();
    assert_eq!(asks(&state), ["verdict.judge#0"]);
}

#[test]
fn a_swap_that_is_sent_back_is_read_the_second_time() {
    let verdict = ruled_after_garbage(TurnId::SWAP, spec(true, 12));
    assert_eq!(verdict.stability, stability(Trial::Same, None));
    assert_eq!(verdict.usage.calls, 9);
}

/// Gemini is lost as the judge, by a garbage reply; what it says to the swap comes first or last.
fn replaced(swap_first: bool) -> (State, Vec<Event>) {
    let act = |key: AskKey, tool: &ToolName, _: usize| match tool.as_str() {
        "gemini" if key.turn == JUDGE => Act::Garbage,
        "gemini" => Act::Turned,
        _ => Act::Good,
    };
    // Two calls are open in the blind round, then the judge and the swap, then the swap and what
    // the judge is asked again.
    let mut pairs = 0;
    let pick = |len: usize| {
        pairs += usize::from(len == 2);
        match swap_first {
            true => len - 1,
            false => usize::from(len == 2 && pairs == 3),
        }
    };
    let events = run_tools(spec(true, 30), act, pick);
    (State::replay(&events).unwrap(), events)
}

#[test]
fn a_substitute_is_asked_both_times_and_the_lost_judges_swap_is_dropped() {
    for swap_first in [false, true] {
        let (state, events) = replaced(swap_first);
        assert_eq!(state.closed, Some(Outcome::Judged));
        assert_eq!(state.seats[&Seat::JUDGE].tool.as_str(), "opencode");
        let tools = |turn: TurnId| -> Vec<_> {
            let asked = events.iter().filter_map(|event| {
                let Event::Asked(asked) = event else {
                    return None;
                };
                (asked.key.turn == turn).then(|| asked.tool.to_string())
            });
            asked.collect()
        };
        assert_eq!(tools(TurnId::SWAP), ["gemini", "opencode"], "{swap_first}");
        let key = AskKey {
            turn: TurnId::SWAP,
            again: 0,
        };
        let dropped = events.iter().position(|e| *e == Event::Discarded { key });
        let reseated = |event: &Event| matches!(event, Event::Reseated { .. });
        let lost = |event: &Event| matches!(event, Event::TurnLost { .. });
        let came = |event: &Event| matches!(event, Event::Given(given) if given.key == key);
        let [lost, came] = [events.iter().position(lost), events.iter().position(came)];
        assert_eq!(came < lost, swap_first, "{came:?} {lost:?}");
        assert_eq!(dropped.map(|at| at + 1), events.iter().position(reseated));
        // Gemini had ruled for the challenger there.
        assert_eq!(
            verdict(&state).unwrap().stability,
            stability(Trial::Same, None)
        );
    }
}

#[test]
fn a_judge_that_waits_for_its_user_is_asked_again_both_times() {
    for order in [[JUDGE, TurnId::SWAP], [TurnId::SWAP, JUDGE]] {
        let mut state = before_the_judges(spec(true, 20));
        let Plan::Perform(effects) = plan(&state) else {
            panic!("nothing is asked")
        };
        for effect in &effects {
            let asking = asked(&state, effect);
            state.apply(&asking).unwrap();
        }
        for turn in order {
            let key = AskKey { turn, again: 0 };
            state.apply(&outcome(key, Act::LoggedOut)).unwrap();
            while let Plan::Decide(events) = plan(&state) {
                events.iter().for_each(|event| state.apply(event).unwrap());
            }
        }
        let Some(Halt::User { turn, .. }) = &state.halted else {
            panic!("{:?}", state.halted)
        };
        assert_eq!(*turn, JUDGE);
        let caps = state.caps;
        state.apply(&Event::resumed(caps)).unwrap();
        assert_eq!(asks(&state), ["verdict.judge#0", "verdict.swap#0"]);
    }
}

#[test]
fn a_debaters_own_tool_in_place_of_the_judge_makes_the_verdict_unstable() {
    let act = |_: AskKey, tool: &ToolName, _: usize| match tool.as_str() {
        "gemini" => Act::Busy,
        _ => Act::Good,
    };
    let judged_by = |substitute: &str, vendor: &str| {
        let mut spec = spec(true, 12);
        spec.kind.as_duel_mut().unwrap().substitutes = vec![seating(substitute, vendor)];
        let state = State::replay(&run_tools(spec, act, |_| 0)).unwrap();
        let cautions = cautions(&state);
        (verdict(&state).unwrap(), cautions)
    };
    let lost = "gemini was the planned judge but did not rule (rate_limited)";
    let (neutral, said) = judged_by("opencode", "");
    assert_eq!(neutral.authority, Authority::Full);
    assert_eq!(said, [lost]);

    let (own, said) = judged_by("codex", "openai");
    assert_eq!(own.authority, Authority::Unstable);
    assert_eq!(own.stability, stability(Trial::Same, None));
    let near = "the judge is the challenger's tool, codex, in a fresh session";
    let unstable = "unstable: the challenger's own tool judged instead of the planned judge";
    assert_eq!(said, [lost, near, unstable]);
    assert!(own.rigor.ends_with(unstable), "{}", own.rigor);
    let reason = "unstable: judged by the challenger's tool in place of gemini";
    assert!(own.headline.contains(reason), "{}", own.headline);
    let judged = own.headline.matches("judged by").count();
    assert_eq!(judged, 1, "{}", own.headline);

    // Where it was to judge from the start, nothing is lost.
    let mut planned = spec(true, 12);
    planned
        .seats
        .insert(Seat::JUDGE, seating("codex", "openai"));
    assert_eq!(ruled(planned, &[]).authority, Authority::Full);

    // A turn that is missing weighs more.
    let silent = [
        (TurnId::round(2, Seat::Challenger), Act::Timeout),
        (TurnId::SWAP, Act::Turned),
    ];
    let partial = ruled(spec(true, 20), &silent);
    assert_eq!(partial.authority, Authority::Partial);
}

#[test]
fn a_judge_of_a_panel_that_waits_for_its_user_is_missed_once_another_ruled() {
    let (state, verdict) = three([Act::Good, Act::LoggedOut, Act::Good]);
    assert_eq!(verdict.stability.panel, counted(2, 2, Trial::Same));
    let lost = "judge-2, copilot, was a planned judge but did not rule (logged_out)";
    assert_eq!(cautions(&state), [lost]);
}

fn three(acts: [Act; 3]) -> (State, Verdict) {
    let acts: Vec<_> = (1..).map(judge).zip(acts).collect();
    let state = ends(panel(3, spec(true, 40)), &acts);
    assert_eq!(state.closed, Some(Outcome::Judged), "{:?}", state.halted);
    let verdict = verdict(&state).unwrap();
    (state, verdict)
}

fn counted(judges: u8, in_favour: u8, leave_one_out: Trial) -> Option<Panel> {
    Some(Panel {
        judges,
        in_favour,
        leave_one_out,
        tie: false,
    })
}

#[test]
fn the_majority_wins_and_its_first_judge_supplies_the_text() {
    use Act::{Good, Turned};
    for (acts, winner, seat, in_favour) in [
        ([Good, Good, Good], Seat::Proposer, 1, 3),
        ([Good, Turned, Good], Seat::Proposer, 1, 2),
        ([Turned, Good, Good], Seat::Proposer, 2, 2),
        ([Good, Turned, Turned], Seat::Challenger, 2, 2),
        ([Turned, Turned, Turned], Seat::Challenger, 1, 3),
    ] {
        let (_, verdict) = three(acts);
        assert_eq!(verdict.winner, Some(winner), "{acts:?}");
        // With the sides swapped, the first judge is for the proposer.
        let authority = match acts[0] == Good {
            true => Authority::Full,
            false => Authority::Unstable,
        };
        assert_eq!(verdict.authority, authority, "{acts:?}");
        assert_eq!(
            verdict.readings.judge.unwrap().seat,
            Seat::Judge(seat),
            "{acts:?}"
        );
        // Of two in three, one taken away leaves a tie.
        let without = if in_favour == 3 {
            Trial::Same
        } else {
            Trial::Flipped
        };
        assert_eq!(
            verdict.stability.panel,
            counted(3, in_favour, without),
            "{acts:?}"
        );
        let told: Vec<_> = verdict
            .readings
            .panel
            .iter()
            .map(|one| one.winner)
            .collect();
        let side = |act| {
            if act == Turned {
                Seat::Challenger
            } else {
                Seat::Proposer
            }
        };
        assert_eq!(told, acts.map(side), "{acts:?}");
    }
}

#[test]
fn the_swap_of_a_panel_is_held_against_the_first_judge() {
    let (_, verdict) = three([Act::Turned, Act::Good, Act::Good]);
    assert_eq!(verdict.winner, Some(Seat::Proposer));
    assert_eq!(verdict.stability.swap, Trial::Flipped);
    assert_eq!(verdict.readings.swap.unwrap().winner, Seat::Proposer);
}

#[test]
fn a_lost_judge_of_a_panel_is_missed_and_said() {
    let (state, verdict) = three([Act::Good, Act::Garbage, Act::Good]);
    assert_eq!(verdict.stability.panel, counted(2, 2, Trial::Same));
    assert_eq!(verdict.authority, Authority::Full);
    let lost = "judge-2, copilot, was a planned judge but did not rule (no_moves)";
    assert_eq!(cautions(&state), [lost]);
    let in_words =
        "judge-2, copilot, was a planned judge but did not rule (its reply could not be read)";
    assert_eq!(agon_verdict::verdict::cautions_in_words(&state), [in_words]);
    assert!(verdict.rigor.ends_with(lost), "{}", verdict.rigor);
    assert_eq!(state.lost_judges(), []);

    let (_, verdict) = three([Act::Timeout, Act::Garbage, Act::Good]);
    assert_eq!(verdict.stability.panel, counted(1, 1, Trial::NotRun));
    assert_eq!(verdict.readings.judge.unwrap().seat, Seat::Judge(3));
    let reason = verdict.stability.swap_reason.as_deref();
    assert_eq!(
        (verdict.stability.swap, reason),
        (Trial::NotRun, Some("judge_lost"))
    );
}

#[test]
fn equal_judges_leave_the_first_ones_ruling() {
    let (state, verdict) = three([Act::Empty, Act::Turned, Act::Good]);
    assert_eq!(verdict.winner, Some(Seat::Challenger));
    let tie = Panel {
        judges: 2,
        in_favour: 1,
        leave_one_out: Trial::Flipped,
        tie: true,
    };
    assert_eq!(verdict.stability.panel, Some(tie));
    let said = "the judges are tied, 1 to 1: the ruling of the first, judge-2, counts";
    assert_eq!(cautions(&state).last().unwrap(), said);
}

#[test]
fn a_panel_that_is_lost_whole_is_replaced_by_a_substitute_in_the_first_seat() {
    let act = |key: AskKey, tool: &ToolName, _: usize| match tool.as_str() {
        "opencode" => Act::Good,
        _ if key.turn.seat.is_judge() => Act::Garbage,
        _ => Act::Good,
    };
    let mut spec = panel(3, spec(true, 40));
    spec.caps.reasks = 20;
    let events = run_tools(spec.clone(), act, |_| 0);
    let state = State::replay(&events).unwrap();
    let verdict = verdict(&state).unwrap();
    assert_eq!(state.seats[&Seat::JUDGE].tool.as_str(), "opencode");
    assert_eq!(verdict.stability.panel, counted(1, 1, Trial::NotRun));
    assert_eq!(verdict.stability.swap, Trial::Same);

    spec.kind.as_duel_mut().unwrap().substitutes.clear();
    let mut state = State::replay(&run_tools(spec, act, |_| 0)).unwrap();
    let Some(Halt::JudgeLost { cause }) = &state.halted else {
        panic!("{:?}", state.halted)
    };
    assert_eq!(cause.code, CauseCode::NoMoves);
    let caps = state.caps;
    state.apply(&Event::resumed(caps)).unwrap();
    assert_eq!(asks(&state).len(), 4);
}

#[test]
fn the_debaters_leave_a_call_for_every_judge() {
    let state = ends(panel(3, spec(true, 7)), &[]);
    assert_eq!((state.capped, state.spent.calls), (Some(Cap::Calls), 7));
    let verdict = verdict(&state).unwrap();
    assert_eq!(verdict.stability.panel, counted(3, 3, Trial::Same));
    assert_eq!(verdict.stability.swap_reason.as_deref(), Some("cap:calls"));
    assert_eq!(verdict.rounds_completed, 1);
}

#[test]
fn a_judge_whose_call_runs_out_of_time_is_asked_again_only_without_a_substitute() {
    let asked = |spec: Spec| {
        let act = |key: AskKey| match key.turn == JUDGE {
            true => Act::Timeout,
            false => Act::Good,
        };
        let events = run(spec, act, |_| 0);
        let calls = events.iter().filter(|event| {
            matches!(event, Event::Asked(asked) if asked.key.turn == JUDGE && asked.tool.as_str() == "gemini")
        });
        calls.count()
    };
    assert_eq!(asked(spec(true, 20)), 1);
    let mut alone = spec(true, 20);
    let Some(duel) = alone.kind.as_duel_mut() else {
        panic!("a duel")
    };
    duel.substitutes.clear();
    assert_eq!(asked(alone), 2);
}
