//! The input of a rule: the debate before a turn, and the turn's moves.

use std::cell::OnceCell;

use agon_record::finding::{Finding, Severity};
use agon_record::ground::GroundStamp;
use agon_record::id::{NodeId, Seat, Stage, TurnId};
use agon_record::moves::{
    Agreement, Argument, Assessment, Challenge, Contention, Defense, FollowUp, Formal, Ground,
    Moves, Objection, Response, Scores, Theses,
};
use agon_record::point::{self, Node, Point, points_with_paths};
use agon_record::spec::Seating;
use agon_record::state::{Admitted, State};
use agon_record::text::sanitise_line;

use super::points::{Claim, DebatePoints, Scoring};
use crate::format;

/// The input of a rule: the debate before a turn, and the turn's moves.
#[derive(Clone, Debug)]
pub struct Scene<'a> {
    /// The debate, which may have later turns.
    pub state: &'a State,
    /// The turn.
    pub turn: TurnId,
    /// The moves of the turn.
    pub moves: &'a Moves,
    /// The results of the moves' citation checks; empty if nothing was checked.
    pub stamps: &'a [GroundStamp],
    /// Whether this is the first reply to the turn, which may still be sent back.
    pub is_first_reply: bool,
    points: &'a DebatePoints<'a>,
    /// The indexes in `points` of the points made before this turn, in order, when first needed.
    earlier: OnceCell<Vec<usize>>,
}

impl<'a> Scene<'a> {
    /// Creates the scene of `turn` in the debate of `points`.
    pub fn new(points: &'a DebatePoints<'a>, turn: TurnId, moves: &'a Moves) -> Self {
        Self {
            state: points.state,
            turn,
            moves,
            stamps: &[],
            is_first_reply: false,
            points,
            earlier: OnceCell::new(),
        }
    }

    /// Adds the results of the moves' citation checks.
    #[must_use]
    pub fn with_stamps(self, stamps: &'a [GroundStamp]) -> Self {
        Self { stamps, ..self }
    }

    /// Marks the reply as the first to its turn.
    #[must_use]
    pub fn as_first_reply(self) -> Self {
        Self {
            is_first_reply: true,
            ..self
        }
    }

    /// Returns whether the seat is asked question by question instead of for a complete turn.
    pub fn is_interviewed(&self) -> bool {
        let seating = self.state.seats.get(&self.turn.seat);
        seating.is_some_and(Seating::is_interviewed)
    }

    /// Returns the place of each point of the moves, in their numbering order.
    pub fn point_paths(&self) -> Vec<String> {
        let placed = points_with_paths(self.moves).into_iter();
        placed.map(|(at, _)| at).collect()
    }

    /// Returns the points made before this turn, by id.
    pub fn earlier_nodes(&self) -> impl Iterator<Item = &'a Node<'a>> {
        self.earlier_points().map(|(_, node)| node)
    }

    /// Returns the points made before this turn with their indexes, by id.
    fn earlier_points(&self) -> impl Iterator<Item = (usize, &'a Node<'a>)> {
        let nodes = &self.points.nodes;
        let collect = || {
            let format = format::format_of(self.state);
            let nodes = nodes.iter().enumerate();
            nodes
                .filter(|(_, node)| format.may_refer_to(self.turn, node.turn))
                .map(|(at, _)| at)
                .collect()
        };
        let earlier = self.earlier.get_or_init(collect).iter();
        earlier.map(move |&at| (at, &nodes[at]))
    }

    /// Returns the points made before this turn that judges can score, with their scores, by id.
    pub(super) fn scored_points(&self) -> impl Iterator<Item = (NodeId, &'a Scoring)> {
        let points = self.points;
        let earlier = self.earlier_points();
        earlier.filter_map(|(at, node)| Some((node.id, points.scoring(at)?)))
    }

    /// Returns the point `id`, if it was made before this turn.
    pub fn node(&self, id: NodeId) -> Option<&'a Node<'a>> {
        let nodes = &self.points.nodes;
        let found = nodes.binary_search_by_key(&id, |node| node.id).ok()?;
        let node = &nodes[found];
        let format = format::format_of(self.state);
        format.may_refer_to(self.turn, node.turn).then_some(node)
    }

    /// Returns the points that the other side made before this turn, by id.
    pub fn opponent_nodes(&self) -> impl Iterator<Item = &'a Node<'a>> {
        let them = self.turn.seat.opponent();
        self.earlier_nodes()
            .filter(move |node| Some(node.seat()) == them)
    }

    /// Returns the points that the own seat made before this turn, by id.
    pub fn own_nodes(&self) -> impl Iterator<Item = &'a Node<'a>> {
        let us = self.turn.seat;
        self.earlier_nodes().filter(move |node| node.seat() == us)
    }

    /// Returns the claims that the own seat made before this turn, by id.
    pub(super) fn own_claims(&self) -> impl Iterator<Item = (NodeId, Claim<'a>)> {
        let (points, us) = (self.points, self.turn.seat);
        let own = self.earlier_points();
        let own = own.filter(move |(_, node)| node.seat() == us);
        own.filter_map(move |(at, node)| Some((node.id, points.claim(at)?)))
    }

    /// Returns the other side's last turn before this one, except first answers.
    pub fn last_opponent_turn(&self) -> Option<(TurnId, &'a Admitted)> {
        let them = self.turn.seat.opponent()?;
        self.admitted_round_turns()
            .filter(|(turn, _)| turn.seat == them && *turn < self.turn)
            .last()
    }

    /// Returns whether `seat` has spoken in a round.
    pub fn has_spoken(&self, seat: Seat) -> bool {
        self.admitted_round_turns()
            .any(|(turn, _)| turn.seat == seat)
    }

    fn admitted_round_turns(&self) -> impl Iterator<Item = (TurnId, &'a Admitted)> {
        self.state
            .admitted_turns()
            .filter(|(turn, _)| matches!(turn.stage, Stage::Round(round) if round > 0))
    }

    /// Returns the challenge, in the challenger's first turn.
    pub fn challenge(&self) -> Option<&'a Challenge> {
        self.moves.challenge()
    }

    /// Returns the proposer's answers, in a turn that has them.
    pub fn defense(&self) -> Option<&'a Defense> {
        self.moves.defense()
    }

    /// Returns the challenger's rulings, in a turn that has them.
    pub fn follow_up(&self) -> Option<&'a FollowUp> {
        self.moves.follow_up()
    }

    /// Returns the objections of this turn.
    pub fn objections(&self) -> &'a [Objection] {
        self.moves.objections()
    }

    /// Returns the agreements of this turn.
    pub fn agreements(&self) -> &'a [Agreement] {
        self.moves.agreements()
    }

    /// Returns the responses of this turn.
    pub fn responses(&self) -> &'a [Response] {
        self.moves.responses()
    }

    /// Returns the assessments of this turn.
    pub fn assessments(&self) -> &'a [Assessment] {
        self.moves.assessments()
    }

    /// Returns the arguments and alternatives of this turn with their places.
    pub fn arguments_with_paths(&self) -> Vec<(String, &'a Argument)> {
        let own = |point: &Point<'a>| point.argument().or_else(|| point.alternative());
        let placed = points_with_paths(self.moves).into_iter();
        placed
            .filter_map(|(at, point)| Some((at, own(&point)?)))
            .collect()
    }

    /// Returns the formal arguments of these moves with their places; a rebuttal's place is empty.
    pub fn contentions_with_paths(&self) -> Vec<(String, &'a Contention)> {
        let placed = points_with_paths(self.moves).into_iter();
        placed
            .filter_map(|(at, point)| Some((at, point.contention()?)))
            .collect()
    }

    /// Returns the scores, in a turn that has them.
    pub fn scores(&self) -> Option<&'a Scores> {
        self.moves.scores()
    }

    /// Returns the theses, in the turn that states them.
    pub fn theses(&self) -> Option<&'a Theses> {
        self.moves.theses()
    }

    /// Returns the moves of a formal debate.
    pub fn formal(&self) -> Option<&'a Formal> {
        self.moves.formal()
    }

    /// Returns the exchange of this turn, if it is in one.
    pub fn exchange(&self) -> Option<u16> {
        match self.turn.stage {
            Stage::Round(exchange) => Some(exchange),
            Stage::Theses | Stage::Verdict | Stage::Swap => None,
        }
    }

    /// Returns every list of grounds in this turn of a duel, with the place of its owner.
    pub fn duel_grounds_with_paths(&self) -> Vec<(String, &'a [Ground])> {
        let placed = points_with_paths(self.moves).into_iter();
        placed
            .filter(|(_, point)| point.contention().is_none())
            .map(|(at, point)| (at, point.grounds()))
            .collect()
    }

    /// Returns the number of points in this turn.
    pub fn point_count(&self) -> usize {
        point::points(self.moves).len()
    }

    /// Returns a breach with the severity of a warning, unless the debate sets another one.
    pub fn warning_breach(
        &self,
        at: impl Into<String>,
        message: impl AsRef<str>,
        hint: impl AsRef<str>,
    ) -> Finding {
        Finding {
            severity: Severity::Warning,
            ..self.breach(at, message, hint)
        }
    }

    /// Returns a breach at `at` with its rule's severity; [`check_moves`](super::check_moves) adds
    /// the rule's code.
    pub fn breach(
        &self,
        at: impl Into<String>,
        message: impl AsRef<str>,
        hint: impl AsRef<str>,
    ) -> Finding {
        Finding {
            code: String::new(),
            severity: Severity::Fatal,
            turn: self.turn,
            at: at.into(),
            path: None,
            span: None,
            message: sanitise_line(message.as_ref(), 200),
            hint: sanitise_line(hint.as_ref(), 400),
        }
    }
}

/// Joins the place `at` and `name`; `at` is empty for the whole reply.
pub(super) fn join_path(at: &str, name: &str) -> String {
    match at {
        "" => name.to_owned(),
        at => format!("{at}.{name}"),
    }
}

/// Lists the first twelve `ids` for people.
pub(super) fn list_ids(ids: impl IntoIterator<Item = NodeId>) -> String {
    let ids: Vec<_> = ids.into_iter().collect();
    if ids.is_empty() {
        return "none".to_owned();
    }
    let shown: Vec<_> = ids.iter().take(12).map(ToString::to_string).collect();
    let more = ids.len() - shown.len();
    let shown = shown.join(", ");
    if more > 0 {
        format!("{shown} and {more} more")
    } else {
        shown
    }
}
