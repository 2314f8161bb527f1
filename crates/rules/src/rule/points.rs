//! The points of a debate, prepared once for the rules of all its turns.

use std::cell::OnceCell;
use std::collections::HashMap;

use agon_record::id::{NodeId, TurnId};
use agon_record::moves::Argument;
use agon_record::point::{Node, Point};
use agon_record::similarity::Pieces;
use agon_record::state::State;

/// The points of a debate, prepared for [`check_moves_among`](super::check_moves_among).
///
/// Building it takes O(n log n) time for n points. It also keeps what the rules compute from a
/// point, so that checking every turn of a debate computes it once.
#[derive(Debug)]
pub struct DebatePoints<'a> {
    pub(super) state: &'a State,
    /// The points, by id.
    pub(super) nodes: Vec<Node<'a>>,
    /// The pieces of each point's claim, when they were first compared.
    pieces: Vec<OnceCell<Pieces>>,
    /// For each scored point, the last judge's turn that scores it.
    scored: OnceCell<HashMap<NodeId, TurnId>>,
}

/// The claim of an argument and its pieces.
#[derive(Clone, Copy, Debug)]
pub(super) struct Claim<'a> {
    pub(super) text: &'a str,
    pub(super) pieces: &'a Pieces,
}

impl<'a> DebatePoints<'a> {
    /// Collects the points of `state`.
    pub fn of(state: &'a State) -> Self {
        let mut nodes = state.nodes();
        nodes.sort_by_key(|node| node.id);
        Self {
            state,
            pieces: nodes.iter().map(|_| OnceCell::new()).collect(),
            nodes,
            scored: OnceCell::new(),
        }
    }

    /// Returns the claim of the point with index `at`, if it is an argument.
    pub(super) fn claim(&self, at: usize) -> Option<Claim<'_>> {
        let argument: &Argument = match self.nodes.get(at)?.point {
            Point::Argument(argument) | Point::Alternative(argument) => argument,
            Point::Contention(contention) => &contention.argument,
            Point::Objection(_)
            | Point::Response(_)
            | Point::Assessment(_)
            | Point::Agreement(_) => return None,
        };
        let text = argument.claim.as_str();
        let pieces = self.pieces.get(at)?;
        let pieces = pieces.get_or_init(|| Pieces::from_text(text));
        Some(Claim { text, pieces })
    }

    /// Returns the last judge's turn in the debate that scores `id`; changed scores do not count.
    pub(super) fn last_scoring(&self, id: NodeId) -> Option<TurnId> {
        let collect = || {
            let mut scored = HashMap::new();
            for (turn, admitted) in self.state.admitted_turns() {
                let given = admitted.moves.scores().filter(|_| turn.seat.is_judge());
                let ids = given.iter().flat_map(|scores| &scores.scores);
                // Turns are in order, so a later one replaces an earlier one.
                scored.extend(ids.map(|one| (one.argument_id, turn)));
            }
            scored
        };
        self.scored.get_or_init(collect).get(&id).copied()
    }
}

#[cfg(test)]
mod tests {
    use agon_record::id::Seat;

    use super::*;
    use crate::rule::tests::formal::all;

    #[test]
    fn the_pieces_of_a_claim_are_made_once() {
        let state = all();
        let points = DebatePoints::of(&state);
        assert!(points.pieces.iter().all(|pieces| pieces.get().is_none()));
        let one = points.claim(0).unwrap();
        assert!(std::ptr::eq(one.pieces, points.claim(0).unwrap().pieces));
        assert_eq!(*one.pieces, Pieces::from_text(one.text));
    }

    #[test]
    fn the_last_turn_that_scores_a_point_is_found() {
        let state = all();
        let points = DebatePoints::of(&state);
        for node in &points.nodes {
            let scores = |(_, it): &(TurnId, &agon_record::state::Admitted)| {
                let given = it.moves.scores().map(|it| it.scores.as_slice());
                let mut given = given.unwrap_or_default().iter();
                given.any(|one| one.argument_id == node.id)
            };
            let last = state.admitted_turns().filter(scores).last();
            assert_eq!(points.last_scoring(node.id), last.map(|(turn, _)| turn));
        }
        let first = points.last_scoring(points.nodes[0].id);
        assert!(first.is_some_and(|turn| matches!(turn.seat, Seat::Judge(_))));
    }
}
