//! A model that a tool refuses: one that the effort chose gives way, one that was named does not.

use agon_record::event::CauseCode;
use agon_record::spec::{ModelClass, Spec};

use super::*;

/// A duel in which the proposer's tool is asked for a model that the effort chose, or the user.
fn with_model(class: Option<ModelClass>) -> Spec {
    let mut spec = spec(true, 12);
    let proposer = spec.seats.get_mut(&Seat::Proposer).unwrap();
    proposer.model = Some("opus".to_owned());
    proposer.class = class;
    spec
}

/// How it goes where the tool refuses that model as often as it is asked for.
fn played(spec: Spec) -> Vec<Event> {
    let mut refused = 0;
    let act = |key: AskKey| {
        let first = key.turn == TurnId::round(0, Seat::Proposer);
        refused += usize::from(first);
        match first && refused == 1 {
            true => Act::NoModel,
            false => Act::Good,
        }
    };
    run(spec, act, |_| 0)
}

#[test]
fn a_model_that_the_effort_chose_gives_way_to_the_tools_default_for_the_whole_debate() {
    let events = played(with_model(Some(ModelClass::Strong)));
    let refused = events
        .iter()
        .filter(|event| matches!(event, Event::ModelRefused { .. }));
    assert_eq!(refused.count(), 1);
    let models: Vec<_> = events
        .iter()
        .filter_map(|event| match event {
            Event::Asked(asked) if asked.key.turn.seat == Seat::Proposer => {
                Some(asked.model.as_deref())
            }
            _ => None,
        })
        .collect();
    assert_eq!(models, [Some("opus"), None, None, None]);
    let state = State::replay(&events).unwrap();
    assert_eq!(state.closed, Some(Outcome::Judged));
    let proposer = &state.seats[&Seat::Proposer];
    assert_eq!((proposer.model.as_deref(), proposer.class), (None, None));
    assert_eq!(proposer.refused_model.as_deref(), Some("opus"));
    assert_eq!(state.spent.calls, state.spec.planned_calls() + 1);
}

#[test]
fn a_model_that_was_named_is_not_replaced_behind_its_users_back() {
    let state = State::replay(&played(with_model(None))).unwrap();
    let Some(Halt::User { turn, cause }) = &state.halted else {
        panic!("{:?}", state.halted)
    };
    assert_eq!(turn.seat, Seat::Proposer);
    assert_eq!(cause.code, CauseCode::NoSuchModel);
}
