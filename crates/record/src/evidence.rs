//! What code found at the places that a debate's grounds cite, as its record has it.
//!
//! The domain does not look anything up: the engine records what was found, and
//! rules, prompts and reports read it from the record.

use std::borrow::Cow;

use crate::ground::{Citations, GroundStamp, grounds_of_moves, unchecked_stamp};
use crate::id::{AskKey, NodeId, TurnId};
use crate::moves::Ground;
use crate::stamp::Stamped;
use crate::state::State;

/// What was found for the reply to `key`, in the order of its grounds.
pub fn stamps_of_ask(state: &State, key: AskKey) -> &[GroundStamp] {
    let stamps = state.ask(key).and_then(|ask| ask.stamps.as_deref());
    stamps.unwrap_or_default()
}

/// What was found for the admitted reply of `turn`, in the order of its grounds.
pub fn stamps_of_turn(state: &State, turn: TurnId) -> &[GroundStamp] {
    let admitted = state.admitted(turn);
    admitted.map_or(&[], |admitted| stamps_of_ask(state, admitted.key))
}

/// What was found for the point `id`, in the order of its grounds.
pub fn stamps_of_point(state: &State, id: NodeId) -> Vec<&GroundStamp> {
    let turn = TurnId::round(id.round, id.seat);
    let place = state
        .admitted(turn)
        .and_then(|admitted| admitted.ids.iter().position(|known| *known == id));
    let stamps = stamps_of_turn(state, turn).iter();
    stamps.filter(|one| Some(one.point) == place).collect()
}

/// What is wrong with the places that the point `id` cites, such as `wrong citation`; none where
/// nothing is, or nothing was looked up.
pub fn citation_fault(state: &State, id: NodeId) -> Option<&'static str> {
    Citations::from_ground_stamps(stamps_of_point(state, id)).fault()
}

/// A place that an admitted turn cites, and what was found there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroundCheck<'a> {
    /// The point that rests on it.
    pub id: NodeId,
    /// The turn that made the point.
    pub turn: TurnId,
    /// Which ground of the point it is, from 1.
    pub ground: usize,
    /// The ground.
    pub said: &'a Ground,
    /// The citation, and what was found.
    pub stamped: Cow<'a, Stamped>,
}

/// Every ground of the debate with what was found for it, in the order of the debate: as many
/// entries for one ground as its words name places.
///
/// Where nothing was looked up, a ground with a citation is unchecked.
pub fn ground_checks(state: &State) -> Vec<GroundCheck<'_>> {
    let mut all = Vec::new();
    for (turn, admitted) in state.admitted_turns() {
        let stamps = stamps_of_turn(state, turn);
        for cited in grounds_of_moves(&admitted.moves) {
            let Some(&id) = admitted.ids.get(cited.point) else {
                continue;
            };
            let of_it = stamps.iter();
            let of_it = of_it.filter(|one| (one.point, one.ground) == (cited.point, cited.ground));
            let mut found: Vec<_> = of_it.map(|one| Cow::Borrowed(&one.stamped)).collect();
            if found.is_empty() {
                found.push(Cow::Owned(unchecked_stamp(cited.said)));
            }
            all.extend(found.into_iter().map(|stamped| GroundCheck {
                id,
                turn,
                ground: cited.ground + 1,
                said: cited.said,
                stamped,
            }));
        }
    }
    all
}
