//! A debate that goes on exchange by exchange, with nothing lost.

use super::*;

#[test]
fn a_debate_of_an_opening_and_two_rebuttals_is_played_to_its_rest() {
    let mut state = open(1, 2);
    let batches = play(&mut state, good, first);
    admits_together(&batches, 1);
    assert_eq!(state.spent.calls, 1 + 3 * 3);
    assert_eq!((state.halted.clone(), state.closed), (None, None));
    assert_eq!(
        (
            state.last_judged_exchange(),
            first_unjudged_exchange(&state),
            state.rounds_completed()
        ),
        (Some(2), 3, 3)
    );
    assert_eq!(debate_phase(&state), Phase::AwaitingArguments);
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
    let totals = tally::side_totals(&state);
    assert_eq!(totals[&Seat::Proposition].total, Score::new(500));
    assert_eq!(totals[&Seat::Opposition].total, Score::new(-500));
    assert_eq!(totals[&Seat::Opposition].count, 5);
    assert_eq!(tally::leading_side(&state), Some(Seat::Proposition));
    assert_eq!(tally::unscored_arguments(&state), []);
}

#[test]
fn the_phase_follows_the_exchange() {
    let mut state = open(1, 0);
    let mut phases = vec![debate_phase(&state)];
    for batch in play(&mut state.clone(), good, first) {
        batch.iter().for_each(|event| state.apply(event).unwrap());
        if phases.last() != Some(&debate_phase(&state)) {
            phases.push(debate_phase(&state));
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
    spec.kind.as_formal_mut().unwrap().theses = Some(theses());
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
        (
            first_unjudged_exchange(&state),
            target_exchange(&state, 0),
            target_exchange(&state, 3)
        ),
        (0, 0, 3)
    );
    go_on(&mut state, 0);
    play(&mut state, good, first);
    assert_eq!(
        (
            first_unjudged_exchange(&state),
            target_exchange(&state, 1),
            target_exchange(&state, 3)
        ),
        (1, 1, 3)
    );
    assert_eq!(target_exchange(&state, 0), 0);
    go_on(&mut state, 0);
    assert_eq!(plan(&state), Plan::Close);
    go_on(&mut state, 1);
    let no_judge = |key: AskKey, _: usize| match key.turn.seat.is_judge() {
        true => Act::Garbage,
        false => Act::Good,
    };
    play(&mut state, no_judge, first);
    assert_eq!(debate_phase(&state), Phase::AwaitingJudgment);
    assert_eq!(
        (
            first_unjudged_exchange(&state),
            target_exchange(&state, 0),
            target_exchange(&state, 2)
        ),
        (1, 1, 3)
    );
    assert_eq!(target_exchange(&state, u16::MAX), u16::MAX);
}

#[test]
fn a_debate_at_rest_is_continued_with_other_seats() {
    let mut state = open(3, 0);
    play(&mut state, good, first);
    assert_eq!(plan(&state), Plan::Close);
    let seats = BTreeMap::from([
        (Seat::Opposition, host::seating("opencode")),
        (Seat::JUDGE, host::seating("copilot")),
    ]);
    let event = Event::Continued {
        through: target_exchange(&state, 1),
        seats,
        caps: caps(50),
        standby: agon_record::spec::Standby::default(),
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
    assert_eq!(
        (state.last_judged_exchange(), state.caps),
        (Some(1), caps(50))
    );
    let all = state
        .turns
        .keys()
        .filter(|turn| turn.to_string().starts_with("r1.judge"));
    assert_eq!(all.count(), 1);
}
