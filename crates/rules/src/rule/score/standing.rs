//! The scores before a judge's turn, and the arguments without a score.

use agon_record::id::{NodeId, Seat, TurnId};
use agon_record::score::Score;

use crate::rule::Scene;

/// The arguments that a judge sees, with and without scores.
pub(super) struct ScoreBook {
    pending: Vec<NodeId>,
    /// By id.
    scored: Vec<(NodeId, Score)>,
}

impl ScoreBook {
    /// Collects the scores before the scene's turn; later turns are ignored.
    pub(super) fn before_turn(scene: &Scene<'_>) -> Self {
        let now = scene.exchange().unwrap_or(u16::MAX);
        let first = TurnId::round(now, Seat::Judge(0));
        let mut standing = Self {
            pending: Vec::new(),
            scored: Vec::new(),
        };
        for (id, scoring) in scene.scored_points() {
            // An argument's own exchange may be earlier than that of its first score, if another
            // tool left it without one.
            let is_scored_later = scoring.last >= Some(first);
            let before = match is_scored_later {
                true => None,
                false => scoring.score_before_exchange(now),
            };
            match before {
                Some(score) => standing.scored.push((id, score)),
                None => standing.pending.push(id),
            }
        }
        standing
    }

    /// Returns the arguments without a score, in order.
    pub(super) fn pending_ids(&self) -> &[NodeId] {
        &self.pending
    }

    /// Returns whether `id` has no score yet.
    pub(super) fn is_pending(&self, id: NodeId) -> bool {
        self.pending.binary_search(&id).is_ok()
    }

    /// Returns the score of `id`, if it has one.
    pub(super) fn score(&self, id: NodeId) -> Option<Score> {
        let found = self.scored.binary_search_by_key(&id, |(id, _)| *id);
        found.ok().map(|at| self.scored[at].1)
    }

    /// Returns the arguments with a score, in order.
    pub(super) fn scored_ids(&self) -> impl Iterator<Item = NodeId> {
        self.scored.iter().map(|(id, _)| *id)
    }
}
