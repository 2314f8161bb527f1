//! Proposer against challenger, for one to five rounds, then a verdict.

use agon_record::id::{Seat, Stage, TurnId};
use agon_record::moves::MovesKind;
use agon_record::spec::{FormatName, Seating};
use agon_record::state::State;

use super::{Format, Phase};

/// The duel.
///
/// Unless it is quick, both sides answer first, unseen by each other. Then the
/// challenger answers the proposer, round by round, and a judge rules.
#[derive(Clone, Copy, Debug)]
pub(super) struct Duel;

pub(crate) const SIDES: [Seat; 2] = [Seat::Proposer, Seat::Challenger];

impl Format for Duel {
    fn name(&self) -> FormatName {
        FormatName::Duel
    }

    fn about(&self) -> &'static str {
        "proposer against challenger for one to five rounds, then a verdict"
    }

    fn phase(&self, state: &State) -> Phase {
        let open = |turn: &TurnId| state.turns.get(turn).is_none_or(|t| t.end.is_none());
        if state.capped.is_some() || state.is_sent_to_judge() {
            return Phase::AwaitingVerdict;
        }
        if state.spec.blind && blind_turns().iter().any(open) {
            return Phase::AwaitingBlind;
        }
        for turn in turns(state) {
            match (open(&turn), turn.seat) {
                (true, Seat::Proposer) => return Phase::AwaitingProposer,
                (true, _) => return Phase::AwaitingChallenger,
                (false, _) if state.admitted(turn).is_none() => return Phase::AwaitingVerdict,
                (false, _) => {}
            }
        }
        Phase::AwaitingVerdict
    }

    /// A person's turn needs no call.
    fn calls_to_come(&self, state: &State) -> u32 {
        let open = |turn: &TurnId| state.turns.get(turn).is_none_or(|turn| turn.end.is_none());
        let blind = blind_turns().into_iter().filter(|_| state.spec.blind);
        let judges = state.seats.keys().filter(|seat| seat.judges());
        let judges = judges.map(|&seat| TurnId::verdict(seat));
        let swap = state.swaps().then_some(TurnId::SWAP);
        let called = |turn: &TurnId| !state.seats.get(&turn.seat).is_some_and(Seating::is_human);
        let all = blind.chain(turns(state)).chain(judges).chain(swap);
        u32::try_from(all.filter(called).filter(open).count()).unwrap_or(u32::MAX)
    }

    fn is_at_rest(&self, _state: &State) -> bool {
        false
    }

    fn bounds_each_run(&self) -> bool {
        false
    }

    /// No seat hears a ruling: each judge rules alone.
    fn hears(&self, turn: TurnId, earlier: TurnId) -> bool {
        earlier < turn && matches!(earlier.stage, Stage::Round(_))
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

/// The turns of the blind round.
pub(crate) fn blind_turns() -> [TurnId; 2] {
    SIDES.map(|seat| TurnId::round(0, seat))
}

/// The turns of the rounds, in the order in which they are spoken.
pub(crate) fn turns(state: &State) -> impl Iterator<Item = TurnId> {
    (1..=state.rounds()).flat_map(|round| SIDES.map(|seat| TurnId::round(round, seat)))
}
