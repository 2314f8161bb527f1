//! The view of a turn of a formal debate: the arguments it may target and the open attacks.

use std::collections::BTreeMap;

use agon_record::id::{NodeId, Seat, Stage, TurnId};
use agon_record::moves::{Attack, Contention};
use agon_record::score::Score;
use agon_record::state::State;

use crate::format;

/// The arguments that a turn sees, with their scores at its start.
///
/// Later events are ignored, so a prompt stays the same when the debate continues.
pub struct HeardArguments<'a> {
    seat: Seat,
    visible: Vec<(NodeId, &'a Contention)>,
    scores: BTreeMap<NodeId, Score>,
}

/// An attack that the attacked side has not answered.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UnansweredAttack<'a> {
    /// The argument that attacks.
    pub by: NodeId,
    /// The attack.
    pub attack: &'a Attack,
}

impl<'a> HeardArguments<'a> {
    /// Collects the arguments that `turn` sees.
    pub fn for_turn(state: &'a State, turn: TurnId) -> Self {
        let format = format::format_of(state);
        let nodes = state.nodes().into_iter();
        let visible = nodes.filter(|node| format.may_refer_to(turn, node.turn));
        let visible: Vec<_> = visible
            .filter_map(|node| Some((node.id, node.point.contention()?)))
            .collect();
        let exchange = match turn.stage {
            Stage::Round(exchange) => exchange,
            Stage::Theses => 0,
            Stage::Verdict | Stage::Swap => u16::MAX,
        };
        let score =
            |&(id, _): &(NodeId, _)| Some((id, score_before_exchange(state, id, exchange)?));
        Self {
            seat: turn.seat,
            scores: visible.iter().filter_map(score).collect(),
            visible,
        }
    }

    /// Returns every visible argument, in order.
    pub fn arguments(&self) -> &[(NodeId, &'a Contention)] {
        &self.visible
    }

    /// Returns the other side's arguments, which may be attacked.
    pub fn opponent_arguments(&self) -> Vec<NodeId> {
        self.arguments_of_seat(self.seat.opponent())
    }

    /// Returns the own side's arguments, which may be defended.
    pub fn own_arguments(&self) -> Vec<NodeId> {
        self.arguments_of_seat(Some(self.seat))
    }

    fn arguments_of_seat(&self, seat: Option<Seat>) -> Vec<NodeId> {
        let ids = self.visible.iter().map(|(id, _)| *id);
        ids.filter(|id| Some(id.seat) == seat).collect()
    }

    /// Returns the arguments without a score, in order.
    pub fn unscored_arguments(&self) -> Vec<NodeId> {
        let ids = self.visible.iter().map(|(id, _)| *id);
        ids.filter(|id| !self.scores.contains_key(id)).collect()
    }

    /// Returns the scored arguments with their scores, in order.
    pub fn scored_arguments(&self) -> impl Iterator<Item = (NodeId, Score)> {
        let score = |(id, _): &(NodeId, _)| Some((*id, *self.scores.get(id)?));
        self.visible.iter().filter_map(score)
    }

    /// Returns the attacks on the own side that none of its later arguments answers.
    pub fn unanswered_attacks(&self) -> Vec<UnansweredAttack<'a>> {
        let mut open = self.open_attacks();
        open.retain(|standing| standing.attack.target_id.seat == self.seat);
        open
    }

    /// Returns the attacks on either side that none of its later arguments answers.
    pub fn open_attacks(&self) -> Vec<UnansweredAttack<'a>> {
        let answered = |by: NodeId, target: NodeId| {
            self.visible.iter().any(|(id, contention)| {
                let defends = &contention.defends;
                id.round > by.round && defends.iter().any(|d| d.target_id == target)
            })
        };
        let attacks = self.visible.iter().flat_map(|&(by, contention)| {
            let attacks = contention.attacks.iter();
            attacks.map(move |attack| UnansweredAttack { by, attack })
        });
        attacks
            .filter(|standing| !answered(standing.by, standing.attack.target_id))
            .collect()
    }
}

/// Returns the score that `id` had before `exchange` was judged.
fn score_before_exchange(state: &State, id: NodeId, exchange: u16) -> Option<Score> {
    let mut entries = state.score_histories().get(&id)?.iter().enumerate();
    let before = entries.rfind(|(at, entry)| {
        let cause = entry.triggered_by.filter(|_| *at > 0).unwrap_or(id);
        cause.round < exchange
    });
    before.map(|(_, entry)| entry.score)
}
