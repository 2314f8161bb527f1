//! What a rule sees: the debate before a turn, and the turn's moves.

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

use crate::format;

/// What a rule sees: the debate before a turn, and the turn's moves.
#[derive(Clone, Debug)]
pub struct Scene<'a> {
    /// The debate, which may have gone on since.
    pub state: &'a State,
    /// The turn.
    pub turn: TurnId,
    /// What is said in it.
    pub moves: &'a Moves,
    /// What was found at the places that they cite; empty when nothing was looked up.
    pub stamps: &'a [GroundStamp],
    /// Whether it is the first reply to its turn, which may still be sent back.
    pub is_first_reply: bool,
    earlier: Vec<Node<'a>>,
}

impl<'a> Scene<'a> {
    /// The scene of `turn` in `state`.
    pub fn new(state: &'a State, turn: TurnId, moves: &'a Moves) -> Self {
        let mut earlier = state.nodes();
        let format = format::format_of(state);
        earlier.retain(|node| format.can_hear(turn, node.turn));
        earlier.sort_by_key(|node| node.id);
        Self {
            state,
            turn,
            moves,
            stamps: &[],
            is_first_reply: false,
            earlier,
        }
    }

    /// The scene, with what was found at the places that the moves cite.
    #[must_use]
    pub fn with_stamps(self, stamps: &'a [GroundStamp]) -> Self {
        Self { stamps, ..self }
    }

    /// The scene of a reply that is the first to its turn.
    #[must_use]
    pub fn as_first_reply(self) -> Self {
        Self {
            is_first_reply: true,
            ..self
        }
    }

    /// Whether the seat is interviewed, and not asked for a turn as a whole.
    pub fn is_interviewed(&self) -> bool {
        let seating = self.state.seats.get(&self.turn.seat);
        seating.is_some_and(Seating::is_interviewed)
    }

    /// The place of each point of the moves, in the order in which they are numbered.
    pub fn point_paths(&self) -> Vec<String> {
        let placed = points_with_paths(self.moves).into_iter();
        placed.map(|(at, _)| at).collect()
    }

    /// The points made before this turn, by id.
    pub fn earlier_nodes(&self) -> &[Node<'a>] {
        &self.earlier
    }

    /// The point `id`, if it was made before this turn.
    pub fn node(&self, id: NodeId) -> Option<&Node<'a>> {
        let found = self.earlier.binary_search_by_key(&id, |node| node.id);
        found.ok().and_then(|at| self.earlier.get(at))
    }

    /// The points made before this turn by the seat across the table, by id.
    pub fn opponent_nodes(&self) -> impl Iterator<Item = &Node<'a>> {
        let them = self.turn.seat.opponent();
        self.earlier
            .iter()
            .filter(move |node| Some(node.seat()) == them)
    }

    /// The points made before this turn by its own seat, by id.
    pub fn own_nodes(&self) -> impl Iterator<Item = &Node<'a>> {
        let us = self.turn.seat;
        self.earlier.iter().filter(move |node| node.seat() == us)
    }

    /// The last turn before this one in which the seat across the table spoke, blind answers aside.
    pub fn last_opponent_turn(&self) -> Option<(TurnId, &'a Admitted)> {
        let them = self.turn.seat.opponent()?;
        self.admitted_round_turns()
            .filter(|(turn, _)| turn.seat == them && *turn < self.turn)
            .last()
    }

    /// Whether `seat` has spoken in a round.
    pub fn has_spoken(&self, seat: Seat) -> bool {
        self.admitted_round_turns()
            .any(|(turn, _)| turn.seat == seat)
    }

    fn admitted_round_turns(&self) -> impl Iterator<Item = (TurnId, &'a Admitted)> {
        self.state
            .admitted_turns()
            .filter(|(turn, _)| matches!(turn.stage, Stage::Round(round) if round > 0))
    }

    /// Whether this is the challenger's first turn.
    pub fn challenge(&self) -> Option<&'a Challenge> {
        self.moves.challenge()
    }

    /// The proposer's answers, in a turn that gives them.
    pub fn defense(&self) -> Option<&'a Defense> {
        self.moves.defense()
    }

    /// The challenger's rulings, in a turn that gives them.
    pub fn follow_up(&self) -> Option<&'a FollowUp> {
        self.moves.follow_up()
    }

    /// The objections of this turn.
    pub fn objections(&self) -> &'a [Objection] {
        self.moves.objections()
    }

    /// The agreements of this turn.
    pub fn agreements(&self) -> &'a [Agreement] {
        self.moves.agreements()
    }

    /// The responses of this turn.
    pub fn responses(&self) -> &'a [Response] {
        self.moves.responses()
    }

    /// The assessments of this turn.
    pub fn assessments(&self) -> &'a [Assessment] {
        self.moves.assessments()
    }

    /// The arguments and alternatives of this turn, each with the name of its list.
    pub fn arguments_with_paths(&self) -> Vec<(String, &'a Argument)> {
        let own = |point: &Point<'a>| point.argument().or_else(|| point.alternative());
        let placed = points_with_paths(self.moves).into_iter();
        placed
            .filter_map(|(at, point)| Some((at, own(&point)?)))
            .collect()
    }

    /// The arguments of a formal debate among these moves, each with its place; that of a rebuttal
    /// is empty.
    pub fn contentions_with_paths(&self) -> Vec<(String, &'a Contention)> {
        let placed = points_with_paths(self.moves).into_iter();
        placed
            .filter_map(|(at, point)| Some((at, point.contention()?)))
            .collect()
    }

    /// The scores, in a turn that gives them.
    pub fn scores(&self) -> Option<&'a Scores> {
        self.moves.scores()
    }

    /// What each side defends, in the turn that says it.
    pub fn theses(&self) -> Option<&'a Theses> {
        self.moves.theses()
    }

    /// What is said, in a formal debate.
    pub fn formal(&self) -> Option<&'a Formal> {
        self.moves.formal()
    }

    /// The exchange of this turn; none outside of one.
    pub fn exchange(&self) -> Option<u16> {
        match self.turn.stage {
            Stage::Round(exchange) => Some(exchange),
            Stage::Theses | Stage::Verdict | Stage::Swap => None,
        }
    }

    /// Every list of grounds of this turn of a duel, with the place of its owner.
    pub fn duel_grounds_with_paths(&self) -> Vec<(String, &'a [Ground])> {
        let placed = points_with_paths(self.moves).into_iter();
        placed
            .filter(|(_, point)| point.contention().is_none())
            .map(|(at, point)| (at, point.grounds()))
            .collect()
    }

    /// The number of points this turn makes.
    pub fn point_count(&self) -> usize {
        point::points(self.moves).len()
    }

    /// A breach that is no more than a warning, unless the debate says otherwise.
    pub fn slight_breach(
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

    /// A breach at `at`, as grave as its rule says; which rule it breaks is added by
    /// [`check_moves`](super::check_moves).
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

/// The place of `name` in what stands at `at`; nothing stands at the whole reply.
pub(super) fn join_path(at: &str, name: &str) -> String {
    match at {
        "" => name.to_owned(),
        at => format!("{at}.{name}"),
    }
}

/// `ids` as a list for people; the first twelve.
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
