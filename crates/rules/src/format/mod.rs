//! The formats of a debate: who speaks when.

use std::fmt;

use agon_record::id::TurnId;
use agon_record::moves::MovesKind;
use agon_record::spec::FormatName;
use agon_record::state::State;
use serde::{Deserialize, Serialize};

mod duel;
mod formal;

pub use duel::duel_calls_to_come;
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
