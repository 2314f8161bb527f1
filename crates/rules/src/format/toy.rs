//! A third format that only tests use.

use agon_record::id::{Seat, TurnId};
use agon_record::moves::MovesKind;
use agon_record::spec::FormatName;
use agon_record::state::State;

use super::{Format, duel_format::Duel};

/// One round, one more turn of the proposer, then a verdict.
#[derive(Clone, Copy, Debug)]
pub(super) struct Toy;

impl Format for Toy {
    fn name(&self) -> FormatName {
        FormatName::Toy
    }

    fn side_turns(&self, _state: &State) -> Vec<TurnId> {
        let seats = [
            (1, Seat::Proposer),
            (1, Seat::Challenger),
            (2, Seat::Proposer),
        ];
        seats
            .map(|(round, seat)| TurnId::round(round, seat))
            .to_vec()
    }

    fn moves_kind(&self, turn: TurnId) -> MovesKind {
        Duel.moves_kind(turn)
    }
}
