//! The formats of a debate: who speaks when.

use std::fmt::Debug;

use crate::plan::{Phase, Plan};
use agon_record::id::TurnId;
use agon_record::moves::MovesKind;
use agon_record::spec::FormatName;
use agon_record::state::State;

mod duel;
mod formal;

pub use duel::duel_calls_to_come;
pub(crate) use formal::judging as formal_judging;
pub use formal::{exchange, through};

/// A debate format: a pure function from the state to a plan.
pub trait Format: Debug + Sync {
    /// The name used in files and on the command line.
    fn name(&self) -> FormatName;

    /// One line that says what it is.
    fn about(&self) -> &'static str;

    /// What happens next in a debate that is neither closed nor halted.
    fn plan(&self, state: &State) -> Plan;

    /// Where the debate stands.
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
