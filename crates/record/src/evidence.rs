//! The recorded results of looking up a debate's citations.
//!
//! This crate looks nothing up. The engine records the results, and rules, prompts and reports read
//! them from the record.

use std::borrow::Cow;

use crate::ground::{Citations, GroundStamp, grounds_of_moves, unchecked_stamp};
use crate::id::{AskKey, NodeId, TurnId};
use crate::moves::Ground;
use crate::stamp::Stamped;
use crate::state::State;

/// Returns the results for the reply to `key`, in the order of its grounds.
pub fn stamps_of_ask(state: &State, key: AskKey) -> &[GroundStamp] {
    let stamps = state.ask(key).and_then(|ask| ask.stamps.as_deref());
    stamps.unwrap_or_default()
}

/// Returns the results for the admitted reply of `turn`, in the order of its grounds.
pub fn stamps_of_turn(state: &State, turn: TurnId) -> &[GroundStamp] {
    let admitted = state.admitted(turn);
    admitted.map_or(&[], |admitted| stamps_of_ask(state, admitted.key))
}

/// Returns the results for the point `id`, in the order of its grounds.
pub fn stamps_of_point(state: &State, id: NodeId) -> Vec<&GroundStamp> {
    let turn = TurnId::round(id.round, id.seat);
    let place = state
        .admitted(turn)
        .and_then(|admitted| admitted.ids.iter().position(|known| *known == id));
    let stamps = stamps_of_turn(state, turn).iter();
    stamps.filter(|one| Some(one.point) == place).collect()
}

/// Returns the fault of the citations of point `id`, such as `wrong citation`; `None` if there is
/// none, or nothing was looked up.
pub fn citation_fault(state: &State, id: NodeId) -> Option<&'static str> {
    Citations::from_ground_stamps(stamps_of_point(state, id)).fault()
}

/// A place cited by an admitted turn, and the result of looking it up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroundCheck<'a> {
    /// The point with the ground.
    pub id: NodeId,
    /// The turn that made the point.
    pub turn: TurnId,
    /// The number of the ground in the point, from 1.
    pub ground: usize,
    /// The ground.
    pub said: &'a Ground,
    /// The citation and the result.
    pub stamped: Cow<'a, Stamped>,
}

/// Returns every ground of the debate with its results, in the order of the debate. A ground has
/// one entry for each place that its words name.
///
/// A citation that was not looked up counts as unchecked.
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
