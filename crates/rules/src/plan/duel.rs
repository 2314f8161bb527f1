//! Plans a duel.

mod judging;

use agon_record::event::{Cause, CauseCode, Event, Halt, Outcome};
use agon_record::id::{Seat, TurnId};
use agon_record::state::State;

use super::{
    Budget, ParsedReplies, PersonQuestion, Plan, TurnStep, limit_reached_plan, next_side_step,
    settle_cut_short_turn, take_replacement,
};
use crate::format::{blind_turns, side_turns};

/// The turn that says whether the first answers agree.
const FIRST_CHALLENGE: TurnId = TurnId::round(1, Seat::Challenger);

/// Returns what happens next in a duel that is neither closed nor halted.
pub(super) fn plan(state: &State, replies: &mut ParsedReplies) -> Plan {
    let mut budget = Budget::from_state(state);
    let plan = if state.is_judge_order_in_effect() {
        plan_cut_short_turn(state, replies)
    } else if state.capped.is_none() {
        match plan_blind_round(state, &mut budget, replies) {
            None => plan_rounds(state, &mut budget, replies),
            plan => plan,
        }
    } else {
        None
    };
    if let Some(plan) = plan {
        return plan;
    }
    plan_ending(state, &mut budget, replies)
}

/// Returns the next step of the first answers; `None` once they are complete.
fn plan_blind_round(
    state: &State,
    budget: &mut Budget,
    replies: &mut ParsedReplies,
) -> Option<Plan> {
    let steps = blind_turns(state)
        .into_iter()
        .map(|turn| next_side_step(state, turn, budget, replies));
    let mut asks = Vec::new();
    let mut decisions = Vec::new();
    let mut over = None;
    for step in steps {
        match step {
            TurnStep::Ask(effect) => asks.push(effect),
            TurnStep::Resolve(key) => return Some(Plan::Resolve(vec![key])),
            TurnStep::Decide(event) => decisions.push(event),
            TurnStep::Capped(cap) => over = Some(cap),
            TurnStep::Done | TurnStep::Lost(_) => {}
        }
    }
    if let Some(replacement) = take_replacement(&mut decisions) {
        return Some(Plan::Decide(vec![replacement]));
    }
    if !decisions.is_empty() {
        return Some(Plan::Decide(decisions));
    }
    if !asks.is_empty() {
        return Some(Plan::Perform(asks));
    }
    if let Some(cap) = over {
        return Some(limit_reached_plan(cap));
    }
    plan_agreement(state)
}

/// Returns the next step if the record says that the first answers agree.
fn plan_agreement(state: &State) -> Option<Plan> {
    let answer = agreed_answer(state)?;
    match state.stop_on_agreement() {
        None if state.spec.asks_on_agreement() => {
            Some(Plan::Wait(PersonQuestion::StopOnAgreement {
                answer: answer.to_owned(),
            }))
        }
        None => Some(Plan::Decide(vec![Event::Agreement { stop: false }])),
        Some(true) => Some(closed_plan(Outcome::Agreed)),
        Some(false) => None,
    }
}

/// Returns the first answer on which both sides agree, in the proposer's words.
fn agreed_answer(state: &State) -> Option<&str> {
    let answer = state.blind_answer(Seat::Proposer)?;
    (state.first_answers_agree() == Some(true)).then_some(answer.answer.as_str())
}

/// Returns the next step of the rounds; `None` once it is the judge's turn.
fn plan_rounds(state: &State, budget: &mut Budget, replies: &mut ParsedReplies) -> Option<Plan> {
    for turn in side_turns(state) {
        match next_side_step(state, turn, budget, replies) {
            TurnStep::Done if turn == FIRST_CHALLENGE => {
                if let Some(plan) = plan_agreement(state) {
                    return Some(plan);
                }
            }
            TurnStep::Done => {}
            TurnStep::Ask(effect) => return Some(Plan::Perform(vec![effect])),
            TurnStep::Resolve(key) => return Some(Plan::Resolve(vec![key])),
            TurnStep::Decide(event) => return Some(Plan::Decide(vec![event])),
            TurnStep::Capped(cap) => return Some(limit_reached_plan(cap)),
            TurnStep::Lost(cause) if turn == TurnId::round(1, Seat::Proposer) => {
                return Some(halted_plan(proposer_lost_halt(state, cause)));
            }
            TurnStep::Lost(_) => return None,
        }
    }
    None
}

/// Returns the next step for a turn that the user's order to judge cut short: a usable stored reply
/// is admitted. `None` once the judge was asked.
fn plan_cut_short_turn(state: &State, replies: &mut ParsedReplies) -> Option<Plan> {
    if state.capped.is_some() || state.has_asked_judge() {
        return None;
    }
    let open = |turn: &TurnId| state.turns.get(turn).is_none_or(|t| t.end.is_none());
    let turn = side_turns(state).into_iter().find(open)?;
    match settle_cut_short_turn(state, turn, replies)? {
        TurnStep::Resolve(key) => Some(Plan::Resolve(vec![key])),
        TurnStep::Decide(event) => Some(Plan::Decide(vec![event])),
        TurnStep::Done | TurnStep::Lost(_) | TurnStep::Ask(_) | TurnStep::Capped(_) => None,
    }
}

/// Returns the next step of the ending: a verdict, or a halt if there cannot be one.
fn plan_ending(state: &State, budget: &mut Budget, replies: &mut ParsedReplies) -> Plan {
    if state.admitted(TurnId::round(1, Seat::Proposer)).is_none() {
        return halted_plan(match state.capped {
            Some(cap) => Halt::Capped { cap },
            None => Halt::NoTurns,
        });
    }
    if state.admitted(TurnId::round(1, Seat::Challenger)).is_none() {
        return closed_plan(Outcome::Uncontested);
    }
    judging::plan(state, budget, replies)
}

/// Returns the halt after the loss of the proposer's first turn, or a more general one if no seat
/// spoke.
///
/// Without first answers only the proposer was asked. Then only a timeout or an empty reply counts
/// as general, and the cause of any other failure is kept.
fn proposer_lost_halt(state: &State, cause: &Cause) -> Halt {
    let lost: Vec<_> = state.lost_turns().collect();
    let nobody_else = match state.spec.has_blind_round() {
        true => lost.len() > state.spec.format().sides().len(),
        false => matches!(cause.code, CauseCode::Timeout | CauseCode::Empty),
    };
    let silent = state.admitted_turns().next().is_none() && nobody_else;
    if silent
        && lost
            .iter()
            .all(|(_, cause)| cause.code == CauseCode::Timeout)
    {
        Halt::AllTimedOut
    } else if silent {
        Halt::NoTurns
    } else {
        Halt::ProposerLost {
            cause: cause.clone(),
        }
    }
}

fn closed_plan(outcome: Outcome) -> Plan {
    Plan::Decide(vec![Event::Closed { outcome }])
}

fn halted_plan(reason: Halt) -> Plan {
    Plan::Decide(vec![Event::Halted { reason }])
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::plan::plan;
    use crate::rule::tests::fixture::{admit, base, spec};

    /// A debate in which the first answers are these and the challenger says that of them.
    fn debate(challenger: &str, said: Option<&str>) -> State {
        let mut state = State::open(spec());
        for (turn, answer) in [("r0.pro", "In memory"), ("r0.cha", challenger)] {
            let mut blind = base(turn);
            blind["answer"] = json!(answer);
            admit(&mut state, turn, blind);
        }
        if let Some(said) = said {
            admit(&mut state, "r1.pro", base("r1.pro"));
            let mut challenge = base("r1.cha");
            challenge["first_answers"] = match said {
                "" => Value::Null,
                said => json!(said),
            };
            admit(&mut state, "r1.cha", challenge);
        }
        state
    }

    fn goes_on() -> Plan {
        Plan::Decide(vec![Event::Agreement { stop: false }])
    }

    #[test]
    fn the_challenger_says_whether_the_first_answers_are_the_same_whatever_their_words() {
        let next = |state: &State| match plan(state) {
            Plan::Perform(effects) => effects[0].key.to_string(),
            other => format!("{other:?}"),
        };
        // Before it spoke nobody knows.
        assert_eq!(next(&debate("in memory.", None)), "r1.pro#0");
        assert_eq!(plan(&debate("Memory, of course", Some("same"))), goes_on());
        assert_eq!(next(&debate("in memory.", Some("different"))), "r2.pro#0");
        assert_eq!(next(&debate("in memory.", Some(""))), "r2.pro#0");
    }

    #[test]
    fn whoever_is_there_may_stop_at_the_answer_on_which_both_agree() {
        let mut state = debate("Memory", Some("same"));
        state.spec.kind.as_duel_mut().unwrap().ask_on_agreement = true;
        let wanted = PersonQuestion::StopOnAgreement {
            answer: "In memory".to_owned(),
        };
        assert_eq!(plan(&state), Plan::Wait(wanted));
        let mut stopped = state.clone();
        stopped.apply(&Event::Agreement { stop: true }).unwrap();
        assert_eq!(plan(&stopped), closed_plan(Outcome::Agreed));
        state.apply(&Event::Agreement { stop: false }).unwrap();
        assert!(matches!(plan(&state), Plan::Perform(_)));
    }
}
