//! The formats of a debate: who speaks when.

use std::fmt;

use agon_record::format::Judging;
use agon_record::id::{Stage, TurnId};
use agon_record::moves::MovesKind;
use agon_record::spec::FormatName;
use agon_record::state::State;
use serde::{Deserialize, Serialize};

mod duel;
mod exchanges;
mod formal;
mod rounds;
#[cfg(feature = "toy-format")]
mod toy;

pub use exchanges::{first_unjudged_exchange, target_exchange};
pub(crate) use exchanges::{judge_turns, steps_of_exchange, theses_turn};
pub(crate) use rounds::blind_turns;

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
/// What is provided depends on when judges speak: formats whose rounds end with a ruling have it of
/// `rounds`, formats that are scored exchange by exchange of `exchanges`. The rest of what a format
/// is stands in [`FormatRules`](agon_record::format::FormatRules).
pub trait Format: fmt::Debug + Sync {
    /// The name.
    fn name(&self) -> FormatName;

    /// What kind of moves a turn asks for.
    fn moves_kind(&self, turn: TurnId) -> MovesKind;

    /// The turns of the sides as far as they are planned, in the order in which they are spoken;
    /// without those of a blind round.
    fn side_turns(&self, state: &State) -> Vec<TurnId> {
        match self.name().rules().judging {
            Judging::AtTheEnd => rounds::side_turns(state),
            Judging::EachRound => exchanges::side_turns(self, state),
        }
    }

    /// The turns of one exchange of a format that is scored; those of one step are asked for beside
    /// each other, and admitted together or not at all.
    fn exchange_steps(&self, state: &State, exchange: u16) -> Vec<Vec<TurnId>> {
        exchanges::exchange_steps(state, exchange)
    }

    /// Where a debate stands that is not closed.
    fn phase(&self, state: &State) -> Phase {
        match self.name().rules().judging {
            Judging::AtTheEnd => rounds::phase(self, state),
            Judging::EachRound => exchanges::phase(self, state),
        }
    }

    /// The calls that it makes from here on, as far as it was told to come, when no reply is sent
    /// back and no call tried again; a person's turn is not a call where judges rule at the end.
    fn remaining_calls(&self, state: &State) -> u32 {
        match self.name().rules().judging {
            Judging::AtTheEnd => rounds::remaining_calls(self, state),
            Judging::EachRound => exchanges::remaining_calls(self, state),
        }
    }

    /// The turns that are planned, of rounds those of the past included; those of one step are
    /// asked for beside each other.
    fn planned_steps(&self, state: &State) -> Vec<Vec<TurnId>> {
        match self.name().rules().judging {
            Judging::AtTheEnd => rounds::planned_steps(self, state),
            Judging::EachRound => exchanges::planned_steps(self, state),
        }
    }

    /// Whether it has come as far as it was told to, and is not closed all the same.
    fn has_reached_target(&self, state: &State) -> bool {
        match self.name().rules().judging {
            Judging::AtTheEnd => false,
            Judging::EachRound => exchanges::has_reached_target(state),
        }
    }

    /// Whether its bounds are those of one run, counted from what was spent before.
    fn has_per_run_caps(&self) -> bool {
        self.name().rules().judging == Judging::EachRound
    }

    /// Whether `turn` may refer to what was said in the turn `earlier`. Rulings cannot be referred
    /// to: each judge rules alone. Who scores also hears the exchange that they score.
    fn can_hear(&self, turn: TurnId, earlier: TurnId) -> bool {
        match self.name().rules().judging {
            Judging::AtTheEnd => earlier < turn && matches!(earlier.stage, Stage::Round(_)),
            Judging::EachRound if turn.seat.is_judge() => earlier < turn,
            Judging::EachRound => earlier.stage < turn.stage,
        }
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

/// The format of the debate.
pub fn format_of(state: &State) -> &'static dyn Format {
    format_by_name(state.spec.format())
}

/// The kind of moves that `turn` asks for.
pub fn requested_moves_kind(state: &State, turn: TurnId) -> MovesKind {
    format_of(state).moves_kind(turn)
}

/// Where the debate stands, in one word.
pub fn debate_phase(state: &State) -> Phase {
    match state.closed {
        Some(_) => Phase::Closed,
        None => format_of(state).phase(state),
    }
}

/// The turns of the sides; see [`Format::side_turns`].
pub(crate) fn side_turns(state: &State) -> Vec<TurnId> {
    format_of(state).side_turns(state)
}

/// The calls that the debate makes from here on; see [`Format::remaining_calls`].
pub fn remaining_calls(state: &State) -> u32 {
    format_of(state).remaining_calls(state)
}

/// Whether the debate has come as far as it was told to; see [`Format::has_reached_target`].
pub fn has_reached_target(state: &State) -> bool {
    format_of(state).has_reached_target(state)
}
