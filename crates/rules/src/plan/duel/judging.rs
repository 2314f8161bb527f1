//! Plans the end of a duel: every judge rules, and the first rules again with the sides swapped.

use agon_record::event::{Cap, Cause, CauseCode, Event, Halt, Outcome};
use agon_record::id::{AskKey, Seat, TurnId};
use agon_record::spec::Seating;
use agon_record::state::{Ask, State, TurnEnd};

use super::{closed_plan, halted_plan};
use crate::plan::{Budget, Effect, ParsedReplies, Plan, TurnStep, next_turn_step};

/// The next steps of all judges' turns.
#[derive(Default)]
struct PendingRulings<'a> {
    asks: Vec<Effect>,
    resolve: Vec<AskKey>,
    decisions: Vec<Event>,
    /// Whether a judge has ruled.
    ruled: bool,
    /// Whether a judge's call is pending.
    awaited: bool,
    lost: Option<&'a Cause>,
    capped: Option<Cap>,
}

/// Returns the next step of the end of a duel.
///
/// All judges are asked at once, and each rules alone. A substitute takes the first seat only if no
/// judge ruled. The tool in that seat also gives the ruling with the sides swapped; a different
/// tool's ruling would measure something else.
pub(super) fn plan(state: &State, budget: &mut Budget, replies: &mut ParsedReplies) -> Plan {
    let mut pending = PendingRulings::default();
    let judges = state.seats.keys().filter(|seat| seat.is_judge());
    for &seat in judges {
        match next_turn_step(state, TurnId::verdict(seat), budget, replies) {
            TurnStep::Done => pending.ruled = true,
            TurnStep::Ask(effect) => {
                pending.asks.push(effect);
                pending.awaited = true;
            }
            TurnStep::Resolve(key) => pending.resolve.push(key),
            TurnStep::Decide(event) => pending.decisions.push(event),
            TurnStep::Lost(cause) => pending.lost = Some(cause),
            TurnStep::Capped(cap) => pending.capped = pending.capped.or(Some(cap)),
        }
    }
    let untried = add_swap_step(state, &mut pending, budget, replies);
    if !pending.resolve.is_empty() {
        return Plan::Resolve(pending.resolve);
    }
    // One at a time, since each reply that is sent back reduces the budget of the next.
    if let Some(event) = pending.take_next_decision(state) {
        return Plan::Decide(vec![event]);
    }
    if !pending.asks.is_empty() {
        return Plan::Perform(pending.asks);
    }
    if pending.ruled {
        return plan_judged_close(state, pending.capped.or(untried));
    }
    match (pending.capped, pending.lost) {
        (Some(cap), _) => halted_plan(Halt::Capped { cap }),
        (None, Some(cause)) => plan_judge_replacement(state, cause),
        (None, None) => halted_plan(Halt::NoTurns),
    }
}

impl PendingRulings<'_> {
    /// Returns the decision to make first. Problems that only the user can fix come last, after all
    /// other replies are handled.
    ///
    /// A judge that waits for the user does not block the debate while another judge is asked or
    /// after one has ruled: its turn is then lost. The same applies to a judge without remaining
    /// credit if a substitute may rule.
    fn take_next_decision(&mut self, state: &State) -> Option<Event> {
        let first = self.decisions.iter().position(|event| !is_halt(event));
        if let Some(at) = first {
            return Some(self.decisions.swap_remove(at));
        }
        let halt = self.decisions.pop()?;
        let Event::Halted {
            reason: Halt::User { turn, cause },
        } = &halt
        else {
            return Some(halt);
        };
        let spent = cause.code == CauseCode::RateLimited && next_substitute(state).is_some();
        if self.ruled || spent {
            return Some(missed_judge_event(*turn, cause));
        }
        (!self.awaited).then_some(halt)
    }
}

fn is_halt(event: &Event) -> bool {
    matches!(event, Event::Halted { .. })
}

/// Returns the loss of the turn of a judge that waits for the user.
fn missed_judge_event(turn: TurnId, cause: &Cause) -> Event {
    Event::TurnLost {
        turn,
        cause: cause.clone(),
        findings: Vec::new(),
    }
}

/// Returns the next substitute if no judge ruled.
fn next_substitute(state: &State) -> Option<&Seating> {
    let substitutes = state.judge_substitutes();
    substitutes.get(state.lost_judges().len()).copied()
}

/// Adds the next step of the ruling with the sides swapped to `pending`, or returns the limit that
/// forbids it.
fn add_swap_step(
    state: &State,
    pending: &mut PendingRulings<'_>,
    budget: &mut Budget,
    replies: &mut ParsedReplies,
) -> Option<Cap> {
    if !state.is_swap_planned() {
        return None;
    }
    let judge = state.turns.get(&TurnId::verdict(Seat::JUDGE));
    let judge = judge.and_then(|turn| turn.end.as_ref());
    if let Some(TurnEnd::Lost { .. }) = judge {
        // Start no swap, since there is no ruling to compare it with. A running call must finish
        // before a substitute takes the seat, so that its reply is not attributed to the
        // substitute.
        pending.asks.extend(outstanding_swap_call(state));
        return None;
    }
    match next_turn_step(state, TurnId::SWAP, budget, replies) {
        TurnStep::Done | TurnStep::Lost(_) => None,
        // Until the judge has ruled, do not retry the swap: calls and time are reserved for the
        // judge.
        TurnStep::Ask(effect) if judge.is_none() && !is_first_swap_call(state, effect.key) => None,
        TurnStep::Ask(effect) => {
            pending.asks.push(effect);
            None
        }
        TurnStep::Resolve(key) => {
            pending.resolve.push(key);
            None
        }
        TurnStep::Decide(event @ Event::Admitted { .. }) => {
            pending.decisions.push(event);
            None
        }
        TurnStep::Decide(_) if judge.is_none() => None,
        // A problem that only the user can fix does not halt the debate here: the swap is skipped.
        TurnStep::Decide(Event::Halted {
            reason: Halt::User { turn, cause },
        }) => {
            pending.decisions.push(missed_judge_event(turn, &cause));
            None
        }
        TurnStep::Decide(event) => {
            pending.decisions.push(event);
            None
        }
        // Only matters once a judge has ruled; until then, a call may still become free for the
        // swap.
        TurnStep::Capped(cap) => Some(cap),
    }
}

/// Returns whether the call for `key` is the first of the swap, or running.
fn is_first_swap_call(state: &State, key: AskKey) -> bool {
    let untried = |ask: &Ask| key.again == 0 && ask.losses.is_empty();
    last_swap_ask(state).is_none_or(|(last, ask)| last == key && (ask.in_flight || untried(ask)))
}

/// Returns the pending call of the swap.
fn outstanding_swap_call(state: &State) -> Option<Effect> {
    let (key, ask) = last_swap_ask(state)?;
    ask.in_flight.then(|| Effect {
        key,
        after_ms: 0,
        reserve: ask.asked.as_ref().map_or(0, |asked| asked.reserved),
    })
}

fn last_swap_ask(state: &State) -> Option<(AskKey, &Ask)> {
    let mut asks = state.turns.get(&TurnId::SWAP)?.asks.iter().enumerate();
    let (at, ask) = asks.next_back()?;
    let again = u8::try_from(at).unwrap_or(u8::MAX);
    let turn = TurnId::SWAP;
    Some((AskKey { turn, again }, ask))
}

/// Closes the debate. A limit that prevented a ruling is recorded first.
fn plan_judged_close(state: &State, cap: Option<Cap>) -> Plan {
    let cap = cap.filter(|_| state.capped.is_none());
    let Plan::Decide(close) = closed_plan(Outcome::Judged) else {
        return Plan::Close;
    };
    let capped = cap.map(|cap| Event::Capped { cap });
    Plan::Decide(capped.into_iter().chain(close).collect())
}

/// Gives the first seat to the next substitute because no judge ruled. The previous holder's ruling
/// with the sides swapped is discarded.
fn plan_judge_replacement(state: &State, cause: &Cause) -> Plan {
    let Some(next) = next_substitute(state) else {
        let cause = cause.clone();
        return halted_plan(Halt::JudgeLost { cause });
    };
    let stored = last_swap_ask(state).filter(|(_, ask)| ask.given.is_some());
    let unused = stored.map(|(key, _)| Event::Discarded { key });
    let reseated = Event::Reseated {
        seat: Seat::JUDGE,
        seating: next.clone(),
        cause: None,
    };
    Plan::Decide(unused.into_iter().chain([reseated]).collect())
}
