//! The formats of a debate: the order of turns.

use std::fmt;

use agon_record::format::Judging;
use agon_record::id::{Stage, TurnId};
use agon_record::moves::MovesKind;
use agon_record::spec::FormatName;
use agon_record::state::State;
use serde::{Deserialize, Serialize};

mod duel_format;
mod exchanges;
mod formal_format;
mod rounds;
#[cfg(feature = "toy-format")]
mod toy;

pub use exchanges::{first_unjudged_exchange, target_exchange};
pub(crate) use exchanges::{judge_turns, steps_of_exchange, theses_turn};
pub(crate) use rounds::blind_turns;

/// The phase of a debate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Both sides give their first answers.
    AwaitingBlind,
    /// The proposer speaks next.
    AwaitingProposer,
    /// The challenger speaks next.
    AwaitingChallenger,
    /// The judge rules next.
    AwaitingVerdict,
    /// Both sides of a formal debate argue next.
    AwaitingArguments,
    /// The judge of a formal debate scores next.
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
/// The provided methods depend on when judges speak: formats that end with a ruling use `rounds`,
/// formats that score every exchange use `exchanges`. Other properties of a format are in
/// [`FormatRules`](agon_record::format::FormatRules).
pub trait Format: fmt::Debug + Sync {
    /// Returns the name.
    fn name(&self) -> FormatName;

    /// Returns the kind of moves that a turn asks for.
    fn moves_kind(&self, turn: TurnId) -> MovesKind;

    /// Returns the planned turns of the sides in order, without the first answers.
    fn side_turns(&self, state: &State) -> Vec<TurnId> {
        match self.name().rules().judging {
            Judging::AtTheEnd => rounds::side_turns(state),
            Judging::EachRound => exchanges::side_turns(self, state),
        }
    }

    /// Returns the steps of one exchange in a format that scores exchanges. The turns of a step are
    /// asked for in parallel and admitted together or not at all.
    fn exchange_steps(&self, state: &State, exchange: u16) -> Vec<Vec<TurnId>> {
        exchanges::exchange_steps(state, exchange)
    }

    /// Returns the phase of a debate that is not closed.
    fn phase(&self, state: &State) -> Phase {
        match self.name().rules().judging {
            Judging::AtTheEnd => rounds::phase(self, state),
            Judging::EachRound => exchanges::phase(self, state),
        }
    }

    /// Returns the number of remaining calls to the requested end, without replies that are sent
    /// back and without retries. A person's turn does not count as a call in a duel.
    fn remaining_calls(&self, state: &State) -> u32 {
        match self.name().rules().judging {
            Judging::AtTheEnd => rounds::remaining_calls(self, state),
            Judging::EachRound => exchanges::remaining_calls(self, state),
        }
    }

    /// Returns the planned steps, in a duel including past ones. The turns of a step are asked for
    /// in parallel.
    fn planned_steps(&self, state: &State) -> Vec<Vec<TurnId>> {
        match self.name().rules().judging {
            Judging::AtTheEnd => rounds::planned_steps(self, state),
            Judging::EachRound => exchanges::planned_steps(self, state),
        }
    }

    /// Returns whether the requested exchanges are complete although the debate is not closed.
    fn has_reached_target(&self, state: &State) -> bool {
        match self.name().rules().judging {
            Judging::AtTheEnd => false,
            Judging::EachRound => exchanges::has_reached_target(state),
        }
    }

    /// Returns whether the limits apply to one run instead of the whole debate.
    fn has_per_run_caps(&self) -> bool {
        self.name().rules().judging == Judging::EachRound
    }

    /// Returns whether `turn` may refer to points of the turn `earlier`. No turn may refer to a
    /// ruling, since each judge rules alone. A judge that scores also sees the exchange it scores.
    fn may_refer_to(&self, turn: TurnId, earlier: TurnId) -> bool {
        match self.name().rules().judging {
            Judging::AtTheEnd => earlier < turn && matches!(earlier.stage, Stage::Round(_)),
            Judging::EachRound if turn.seat.is_judge() => earlier < turn,
            Judging::EachRound => earlier.stage < turn.stage,
        }
    }
}

/// Returns the format named `name`.
pub fn format_by_name(name: FormatName) -> &'static dyn Format {
    match name {
        FormatName::Duel => &duel_format::Duel,
        FormatName::Formal => &formal_format::Formal,
        #[cfg(feature = "toy-format")]
        FormatName::Toy => &toy::Toy,
    }
}

/// Returns the format of the debate.
pub fn format_of(state: &State) -> &'static dyn Format {
    format_by_name(state.spec.format())
}

/// Returns the kind of moves that `turn` asks for.
pub fn requested_moves_kind(state: &State, turn: TurnId) -> MovesKind {
    format_of(state).moves_kind(turn)
}

/// Returns the phase of the debate.
pub fn debate_phase(state: &State) -> Phase {
    match state.closed {
        Some(_) => Phase::Closed,
        None => format_of(state).phase(state),
    }
}

/// Returns the turns of the sides; see [`Format::side_turns`].
pub(crate) fn side_turns(state: &State) -> Vec<TurnId> {
    format_of(state).side_turns(state)
}

/// Returns the number of remaining calls; see [`Format::remaining_calls`].
pub fn remaining_calls(state: &State) -> u32 {
    format_of(state).remaining_calls(state)
}

/// Returns whether the requested exchanges are complete; see [`Format::has_reached_target`].
pub fn has_reached_target(state: &State) -> bool {
    format_of(state).has_reached_target(state)
}
