//! Proposition against opposition, exchange by exchange, each judged.

use agon_record::id::{Seat, Stage, TurnId};
use agon_record::moves::MovesKind;
use agon_record::spec::FormatName;
use agon_record::state::{Ask, State, Turn};

use super::{Format, Phase};

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

    fn description(&self) -> &'static str {
        "proposition against opposition, Toulmin arguments with typed attacks, each exchange scored"
    }

    fn side_turns(&self, state: &State) -> Vec<TurnId> {
        let exchanges = state.through.map(|through| 0..=through);
        exchanges
            .into_iter()
            .flatten()
            .flat_map(argument_turns)
            .collect()
    }

    fn phase(&self, state: &State) -> Phase {
        let sides = argument_turns(first_unjudged_exchange(state));
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

    fn remaining_calls(&self, state: &State) -> u32 {
        let first = first_unjudged_exchange(state);
        let Some(through) = state.through.filter(|&through| first <= through) else {
            return 0;
        };
        let unheard = |turn: TurnId| {
            let given = |ask: &Ask| ask.given.is_some();
            let heard = |turn: &Turn| turn.end.is_some() || turn.asks.iter().any(given);
            !state.turns.get(&turn).is_some_and(heard)
        };
        let seats = || {
            let judges = state.seats.keys().copied().filter(|seat| seat.is_judge());
            state.spec.format().sides().into_iter().chain(judges)
        };
        let due = seats().filter(|&seat| unheard(TurnId::round(first, seat)));
        let theses = state.theses().is_none() && unheard(TurnId::theses(Seat::JUDGE));
        let whole = usize::from(through - first) * seats().count();
        let calls = due.count() + whole + usize::from(theses);
        u32::try_from(calls).unwrap_or(u32::MAX)
    }

    fn planned_steps(&self, state: &State) -> Vec<Vec<TurnId>> {
        let mut steps = Vec::new();
        let Some(through) = state.through else {
            return steps;
        };
        if state.theses().is_none() {
            steps.push(vec![TurnId::theses(Seat::JUDGE)]);
        }
        for exchange in first_unjudged_exchange(state)..=through {
            steps.push(argument_turns(exchange).to_vec());
            let judges = state.seats.keys().filter(|seat| seat.is_judge());
            steps.push(judges.map(|&seat| TurnId::round(exchange, seat)).collect());
        }
        steps
    }

    fn has_reached_target(&self, state: &State) -> bool {
        state
            .through
            .is_none_or(|through| first_unjudged_exchange(state) > through)
    }

    fn has_per_run_caps(&self) -> bool {
        true
    }

    /// A side hears what was said in earlier exchanges; a judge also the one it judges.
    fn can_hear(&self, turn: TurnId, earlier: TurnId) -> bool {
        if turn.seat.is_judge() {
            earlier < turn
        } else {
            earlier.stage < turn.stage
        }
    }
}

/// The exchange that comes next or is under way.
pub fn first_unjudged_exchange(state: &State) -> u16 {
    state
        .last_judged_exchange()
        .map_or(0, |last| last.saturating_add(1))
}

/// The last exchange to judge for `more` rebuttals: a due opening exchange or
/// judgment is finished first and not counted.
pub fn target_exchange(state: &State, more: u16) -> u16 {
    let exchange = first_unjudged_exchange(state);
    let due = exchange == 0 || super::debate_phase(state) == Phase::AwaitingJudgment;
    let through = exchange.saturating_add(more);
    if due {
        through
    } else {
        through.saturating_sub(1)
    }
}

/// The turns of both sides in an exchange.
pub(crate) fn argument_turns(exchange: u16) -> [TurnId; 2] {
    FormatName::Formal
        .sides()
        .map(|seat| TurnId::round(exchange, seat))
}

/// The turns of the judges: of those who sit there, or of the one whose scores are brought in from outside.
pub(crate) fn judge_turns(state: &State, exchange: u16) -> Vec<TurnId> {
    let brought = TurnId::round(exchange, Seat::JUDGE);
    let seats = state.seats.keys().filter(|seat| seat.is_judge());
    let mut turns: Vec<_> = seats.map(|&seat| TurnId::round(exchange, seat)).collect();
    if turns.is_empty() {
        turns.push(brought);
    }
    turns
}
