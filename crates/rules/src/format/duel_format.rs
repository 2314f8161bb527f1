//! The duel: proposer against challenger for one to five rounds, then a verdict.

use agon_record::id::{Seat, Stage, TurnId};
use agon_record::moves::MovesKind;
use agon_record::spec::FormatName;

use super::Format;

/// The duel.
///
/// Unless it is quick, both sides first answer without seeing each other's answer. Then the
/// challenger answers the proposer, round by round, and a judge rules.
#[derive(Clone, Copy, Debug)]
pub(super) struct Duel;

impl Format for Duel {
    fn name(&self) -> FormatName {
        FormatName::Duel
    }

    fn moves_kind(&self, turn: TurnId) -> MovesKind {
        match (turn.stage, turn.seat) {
            (Stage::Theses | Stage::Verdict | Stage::Swap, _) | (_, Seat::Judge(_)) => {
                MovesKind::Verdict
            }
            (Stage::Round(0), _) => MovesKind::Blind,
            (Stage::Round(1), Seat::Challenger | Seat::Opposition) => MovesKind::Challenge,
            (Stage::Round(1), _) => MovesKind::Opening,
            (Stage::Round(_), Seat::Challenger | Seat::Opposition) => MovesKind::FollowUp,
            (Stage::Round(_), _) => MovesKind::Defense,
        }
    }
}
