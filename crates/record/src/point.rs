//! The points of a debate: everything that has an id.

use crate::id::{NodeId, Seat, TurnId};
use crate::moves::{
    Agreement, Argument, Assessment, Contention, Ground, Moves, MovesKind, Objection, Response,
};

/// A point, by the kind of move that made it.
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
    /// An agreement with a point of the other side.
    Agreement(&'a Agreement),
    /// Another answer to the topic.
    Alternative(&'a Argument),
    /// An argument of a formal debate.
    Contention(&'a Contention),
}

impl<'a> Point<'a> {
    /// Returns the point that this one refers to, if there is exactly one. A contention names
    /// others in its attacks and defenses.
    pub fn target(&self) -> Option<NodeId> {
        match self {
            Self::Argument(_) | Self::Alternative(_) | Self::Contention(_) => None,
            Self::Objection(objection) => Some(objection.target),
            Self::Response(response) => Some(response.objection),
            Self::Assessment(assessment) => Some(assessment.response),
            Self::Agreement(agreement) => Some(agreement.target),
        }
    }

    /// Returns the argument for the seat's own position, if it is one.
    pub fn argument(&self) -> Option<&'a Argument> {
        if let Self::Argument(argument) = self {
            return Some(argument);
        }
        None
    }

    /// Returns the objection, if it is one.
    pub fn objection(&self) -> Option<&'a Objection> {
        if let Self::Objection(objection) = self {
            return Some(objection);
        }
        None
    }

    /// Returns the answer to an objection, if it is one.
    pub fn response(&self) -> Option<&'a Response> {
        if let Self::Response(response) = self {
            return Some(response);
        }
        None
    }

    /// Returns the ruling on an answer, if it is one.
    pub fn assessment(&self) -> Option<&'a Assessment> {
        if let Self::Assessment(assessment) = self {
            return Some(assessment);
        }
        None
    }

    /// Returns the agreement with a point of the other side, if it is one.
    pub fn agreement(&self) -> Option<&'a Agreement> {
        if let Self::Agreement(agreement) = self {
            return Some(agreement);
        }
        None
    }

    /// Returns the alternative answer, if it is one.
    pub fn alternative(&self) -> Option<&'a Argument> {
        if let Self::Alternative(alternative) = self {
            return Some(alternative);
        }
        None
    }

    /// Returns the argument of a formal debate, if it is one.
    pub fn contention(&self) -> Option<&'a Contention> {
        if let Self::Contention(contention) = self {
            return Some(contention);
        }
        None
    }

    /// Returns the Toulmin argument in it, if there is one.
    pub fn toulmin_argument(&self) -> Option<&'a Argument> {
        let own = self.argument().or_else(|| self.alternative());
        own.or_else(|| Some(&self.contention()?.argument))
    }

    /// Its grounds.
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

    /// Its kind, in one word.
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

    /// Its title, if it has one; objections have titles since version 5 of the prompts.
    pub fn title(&self) -> Option<&'a str> {
        match self {
            Self::Argument(argument) | Self::Alternative(argument) => Some(&argument.title),
            Self::Contention(contention) => Some(&contention.argument.title),
            Self::Objection(objection) => objection.title.as_deref(),
            Self::Response(_) | Self::Assessment(_) | Self::Agreement(_) => None,
        }
    }

    /// Returns a short text for the point: its title, or else its main sentence.
    pub fn short_text(&self) -> &'a str {
        self.title().unwrap_or_else(|| self.main_text())
    }

    /// Its main sentence.
    pub fn main_text(&self) -> &'a str {
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

/// Returns the points of a turn's moves, in the order of their ids.
///
/// A category in which nothing was found is not a point. A blind answer and a verdict contain no
/// points.
pub fn points(moves: &Moves) -> Vec<Point<'_>> {
    let mut all = Vec::new();
    for_each_point(moves, |_, _, point| all.push(point));
    all
}

/// Returns the points of a turn's moves with their paths, such as `objections[1]`; the path of a
/// rebuttal is empty.
pub fn points_with_paths(moves: &Moves) -> Vec<(String, Point<'_>)> {
    let mut all = Vec::new();
    for_each_point(moves, |list, at, point| {
        let path = match list {
            "" => String::new(),
            list => format!("{list}[{at}]"),
        };
        all.push((path, point));
    });
    all
}

/// Calls `take` for each point in the order of their ids, with the name of its list and its index
/// in the list.
pub(crate) fn for_each_point<'a>(
    moves: &'a Moves,
    mut take: impl FnMut(&'static str, usize, Point<'a>),
) {
    fn each<'a, T>(
        name: &'static str,
        list: &'a [T],
        point: fn(&'a T) -> Point<'a>,
        take: &mut impl FnMut(&'static str, usize, Point<'a>),
    ) {
        let points = list.iter().map(point).enumerate();
        points.for_each(|(at, point)| take(name, at, point));
    }
    let formal = match moves.kind() == MovesKind::Rebuttal {
        true => "",
        false => "arguments",
    };
    let take = &mut take;
    each(formal, moves.contentions(), Point::Contention, take);
    each("assessments", moves.assessments(), Point::Assessment, take);
    each("objections", moves.objections(), Point::Objection, take);
    each("agreements", moves.agreements(), Point::Agreement, take);
    each(
        "alternatives",
        moves.alternatives(),
        Point::Alternative,
        take,
    );
    each("responses", moves.responses(), Point::Response, take);
    each("arguments", moves.arguments(), Point::Argument, take);
}

/// Returns the ids that the points of `moves` get when they are admitted as `turn`.
///
/// The one argument of a formal rebuttal has no letter.
pub fn point_ids(turn: TurnId, moves: &Moves) -> Vec<NodeId> {
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
    /// The turn in which it was made.
    pub turn: TurnId,
    /// The point.
    pub point: Point<'a>,
}

impl Node<'_> {
    /// Returns the seat that made the point.
    pub fn seat(&self) -> Seat {
        self.id.seat
    }
}
