//! The formats of a debate: who speaks when.

use std::fmt;

use agon_record::id::{Seat, Stage, TurnId};
use agon_record::moves::MovesKind;
use agon_record::spec::{FormatName, Seating};
use agon_record::state::State;
use serde::{Deserialize, Serialize};

mod duel;
mod formal;
#[cfg(feature = "toy-format")]
mod toy;

pub(crate) use duel::SIDES;
pub(crate) use formal::{argument_turns, judge_turns};
pub use formal::{first_unjudged_exchange, target_exchange};

/// Where a debate stands, in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Both sides answer first, unseen by each other.
    AwaitingBlind,
    /// The proposer is to speak.
    AwaitingProposer,
    /// The challenger is to speak.
    AwaitingChallenger,
    /// The judge is to rule.
    AwaitingVerdict,
    /// Both sides of a formal debate are to argue.
    AwaitingArguments,
    /// The judge of a formal debate is to score.
    AwaitingJudgment,
    /// The debate has its answer.
    Closed,
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::AwaitingBlind => "awaiting_blind",
            Self::AwaitingProposer => "awaiting_proposer",
            Self::AwaitingChallenger => "awaiting_challenger",
            Self::AwaitingVerdict => "awaiting_verdict",
            Self::AwaitingArguments => "awaiting_arguments",
            Self::AwaitingJudgment => "awaiting_judgment",
            Self::Closed => "closed",
        })
    }
}

/// A debate format: its turns and their order.
///
/// What is provided suits a format that ends: the sides take turns, then judges rule once.
pub trait Format: fmt::Debug + Sync {
    /// The name used in files and on the command line.
    fn name(&self) -> FormatName;

    /// One line that says what it is.
    fn description(&self) -> &'static str;

    /// The turns of the sides as far as they are planned, in the order in which they are spoken;
    /// without those of a blind round.
    fn side_turns(&self, state: &State) -> Vec<TurnId>;

    /// Where a debate stands that is not closed.
    fn phase(&self, state: &State) -> Phase {
        let open = |turn: &TurnId| state.turns.get(turn).is_none_or(|t| t.end.is_none());
        if state.capped.is_some() || state.is_judge_order_in_effect() {
            return Phase::AwaitingVerdict;
        }
        if blind_turns(state).iter().any(open) {
            return Phase::AwaitingBlind;
        }
        for turn in self.side_turns(state) {
            match (open(&turn), turn.seat) {
                (true, Seat::Proposer) => return Phase::AwaitingProposer,
                (true, _) => return Phase::AwaitingChallenger,
                (false, _) if state.admitted(turn).is_none() => return Phase::AwaitingVerdict,
                (false, _) => {}
            }
        }
        Phase::AwaitingVerdict
    }

    /// What kind of moves a turn asks for.
    fn moves_kind(&self, turn: TurnId) -> MovesKind;

    /// The calls that it makes from here on, as far as it was told to come, when no reply is sent
    /// back and no call tried again; a person's turn is not a call.
    fn remaining_calls(&self, state: &State) -> u32 {
        let open = |turn: &TurnId| state.turns.get(turn).is_none_or(|turn| turn.end.is_none());
        let blind = blind_turns(state).into_iter();
        let judges = state.seats.keys().filter(|seat| seat.is_judge());
        let judges = judges.map(|&seat| TurnId::verdict(seat));
        let swap = state.is_swap_planned().then_some(TurnId::SWAP);
        let called = |turn: &TurnId| !state.seats.get(&turn.seat).is_some_and(Seating::is_human);
        let all = blind
            .chain(self.side_turns(state))
            .chain(judges)
            .chain(swap);
        u32::try_from(all.filter(called).filter(open).count()).unwrap_or(u32::MAX)
    }

    /// The turns that are planned, those of the past included; those of one step are asked for
    /// beside each other.
    fn planned_steps(&self, state: &State) -> Vec<Vec<TurnId>> {
        let mut steps = Vec::new();
        let blind = Some(blind_turns(state)).filter(|turns| !turns.is_empty());
        steps.extend(blind);
        let turns = self.side_turns(state).into_iter();
        let until = state
            .is_judge_order_in_effect()
            .then(|| state.rounds_completed());
        let heard = |turn: &TurnId| until.is_none_or(|last| turn.stage <= Stage::Round(last));
        steps.extend(turns.filter(heard).map(|turn| vec![turn]));
        let judges = state.seats.keys().filter(|seat| seat.is_judge());
        let mut verdict: Vec<_> = judges.map(|&seat| TurnId::verdict(seat)).collect();
        verdict.extend(state.is_swap_planned().then_some(TurnId::SWAP));
        steps.push(verdict);
        steps
    }

    /// Whether it has come as far as it was told to, and is not closed all the same.
    fn has_reached_target(&self, _state: &State) -> bool {
        false
    }

    /// Whether its bounds are those of one run, counted from what was spent before.
    fn has_per_run_caps(&self) -> bool {
        false
    }

    /// Whether `turn` may refer to what was said in the turn `earlier`. Rulings cannot be referred
    /// to: each judge rules alone.
    fn can_hear(&self, turn: TurnId, earlier: TurnId) -> bool {
        earlier < turn && matches!(earlier.stage, Stage::Round(_))
    }
}

/// The format named `name`.
pub fn format_by_name(name: FormatName) -> &'static dyn Format {
    match name {
        FormatName::Duel => &duel::Duel,
        FormatName::Formal => &formal::Formal,
        #[cfg(feature = "toy-format")]
        FormatName::Toy => &toy::Toy,
    }
}

/// The kind of moves that `turn` asks for.
pub fn requested_moves_kind(state: &State, turn: TurnId) -> MovesKind {
    format_by_name(state.spec.format()).moves_kind(turn)
}

/// Where the debate stands, in one word.
pub fn debate_phase(state: &State) -> Phase {
    if state.closed.is_some() {
        return Phase::Closed;
    }
    format_by_name(state.spec.format()).phase(state)
}

/// The turns of the blind round; none where there is no such round.
pub(crate) fn blind_turns(state: &State) -> Vec<TurnId> {
    let sides = state.spec.format().sides().into_iter();
    let turns = sides.map(|seat| TurnId::round(0, seat));
    turns.filter(|_| state.spec.has_blind_round()).collect()
}

/// The turns of the sides; see [`Format::side_turns`].
pub(crate) fn side_turns(state: &State) -> Vec<TurnId> {
    format_by_name(state.spec.format()).side_turns(state)
}

/// The calls that the debate makes from here on; see [`Format::remaining_calls`].
pub fn remaining_calls(state: &State) -> u32 {
    format_by_name(state.spec.format()).remaining_calls(state)
}

/// Whether the debate has come as far as it was told to; see [`Format::has_reached_target`].
pub fn has_reached_target(state: &State) -> bool {
    format_by_name(state.spec.format()).has_reached_target(state)
}
