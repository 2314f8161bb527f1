//! A debater that cannot be used: a substitute takes its seat before its side has spoken.

use std::collections::BTreeMap;

use agon_record::authority::Authority;
use agon_record::event::{Cause, CauseCode, Event, Halt, Outcome};
use agon_record::id::{AskKey, Seat};
use agon_record::spec::Standby;
use agon_record::spec::{Seating, Spec, ToolName};
use agon_record::state::State;
use agon_rules::plan::plan;
use agon_verdict::verdict::{Verdict, verdict};
use proptest::prelude::*;

use super::host::{Act, acts, run_tools, seating, spec};

/// A duel of `claude` and `codex` whose sides have these substitutes.
fn with_substitutes(blind: bool, names: &[&str]) -> Spec {
    let list: Vec<Seating> = names.iter().map(|name| seating(name, name)).collect();
    Spec {
        standby: Standby {
            substitutes: BTreeMap::from([(Seat::Proposer, list.clone()), (Seat::Challenger, list)]),
            replaced: Vec::new(),
        },
        ..spec(blind, 24)
    }
}

/// The duel in which these tools do that wherever they sit, and the others speak.
fn played(spec: Spec, bad: &[(&str, Act)]) -> (State, Vec<Event>) {
    let act = |_: AskKey, tool: &ToolName, _: usize| {
        let known = bad.iter().find(|(name, _)| *name == tool.as_str());
        known.map_or(Act::Good, |(_, act)| *act)
    };
    let events = run_tools(spec, act, |_| 0);
    (State::replay(&events).unwrap(), events)
}

fn told(state: &State) -> Verdict {
    verdict(state).unwrap()
}

#[test]
fn a_debater_that_cannot_be_used_is_replaced_and_the_debate_lacks_nothing() {
    let ways = [
        (Act::LoggedOut, "its tool is not logged in"),
        (Act::NoModel, "its tool does not have that model"),
        (Act::Timeout, "no reply in time"),
        (Act::Busy, "its account's limit is used up"),
        (Act::Empty, "its reply was empty"),
        (
            Act::Garbage,
            "2 unusable replies: its reply could not be read",
        ),
    ];
    for (tool, seat, does) in [
        ("claude", Seat::Proposer, "proposes"),
        ("codex", Seat::Challenger, "challenges"),
    ] {
        for (act, why) in ways {
            for blind in [true, false] {
                let (state, events) = played(with_substitutes(blind, &["kiro"]), &[(tool, act)]);
                assert_eq!(
                    state.closed,
                    Some(Outcome::Judged),
                    "{tool} {act:?} {blind}"
                );
                assert_eq!(state.seats[&seat].tool.as_str(), "kiro");
                let verdict = told(&state);
                assert_eq!(verdict.authority, Authority::Full, "{tool} {act:?}");
                let line = format!("kiro {does} in place of {tool} ({why})");
                assert!(verdict.headline.contains(&line), "{}", verdict.headline);
                assert!(verdict.rigor.contains(&line), "{}", verdict.rigor);
                assert_eq!(verdict.replaced.len(), 1);
                assert_eq!(verdict.replaced[0].by.as_str(), "kiro");
                // It is asked from the first turn on, and nobody after it.
                let mut asked = events.iter().filter_map(|event| match event {
                    Event::Asked(asked) if asked.key.turn.seat == seat => Some(asked),
                    _ => None,
                });
                let first = asked.clone().find(|asked| asked.tool.as_str() == "kiro");
                let begins = if blind { 0 } else { 1 };
                let begins = format!("r{begins}.{}#0", seat.short_name());
                assert_eq!(first.unwrap().key.to_string(), begins);
                assert_eq!(asked.next_back().unwrap().tool.as_str(), "kiro");
            }
        }
    }
}

#[test]
fn both_sides_have_the_same_substitutes_and_get_different_ones() {
    let bad = [("claude", Act::LoggedOut), ("codex", Act::LoggedOut)];
    let (state, _) = played(with_substitutes(true, &["kiro", "copilot"]), &bad);
    assert_eq!(state.closed, Some(Outcome::Judged));
    let sides = [Seat::Proposer, Seat::Challenger].map(|seat| state.seats[&seat].tool.to_string());
    assert_ne!(sides[0], sides[1]);
    assert_eq!(told(&state).replaced.len(), 2);
    // One is left for two: the other side is lost as before.
    let (state, _) = played(with_substitutes(true, &["kiro"]), &bad);
    assert!(matches!(state.halted, Some(Halt::User { .. })), "{state:?}");
}

#[test]
fn a_substitute_that_fails_gives_way_to_the_next_one() {
    let bad = [("codex", Act::LoggedOut), ("kiro", Act::Garbage)];
    let (state, _) = played(with_substitutes(true, &["kiro", "copilot"]), &bad);
    assert_eq!(state.seats[&Seat::Challenger].tool.as_str(), "copilot");
    let replaced = told(&state).replaced;
    let by: Vec<_> = replaced.iter().map(|one| one.by.as_str()).collect();
    assert_eq!(by, ["kiro", "copilot"]);
    assert_eq!(replaced[1].replies, 2);
}

#[test]
fn a_seat_without_substitutes_and_a_side_that_has_spoken_keep_their_tool() {
    let (state, _) = played(spec(true, 24), &[("codex", Act::LoggedOut)]);
    assert!(matches!(state.halted, Some(Halt::User { .. })));
    assert!(state.replaced.is_empty());
    let act = |key: AskKey, tool: &ToolName, _: usize| match tool.as_str() == "codex"
        && key.turn.to_string() != "r0.cha"
    {
        true => Act::LoggedOut,
        false => Act::Good,
    };
    let events = run_tools(with_substitutes(true, &["kiro"]), act, |_| 0);
    let state = State::replay(&events).unwrap();
    assert!(matches!(state.halted, Some(Halt::User { .. })));
    assert_eq!(state.seats[&Seat::Challenger].tool.as_str(), "codex");
}

#[test]
fn another_model_of_a_lost_tool_sits_only_where_the_model_was_the_fault() {
    let model = |tool: &str, model: &str| Seating {
        model: Some(model.to_owned()),
        ..seating(tool, tool)
    };
    let seated = |act: Act| {
        let mut spec = with_substitutes(true, &[]);
        let list = vec![model("codex", "mini"), model("kiro", "big")];
        spec.standby.substitutes = BTreeMap::from([(Seat::Challenger, list)]);
        let mut first = true;
        let act = move |_: AskKey, tool: &ToolName, _: usize| match tool.as_str() {
            "codex" if std::mem::take(&mut first) => act,
            _ => Act::Good,
        };
        let state = State::replay(&run_tools(spec, act, |_| 0)).unwrap();
        let seat = &state.seats[&Seat::Challenger];
        (
            seat.tool.to_string(),
            seat.model.clone().unwrap_or_default(),
        )
    };
    assert_eq!(seated(Act::NoModel), ("codex".into(), "mini".into()));
    assert_eq!(seated(Act::LoggedOut), ("kiro".into(), "big".into()));
}

#[test]
fn the_judges_substitutes_come_before_those_that_debate_or_failed() {
    let mut spec = with_substitutes(true, &["kiro"]);
    let names = ["codex", "kiro", "copilot"];
    spec.kind.as_duel_mut().unwrap().substitutes = names.map(|name| seating(name, name)).into();
    let bad = [("codex", Act::LoggedOut), ("gemini", Act::Timeout)];
    let (state, _) = played(spec, &bad);
    assert_eq!(state.seats[&Seat::JUDGE].tool.as_str(), "copilot");
    assert_eq!(told(&state).authority, Authority::Full);
}

#[test]
fn a_claim_that_nobody_usably_replied_to_is_no_answer() {
    for (act, replies, says) in [
        (
            Act::Garbage,
            4,
            "the challenger's 4 replies were not usable",
        ),
        (Act::Timeout, 0, "no reply from the challenger"),
    ] {
        let (state, _) = played(spec(true, 24), &[("codex", act)]);
        assert_eq!(state.closed, Some(Outcome::Uncontested));
        let verdict = told(&state);
        assert_eq!((verdict.winner, verdict.winner_tool), (None, None));
        let one_sided = verdict.one_sided.unwrap();
        assert_eq!(one_sided.unusable_replies, replies);
        let answer = verdict.answer.unwrap();
        assert_eq!(
            answer,
            format!("One-sided claim (proposer): {}", one_sided.claim)
        );
        assert!(verdict.headline.starts_with("one-sided (uncontested): "));
        assert!(verdict.headline.contains(says), "{}", verdict.headline);
        let why = verdict.why.unwrap();
        let nothing_came = why.starts_with("No usable reply from the challenger: ");
        assert_eq!(nothing_came, replies == 0, "{why}");
        let untested = "This is the proposer's claim, untested. No judge ruled on it.";
        assert!(why.ends_with(untested), "{why}");
        assert!(!one_sided.reasons.is_empty());
    }
    // A side that gave its first answer was heard, whatever came of its replies.
    let act = |key: AskKey, tool: &ToolName, _: usize| match tool.as_str() == "codex"
        && key.turn.to_string() != "r0.cha"
    {
        true => Act::Timeout,
        false => Act::Good,
    };
    let state = State::replay(&run_tools(spec(true, 24), act, |_| 0)).unwrap();
    let why = told(&state).why.unwrap();
    let says = "No usable reply from the challenger after its first answer: ";
    assert!(why.starts_with(says), "{why}");
    let act = |key: AskKey, tool: &ToolName, _: usize| match tool.as_str() == "codex"
        && key.turn.to_string() != "r0.cha"
    {
        true => Act::Garbage,
        false => Act::Good,
    };
    let state = State::replay(&run_tools(spec(true, 24), act, |_| 0)).unwrap();
    let headline = told(&state).headline;
    let says = "replies after its first answer were not usable";
    assert!(headline.contains(says), "{headline}");
}

/// Of a duel whose challenger is lost at once: the state once `seating` was named for its seat.
fn resumed_with(seating: Seating) -> State {
    let spec = with_substitutes(true, &["kiro"]);
    let mut state = State::replay(&[Event::Opened(Box::new(spec))]).unwrap();
    let event = Event::Resumed {
        caps: state.caps,
        seats: BTreeMap::from([(Seat::Challenger, seating)]),
    };
    state.apply(&event).unwrap();
    state
}

#[test]
fn a_tool_that_is_named_at_resume_is_not_replaced_unasked() {
    let named = resumed_with(seating("copilot", "github"));
    assert_eq!(named.next_side_substitute(Seat::Challenger), None);
    assert!(named.next_side_substitute(Seat::Proposer).is_some());
    // The same tool over another transport was named by nobody.
    let again = Seating {
        transport: "acp".to_owned(),
        ..seating("codex", "openai")
    };
    let again = resumed_with(again);
    assert!(again.next_side_substitute(Seat::Challenger).is_some());
}

#[test]
fn a_tool_that_is_replaced_before_it_was_asked_leaves_its_cause() {
    let spec = with_substitutes(true, &["kiro"]);
    let mut state = State::replay(&[Event::Opened(Box::new(spec))]).unwrap();
    let cause = Cause {
        code: CauseCode::LoggedOut,
        detail: "not logged in".to_owned(),
    };
    let reseated = Event::Reseated {
        seat: Seat::Challenger,
        seating: seating("kiro", "kiro"),
        cause: Some(cause.clone()),
    };
    state.apply(&reseated).unwrap();
    assert_eq!(state.replaced[0].cause, Some(cause));
    let other_model = Seating {
        model: Some("another".to_owned()),
        ..seating("codex", "openai")
    };
    assert!(!state.can_join(Seat::Challenger, &other_model));
}

proptest! {
    /// From any prefix of its record a debate comes to the same seats.
    #[test]
    fn a_debate_that_is_cut_off_anywhere_plans_as_before(
        acts in proptest::collection::vec(acts(), 40),
        blind in any::<bool>(),
    ) {
        let mut next = acts.iter().copied().cycle();
        let spec = with_substitutes(blind, &["kiro", "copilot"]);
        let events = run_tools(spec, |_, _, _| next.next().unwrap(), |_| 0);
        let mut state = State::replay(&events[..1]).unwrap();
        for at in 1..events.len() {
            state.apply(&events[at]).unwrap();
            let json = serde_json::to_string(&state).unwrap();
            let again: State = serde_json::from_str(&json).unwrap();
            prop_assert_eq!(&again, &state);
            prop_assert_eq!(plan(&again), plan(&State::replay(&events[..=at]).unwrap()));
        }
        for seat in [Seat::Proposer, Seat::Challenger] {
            let before = state.replaced.iter().filter(|one| one.seat == seat).count();
            prop_assert!(before <= 2);
        }
    }
}
