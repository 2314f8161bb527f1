//! The formats of a debate: who speaks when.

use std::fmt;

use agon_record::id::TurnId;
use agon_record::moves::MovesKind;
use agon_record::spec::FormatName;
use agon_record::state::State;
use serde::{Deserialize, Serialize};

mod duel;
mod formal;

pub(crate) use duel::{SIDES, blind_turns, turns};
pub(crate) use formal::{arguing, judging};
pub use formal::{exchange, through};

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
pub trait Format: fmt::Debug + Sync {
    /// The name used in files and on the command line.
    fn name(&self) -> FormatName;

    /// One line that says what it is.
    fn about(&self) -> &'static str;

    /// Where a debate stands that is not closed.
    fn phase(&self, state: &State) -> Phase;

    /// What kind of moves a turn asks for.
    fn moves_kind(&self, turn: TurnId) -> MovesKind;

    /// The calls that it makes from here on, as far as it was told to come, when no reply is sent
    /// back and no call tried again.
    fn calls_to_come(&self, state: &State) -> u32;

    /// Whether it has come as far as it was told to, and is not closed all the same.
    fn is_at_rest(&self, state: &State) -> bool;

    /// Whether its bounds are those of one run, counted from what was spent before.
    fn bounds_each_run(&self) -> bool;

    /// Whether what was said in `earlier` is there to be answered in `turn`.
    fn hears(&self, turn: TurnId, earlier: TurnId) -> bool {
        earlier < turn
    }
}

/// Every format.
pub const FORMATS: &[&dyn Format] = &[&duel::Duel, &formal::Formal];

/// The format named `name`.
pub fn of(name: FormatName) -> &'static dyn Format {
    match name {
        FormatName::Duel => &duel::Duel,
        FormatName::Formal => &formal::Formal,
    }
}

/// Where the debate stands, in one word.
pub fn phase(state: &State) -> Phase {
    if state.closed.is_some() {
        return Phase::Closed;
    }
    of(state.spec.format).phase(state)
}

/// The calls that the debate makes from here on; see [`Format::calls_to_come`].
pub fn calls_to_come(state: &State) -> u32 {
    of(state.spec.format).calls_to_come(state)
}

/// Whether the debate has come as far as it was told to; see [`Format::is_at_rest`].
pub fn is_at_rest(state: &State) -> bool {
    of(state.spec.format).is_at_rest(state)
}
