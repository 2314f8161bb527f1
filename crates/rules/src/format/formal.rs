//! Proposition against opposition, exchange by exchange, each judged.

use crate::format::Format;
use crate::panel;
use crate::plan::{Budget, Phase, Plan, Step, step};
use agon_record::event::{Cause, Event, Halt};
use agon_record::id::{AskKey, Seat, Stage, TurnId};
use agon_record::moves::MovesKind;
use agon_record::spec::FormatName;
use agon_record::state::State;

/// The formal debate.
///
/// In each exchange both sides speak unseen by each other, then every judge
/// scores. It has no end: it rests when it has come as far as it was told to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Formal;

impl Format for Formal {
    fn name(&self) -> FormatName {
        FormatName::Formal
    }

    fn about(&self) -> &'static str {
        "proposition against opposition, Toulmin arguments with typed attacks, each exchange scored"
    }

    fn plan(&self, state: &State) -> Plan {
        let exchange = exchange(state);
        if state.through.is_none_or(|through| exchange > through) {
            return Plan::Close;
        }
        let mut budget = Budget::of(state);
        if state.theses().is_none()
            && let Some(plan) = all(state, &[TurnId::theses(Seat::JUDGE)], &mut budget)
        {
            return plan;
        }
        if let Some(plan) = all(state, &arguing(exchange), &mut budget) {
            return plan;
        }
        if let Some(plan) = all(state, &judging(state, exchange), &mut budget) {
            return plan;
        }
        Plan::Decide(vec![Event::Scored(Box::new(panel::judgment(
            state, exchange,
        )))])
    }

    fn phase(&self, state: &State) -> Phase {
        let sides = arguing(exchange(state));
        if sides.iter().all(|&turn| state.admitted(turn).is_some()) {
            Phase::AwaitingJudgment
        } else {
            Phase::AwaitingArguments
        }
    }

    fn moves_kind(&self, turn: TurnId) -> MovesKind {
        match (turn.stage, turn.seat) {
            (Stage::Theses, _) => MovesKind::Theses,
            (Stage::Verdict | Stage::Swap, _) | (_, Seat::Judge(_)) => MovesKind::Scores,
            (Stage::Round(0), _) => MovesKind::Case,
            (Stage::Round(_), _) => MovesKind::Rebuttal,
        }
    }

    /// A side hears what was said in earlier exchanges; a judge also the one it judges.
    fn hears(&self, turn: TurnId, earlier: TurnId) -> bool {
        if turn.seat.judges() {
            earlier < turn
        } else {
            earlier.stage < turn.stage
        }
    }
}

/// The exchange that comes next or is under way.
pub fn exchange(state: &State) -> u16 {
    state.judged.map_or(0, |last| last.saturating_add(1))
}

/// The last exchange to judge for `more` rebuttals: a due opening exchange or
/// judgment is finished first and not counted.
pub fn through(state: &State, more: u16) -> u16 {
    let exchange = exchange(state);
    let due = exchange == 0 || crate::plan::phase(state) == Phase::AwaitingJudgment;
    let through = exchange.saturating_add(more);
    if due {
        through
    } else {
        through.saturating_sub(1)
    }
}

fn arguing(exchange: u16) -> [TurnId; 2] {
    FormatName::Formal
        .sides()
        .map(|seat| TurnId::round(exchange, seat))
}

/// The turns of the judges: of those who sit there, or of the one whose scores somebody brings.
pub(crate) fn judging(state: &State, exchange: u16) -> Vec<TurnId> {
    let brought = TurnId::round(exchange, Seat::JUDGE);
    let seats = state.seats.keys().filter(|seat| seat.judges());
    let mut turns: Vec<_> = seats.map(|&seat| TurnId::round(exchange, seat)).collect();
    if turns.is_empty() {
        turns.push(brought);
    }
    turns
}

/// What `turns`, spoken beside each other, need; none when all are admitted.
///
/// They are admitted together or not at all: when one is lost, the others'
/// replies wait in the record, and nothing in the debate has changed.
fn all(state: &State, turns: &[TurnId], budget: &mut Budget) -> Option<Plan> {
    let mut asks = Vec::new();
    let mut admitted = Vec::new();
    let mut decisions = Vec::new();
    let mut resolve = Vec::new();
    let mut halt = None;
    for &turn in turns {
        match step(state, turn, budget) {
            Step::Done => {}
            Step::Ask(effect) => asks.push(effect),
            Step::Resolve(key) => resolve.push(key),
            Step::Decide(event @ Event::Admitted { .. }) => admitted.push(event),
            Step::Decide(Event::Halted { reason }) => halt = halt.or(Some(reason)),
            Step::Decide(event) => decisions.push(event),
            Step::Capped(cap) => halt = halt.or(Some(Halt::Capped { cap })),
            Step::Lost(cause) => halt = halt.or_else(|| Some(lost(turn, cause))),
        }
    }
    if !resolve.is_empty() {
        return Some(Plan::Resolve(resolve));
    }
    if !decisions.is_empty() {
        // One at a time: each reply that is sent back counts against the next.
        decisions.truncate(1);
        return Some(Plan::Decide(decisions));
    }
    if halt.is_some() {
        // What is under way is paid for and heard out; nothing new is asked.
        asks.retain(|ask| in_flight(state, ask.key));
    }
    if !asks.is_empty() {
        return Some(Plan::Perform(asks));
    }
    if let Some(reason) = halt {
        return Some(Plan::Decide(vec![Event::Halted { reason }]));
    }
    (!admitted.is_empty()).then_some(Plan::Decide(admitted))
}

fn in_flight(state: &State, key: AskKey) -> bool {
    let turn = state.turns.get(&key.turn);
    turn.and_then(|turn| turn.asks.get(usize::from(key.again)))
        .is_some_and(|ask| ask.in_flight)
}

fn lost(turn: TurnId, cause: &Cause) -> Halt {
    let cause = cause.clone();
    Halt::TurnLost { turn, cause }
}
