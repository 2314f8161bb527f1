use agon_record::id::{NodeId, Seat};
use agon_record::moves::{Argument, Assessment, Objection, ReplyKind, Response, RulingKind};
use agon_record::point::{self, Point};
use agon_record::state::State;
use agon_record::weights::{Weight, WeightName};

use super::build::{self, Build};
use super::edge::EdgeKind;
use super::{GraphNode, PointId};

/// Returns the position of a side.
///
/// The proposer's position is its latest stance. The challenger's is its first answer, or, if the
/// proposer gave the same answer, its first alternative.
pub(super) fn node_for_side(state: &State, seat: Seat) -> GraphNode {
    let blind = state.blind_answer(seat);
    if seat == Seat::Proposer {
        let stated = latest_stance(state).or(blind.map(|blind| blind.position.as_str()));
        let text = stated.unwrap_or_default();
        let title = blind.map_or(text, |blind| &blind.answer);
        return build::position_node(seat, title, text);
    }
    let own = blind.filter(|_| state.stop_on_agreement() != Some(false));
    match (own, first_alternative_argument(state)) {
        (Some(blind), _) => build::position_node(seat, &blind.answer, &blind.position),
        (None, Some(other)) => build::position_node(seat, &other.title, &other.claim),
        (None, None) => {
            let text = "the proposer's position does not hold";
            build::position_node(seat, text, text)
        }
    }
}

/// Returns the proposer's latest stance.
fn latest_stance(state: &State) -> Option<&str> {
    state
        .admitted_turns()
        .filter_map(|(_, said)| said.moves.stance())
        .last()
}

fn first_alternative_argument(state: &State) -> Option<&Argument> {
    let points = state.nodes().into_iter();
    let mut alternatives = points.filter_map(|node| node.point.alternative());
    alternatives.next()
}

pub(super) fn add_point_edges(build: &mut Build<'_>, state: &State, node: &point::Node<'_>) {
    let id = node.id;
    match node.point {
        Point::Argument(_) | Point::Alternative(_) => build.add_argues_edge(id),
        Point::Objection(objection) => add_objection_edges(build, id, objection),
        Point::Response(response) => add_response_edges(build, state, id, response),
        Point::Assessment(assessment) => add_assessment_edges(build, state, id, assessment),
        Point::Agreement(agreement) => build.add_edge(id, agreement.target, EdgeKind::Agrees, ""),
        Point::Contention(_) => {}
    }
}

/// Adds the edge from an objection to its target and, if its severity has weight, one to the
/// position of the target's side.
fn add_objection_edges(build: &mut Build<'_>, id: NodeId, objection: &Objection) {
    build.add_edge(id, objection.target, EdgeKind::Objects(objection.kind), "");
    if build.weights().weight_of(objection.severity) > Weight::NONE {
        let position = PointId::Position(objection.target.seat);
        build.add_edge(id, position, EdgeKind::Weighs(objection.severity), "");
    }
}

/// Adds the edge from an answer to the objection; a concession also attacks the conceded point.
fn add_response_edges(build: &mut Build<'_>, state: &State, id: NodeId, response: &Response) {
    let kind = match response.reply {
        ReplyKind::Rebut | ReplyKind::Unsupported => EdgeKind::Rebuts,
        ReplyKind::Tradeoff => EdgeKind::TradesOff,
        ReplyKind::Concede => EdgeKind::Concedes,
    };
    build.add_edge(id, response.objection, kind, "");
    if kind == EdgeKind::Concedes
        && let Some(point::Node {
            point: Point::Objection(objection),
            ..
        }) = state.node(response.objection)
    {
        let weights = build.weights();
        let reaches = weights.weight_of(objection.kind);
        let weight = weights.weight_of(WeightName::Concession).times(reaches);
        let kind = EdgeKind::GivesUp;
        build.add_edge_with_weight(id, objection.target, kind, weight, "");
    }
}

/// Adds the edges of a ruling to the answer and to the objection: `resolved` gives up the
/// objection, `sustained` upholds it.
///
/// A ruling on a concession has no edge to it. `resolved` then only confirms the concession and
/// leaves the objection as strong as it was; every other ruling upholds the objection.
fn add_assessment_edges(build: &mut Build<'_>, state: &State, id: NodeId, assessment: &Assessment) {
    let ruling = assessment.ruling;
    let Some(point::Node {
        point: Point::Response(response),
        ..
    }) = state.node(assessment.response)
    else {
        return;
    };
    let concedes = response.reply == ReplyKind::Concede;
    if concedes {
        let kind = EdgeKind::Rules(ruling);
        build.add_edge_with_weight(id, assessment.response, kind, Weight::NONE, "");
    } else {
        build.add_edge(id, assessment.response, EdgeKind::Rules(ruling), "");
    }
    let objection = response.objection;
    match ruling {
        RulingKind::Resolved if concedes => {}
        RulingKind::Resolved => build.add_edge(id, objection, EdgeKind::GivesUp, ""),
        RulingKind::Sustained => build.add_edge(id, objection, EdgeKind::Upholds, ""),
        _ if concedes => build.add_edge(id, objection, EdgeKind::Upholds, ""),
        _ => {}
    }
}
