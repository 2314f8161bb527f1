//! The formal debate: proposition against opposition, with every exchange judged.

use agon_record::id::{Seat, Stage, TurnId};
use agon_record::moves::MovesKind;
use agon_record::spec::FormatName;

use super::Format;

/// The formal debate.
///
/// In each exchange both sides speak without seeing each other's arguments, then every judge
/// scores. It has no planned end: it pauses after the requested exchanges.
#[derive(Clone, Copy, Debug)]
pub(super) struct Formal;

impl Format for Formal {
    fn name(&self) -> FormatName {
        FormatName::Formal
    }

    fn moves_kind(&self, turn: TurnId) -> MovesKind {
        match (turn.stage, turn.seat) {
            (Stage::Theses, _) => MovesKind::Theses,
            (Stage::Verdict | Stage::Swap, _) | (_, Seat::Judge(_)) => MovesKind::Scores,
            (Stage::Round(0), _) => MovesKind::Case,
            (Stage::Round(_), _) => MovesKind::Rebuttal,
        }
    }
}
