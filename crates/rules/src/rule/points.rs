//! The points of a debate, prepared once for the rules of all its turns.

use std::cell::OnceCell;
use std::collections::HashMap;

use agon_record::event::ScoreEntry;
use agon_record::id::TurnId;
use agon_record::moves::Argument;
use agon_record::point::{Node, Point};
use agon_record::score::Score;
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
    /// The scores of each point that judges can score.
    scorings: OnceCell<Vec<Option<Scoring>>>,
}

/// The scores of a point in the whole debate.
#[derive(Debug)]
pub(super) struct Scoring {
    /// The exchange to which each score belongs, oldest first: a first score to the point's own, a
    /// changed score to that of the argument that triggered it.
    history: Vec<(u16, Score)>,
    /// The last judge's turn that scores it; changed scores do not count.
    pub(super) last: Option<TurnId>,
}

/// The claim of an argument and its pieces.
#[derive(Clone, Copy, Debug)]
pub(super) struct Claim<'a> {
    pub(super) text: &'a str,
    pub(super) pieces: &'a Pieces,
}

impl Scoring {
    /// Returns the last score before the exchange `now`.
    pub(super) fn score_before_exchange(&self, now: u16) -> Option<Score> {
        let earlier = self.history.iter().rfind(|(given_in, _)| *given_in < now)?;
        Some(earlier.1)
    }
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
            scorings: OnceCell::new(),
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

    /// Returns the scores of the point with index `at`, if judges can score it.
    pub(super) fn scoring(&self, at: usize) -> Option<&Scoring> {
        let scorings = self.scorings.get_or_init(|| self.collect_scorings());
        scorings.get(at)?.as_ref()
    }

    fn collect_scorings(&self) -> Vec<Option<Scoring>> {
        let mut last = HashMap::new();
        for (turn, admitted) in self.state.admitted_turns() {
            let given = admitted.moves.scores().filter(|_| turn.seat.is_judge());
            let ids = given.iter().flat_map(|scores| &scores.scores);
            // Turns are in order, so a later one replaces an earlier one.
            last.extend(ids.map(|one| (one.argument_id, turn)));
        }
        let histories = self.state.score_histories();
        let scoring = |node: &Node<'a>| {
            let history = histories.get(&node.id).map(Vec::as_slice);
            let entries = history.unwrap_or_default().iter();
            let given_in = |entry: &ScoreEntry| entry.triggered_by.unwrap_or(node.id).round;
            matches!(node.point, Point::Contention(_)).then(|| Scoring {
                history: entries
                    .map(|entry| (given_in(entry), entry.score))
                    .collect(),
                last: last.get(&node.id).copied(),
            })
        };
        self.nodes.iter().map(scoring).collect()
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
        for (at, node) in points.nodes.iter().enumerate() {
            let scores = |(_, it): &(TurnId, &agon_record::state::Admitted)| {
                let given = it.moves.scores().map(|it| it.scores.as_slice());
                let mut given = given.unwrap_or_default().iter();
                given.any(|one| one.argument_id == node.id)
            };
            let last = state.admitted_turns().filter(scores).last();
            let found = points.scoring(at).and_then(|scoring| scoring.last);
            assert_eq!(found, last.map(|(turn, _)| turn));
        }
        let first = points.scoring(0).and_then(|scoring| scoring.last);
        assert!(first.is_some_and(|turn| matches!(turn.seat, Seat::Judge(_))));
    }
}
