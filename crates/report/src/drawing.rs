//! A debate as a graph to be drawn.

use agon_record::ground::Citations;
use agon_record::id::Seat;
use agon_record::state::State;
use agon_verdict::graph::{self, DebateGraph, EdgeKind, NodeKind};

use crate::graph::{Drawing, DrawnEdge, DrawnNode, DrawnSide, Polarity};

/// The points of a debate with their scores, and what they say of each other.
///
/// A duel is drawn with both positions. In a formal debate every argument is for its side's
/// position, and colour says so already: only attacks and defenses are drawn.
pub fn debate_drawing(state: &State) -> Drawing {
    graph_drawing(&graph::build_graph(state), &state.spec.topic)
}

/// The same for a graph that was changed, under a title.
pub fn graph_drawing(graph: &DebateGraph, title: &str) -> Drawing {
    let [first, _] = graph.sides();
    let positions = first == Seat::Proposer;
    let drawn = |node: &&graph::GraphNode| positions || node.kind != NodeKind::Position;
    let nodes = graph.nodes().iter().filter(drawn).map(|node| DrawnNode {
        id: match node.kind {
            NodeKind::Position => node.seat.to_string(),
            _ => node.id.to_string(),
        },
        title: node.title.clone(),
        note: score_or_citation_note(node),
        side: if node.seat == first {
            DrawnSide::For
        } else {
            DrawnSide::Against
        },
        round: node.round,
    });
    let left_out = if positions {
        0
    } else {
        graph.position_ids().len()
    };
    let edges = graph.edges().iter().filter_map(|edge| {
        let place = |at: usize| at.checked_sub(left_out);
        Some(DrawnEdge {
            from: place(edge.from.index())?,
            to: place(edge.to.index())?,
            polarity: edge_polarity(edge)?,
            label: edge_label(graph, edge).to_owned(),
        })
    });
    Drawing {
        title: title.to_owned(),
        nodes: nodes.collect(),
        edges: edges.collect(),
    }
}

/// The node's score; without one, how many of its citations are wrong or missing.
fn score_or_citation_note(node: &graph::GraphNode) -> Option<String> {
    let Citations { wrong, missing, .. } = node.citations;
    let score = node.score.map(|score| score.to_string());
    score.or_else(|| (wrong + missing > 0).then(|| format!("{} not there", wrong + missing)))
}

/// The polarity an edge is drawn with; `None` for weights and for edges without a polarity, which
/// repeat what another edge says.
fn edge_polarity(edge: &graph::GraphEdge) -> Option<Polarity> {
    match edge.kind {
        EdgeKind::Weighs(_) => None,
        EdgeKind::Concedes | EdgeKind::GivesUp => Some(Polarity::Concession),
        _ => edge.polarity().map(|polarity| match polarity {
            agon_argue::Polarity::Attack => Polarity::Attack,
            agon_argue::Polarity::Support => Polarity::Support,
        }),
    }
}

/// The word beside an edge; a formal debate has its own for defenses.
fn edge_label(graph: &DebateGraph, edge: &graph::GraphEdge) -> &'static str {
    let formal = graph.nodes()[edge.from.index()].kind == NodeKind::Contention;
    match edge.kind {
        EdgeKind::Reinforces => "reinforce",
        EdgeKind::Clarifies => "clarify",
        EdgeKind::GivesUp if formal => "concede and pivot",
        _ => edge.kind.label(),
    }
}
