//! Assembles the graph of a debate from its nodes and edges.

use agon_record::evidence;
use agon_record::format::Judging;
use agon_record::ground::Citations;
use agon_record::point::{self, Point};
use agon_record::score::Score;
use agon_record::state::State;
use agon_record::tally;
use agon_record::weights::{Weight, WeightName};

use super::build::Build;
use super::{DebateGraph, GraphNode, MIDDLE, NodeKind, duel_graph, formal_graph};

/// Builds the graph of the debate so far.
pub(super) fn assemble_graph(state: &State) -> DebateGraph {
    let sides = state.spec.format().sides();
    let points = state.nodes();
    let positions = sides.map(|seat| match state.format_rules().judging {
        Judging::AtTheEnd => duel_graph::node_for_side(state, seat),
        Judging::EachRound => formal_graph::node_for_side(state, seat),
    });
    let mut nodes = Vec::with_capacity(points.len() + 2);
    nodes.extend(positions);
    nodes.extend(points.iter().map(|point| point_node(state, point)));
    let mut build = Build::for_nodes(&nodes, &state.spec.weights);
    for point in &points {
        match point.point.contention() {
            Some(contention) => {
                formal_graph::add_contention_edges(&mut build, point.id, contention)
            }
            None => duel_graph::add_point_edges(&mut build, state, point),
        }
    }
    DebateGraph {
        sides,
        nodes,
        edges: build.into_edges(),
    }
}

fn point_node(state: &State, point: &point::Node<'_>) -> GraphNode {
    let text = point.point.main_text();
    let (kind, title) = match point.point {
        Point::Argument(argument) => (NodeKind::Argument, argument.title.as_str()),
        Point::Alternative(argument) => (NodeKind::Alternative, argument.title.as_str()),
        Point::Contention(contention) => (NodeKind::Contention, contention.argument.title.as_str()),
        Point::Objection(_) => (NodeKind::Objection, point.point.short_text()),
        Point::Response(_) => (NodeKind::Response, text),
        Point::Assessment(_) => (NodeKind::Assessment, text),
        Point::Agreement(_) => (NodeKind::Agreement, text),
    };
    let score = tally::current_score(state, point.id);
    let citations = Citations::from_ground_stamps(evidence::stamps_of_point(state, point.id));
    let weights = &state.spec.weights;
    let kept = citations
        .fault()
        .map(|_| weights.weight_of(WeightName::WrongCitation));
    GraphNode {
        id: point.id.into(),
        seat: point.seat(),
        round: Some(point.id.round),
        kind,
        title: title.to_owned(),
        text: text.to_owned(),
        score,
        severity: point.point.objection().map(|objection| objection.severity),
        base: base_strength(score, kept),
        citation_weight: kept,
        citations,
    }
}

/// Returns a point's base strength from its score and the factor for its citations.
fn base_strength(score: Option<Score>, kept: Option<Weight>) -> f64 {
    let whole = score.map_or(MIDDLE, |score| (1.0 + score.to_f64()) / 2.0);
    (whole * kept.unwrap_or(Weight::WHOLE).to_f64()).clamp(0.01, 0.99)
}
