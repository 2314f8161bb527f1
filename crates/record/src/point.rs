//! The points of a debate: what can be named, attacked, conceded.

use crate::id::{NodeId, Seat, TurnId};
use crate::moves::{
    Agreement, Argument, Assessment, Contention, FollowUp, Ground, Moves, MovesKind, Objection,
    Response,
};

/// What kind of point a node is, with the move that made it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Point<'a> {
    /// An argument for the seat's own position.
    Argument(&'a Argument),
    /// An objection to a point of the other side.
    Objection(&'a Objection),
    /// An answer to an objection.
    Response(&'a Response),
    /// A ruling on an answer.
    Assessment(&'a Assessment),
    /// A point of the other side that is accepted.
    Agreement(&'a Agreement),
    /// Another answer to the topic.
    Alternative(&'a Argument),
    /// An argument of a formal debate.
    Contention(&'a Contention),
}

impl<'a> Point<'a> {
    /// The one point it speaks of, if it speaks of one; a contention names each where it attacks
    /// or defends it.
    pub fn target(&self) -> Option<NodeId> {
        match self {
            Self::Argument(_) | Self::Alternative(_) | Self::Contention(_) => None,
            Self::Objection(objection) => Some(objection.target),
            Self::Response(response) => Some(response.objection),
            Self::Assessment(assessment) => Some(assessment.response),
            Self::Agreement(agreement) => Some(agreement.target),
        }
    }

    /// What it rests on.
    pub fn grounds(&self) -> &'a [Ground] {
        match self {
            Self::Argument(argument) | Self::Alternative(argument) => &argument.grounds,
            Self::Objection(objection) => &objection.grounds,
            Self::Response(response) => &response.grounds,
            Self::Assessment(assessment) => &assessment.grounds,
            Self::Agreement(agreement) => &agreement.grounds,
            Self::Contention(contention) => &contention.argument.grounds,
        }
    }

    /// What it is, in one word.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Argument(_) | Self::Contention(_) => "argument",
            Self::Objection(_) => "objection",
            Self::Response(_) => "response",
            Self::Assessment(_) => "assessment",
            Self::Agreement(_) => "agreement",
            Self::Alternative(_) => "alternative",
        }
    }

    /// Its title, where it has one.
    pub fn title(&self) -> Option<&'a str> {
        match self {
            Self::Argument(argument) | Self::Alternative(argument) => Some(&argument.title),
            Self::Contention(contention) => Some(&contention.argument.title),
            Self::Objection(_) | Self::Response(_) | Self::Assessment(_) | Self::Agreement(_) => {
                None
            }
        }
    }

    /// The sentence that says it best.
    pub fn text(&self) -> &'a str {
        match self {
            Self::Argument(argument) | Self::Alternative(argument) => &argument.claim,
            Self::Objection(objection) => &objection.content,
            Self::Response(response) => &response.content,
            Self::Assessment(assessment) => &assessment.content,
            Self::Agreement(agreement) => &agreement.remaining_risk,
            Self::Contention(contention) => &contention.argument.claim,
        }
    }
}

/// The points of a turn's moves, in the order in which they are numbered.
///
/// `none_found` is no point; a blind answer and a verdict have none.
pub fn points(moves: &Moves) -> Vec<Point<'_>> {
    match moves {
        Moves::Blind(_) | Moves::Verdict(_) => Vec::new(),
        Moves::Formal(_) => moves.contentions().iter().map(Point::Contention).collect(),
        Moves::Opening(opening) => opening.arguments.iter().map(Point::Argument).collect(),
        Moves::Challenge(challenge) => challenging(
            &challenge.objections,
            &challenge.agreements,
            &challenge.alternatives,
        )
        .collect(),
        Moves::Defense(defense) => {
            let responses = defense.responses.iter().map(Point::Response);
            let arguments = defense.arguments.iter().map(Point::Argument);
            responses.chain(arguments).collect()
        }
        Moves::FollowUp(FollowUp {
            assessments,
            objections,
            agreements,
            alternatives,
            ..
        }) => assessments
            .iter()
            .map(Point::Assessment)
            .chain(challenging(objections, agreements, alternatives))
            .collect(),
    }
}

fn challenging<'a>(
    objections: &'a [Objection],
    agreements: &'a [Agreement],
    alternatives: &'a [Argument],
) -> impl Iterator<Item = Point<'a>> {
    let objections = objections.iter().map(Point::Objection);
    let agreements = agreements.iter().map(Point::Agreement);
    let alternatives = alternatives.iter().map(Point::Alternative);
    objections.chain(agreements).chain(alternatives)
}

/// The ids of the points that `moves` makes when admitted as `turn`.
///
/// The one argument of a formal rebuttal has no letter.
pub fn ids(turn: TurnId, moves: &Moves) -> Vec<NodeId> {
    let crate::id::Stage::Round(round) = turn.stage else {
        return Vec::new();
    };
    let lettered = moves.kind() != MovesKind::Rebuttal;
    (0..points(moves).len())
        .map(|place| NodeId {
            seat: turn.seat,
            round,
            place: u16::try_from(place).ok().filter(|_| lettered),
        })
        .collect()
}

/// A point with its id and the turn that made it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Node<'a> {
    /// Its id.
    pub id: NodeId,
    /// Where it was made.
    pub turn: TurnId,
    /// The point.
    pub point: Point<'a>,
}

impl Node<'_> {
    /// Who made it.
    pub fn seat(&self) -> Seat {
        self.id.seat
    }
}
