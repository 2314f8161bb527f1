use std::collections::BTreeMap;

use agon_argue::ArgId;

use super::{DebateGraph, Edge, EdgeKind, MIDDLE, Node, NodeKind, PointId};
use super::{duel, formal};
use agon_record::evidence;
use agon_record::ground::Citations;
use agon_record::id::{NodeId, Seat};
use agon_record::point;
use agon_record::point::Point;
use agon_record::score::Score;
use agon_record::spec::FormatName;
use agon_record::state::State;
use agon_record::tally;
use agon_record::weights::{EdgeWeights, Weight};

/// A graph as it is put together.
pub(super) struct Build<'a> {
    weights: &'a EdgeWeights,
    places: BTreeMap<PointId, ArgId>,
    edges: Vec<Edge>,
}

pub(super) fn graph(state: &State) -> DebateGraph {
    let sides = state.spec.format.sides();
    let points = state.nodes();
    let positions = sides.map(|seat| match state.spec.format {
        FormatName::Duel => duel::position(state, seat),
        FormatName::Formal => formal::position(state, seat),
    });
    let mut nodes = Vec::with_capacity(points.len() + 2);
    nodes.extend(positions);
    nodes.extend(points.iter().map(|point| node(state, point)));
    let places = (0..).map(ArgId).zip(&nodes);
    let mut build = Build {
        weights: &state.spec.weights,
        places: places.map(|(at, node)| (node.id, at)).collect(),
        edges: Vec::new(),
    };
    for point in &points {
        match point.point {
            Point::Contention(contention) => formal::edges(&mut build, point.id, contention),
            Point::Argument(_)
            | Point::Objection(_)
            | Point::Response(_)
            | Point::Assessment(_)
            | Point::Agreement(_)
            | Point::Alternative(_) => duel::edges(&mut build, state, point),
        }
    }
    DebateGraph {
        sides,
        nodes,
        edges: build.edges,
    }
}

impl Build<'_> {
    /// From a point to its side's position.
    pub(super) fn argues(&mut self, from: NodeId) {
        let to = PointId::Position(from.seat);
        self.add(from, to, EdgeKind::Argues, "");
    }

    /// An edge of the weight that its kind has; ends that are no nodes are passed over.
    pub(super) fn add(
        &mut self,
        from: NodeId,
        to: impl Into<PointId>,
        kind: EdgeKind,
        words: &str,
    ) {
        let weight = kind.weight().map(|name| self.weights.of(name));
        self.add_weighing(from, to, kind, (weight.unwrap_or(Weight::NONE), words));
    }

    /// The same with a weight of its own.
    pub(super) fn add_weighing(
        &mut self,
        from: NodeId,
        to: impl Into<PointId>,
        kind: EdgeKind,
        (weight, words): (Weight, &str),
    ) {
        let place = |id: PointId| self.places.get(&id).copied();
        if let (Some(from), Some(to)) = (place(from.into()), place(to.into())) {
            self.edges.push(Edge {
                from,
                to,
                kind,
                weight,
                words: words.to_owned(),
            });
        }
    }

    pub(super) fn weights(&self) -> &EdgeWeights {
        self.weights
    }
}

/// A position, which nobody scores.
pub(super) fn position(seat: Seat, title: &str, text: &str) -> Node {
    Node {
        id: PointId::Position(seat),
        seat,
        round: None,
        kind: NodeKind::Position,
        title: title.to_owned(),
        text: text.to_owned(),
        score: None,
        base: MIDDLE,
        citations: Citations::default(),
    }
}

fn node(state: &State, point: &point::Node<'_>) -> Node {
    let text = point.point.text();
    let (kind, title) = match point.point {
        Point::Argument(argument) => (NodeKind::Argument, argument.title.as_str()),
        Point::Alternative(argument) => (NodeKind::Alternative, argument.title.as_str()),
        Point::Contention(contention) => (NodeKind::Contention, contention.argument.title.as_str()),
        Point::Objection(_) => (NodeKind::Objection, text),
        Point::Response(_) => (NodeKind::Response, text),
        Point::Assessment(_) => (NodeKind::Assessment, text),
        Point::Agreement(_) => (NodeKind::Agreement, text),
    };
    let score = tally::score(state, point.id);
    Node {
        id: point.id.into(),
        seat: point.seat(),
        round: Some(point.id.round),
        kind,
        title: title.to_owned(),
        text: text.to_owned(),
        score,
        base: score.map_or(MIDDLE, base),
        citations: Citations::of(evidence::of_point(state, point.id)),
    }
}

/// The strength that a score starts from.
fn base(score: Score) -> f64 {
    ((1.0 + score.to_f64()) / 2.0).clamp(0.01, 0.99)
}
