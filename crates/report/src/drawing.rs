//! Converts a debate to a drawing of its argument graph.

use agon_record::id::Seat;
use agon_record::moves::Choose;
use agon_record::state::State;
use agon_verdict::graph::{self, DebateGraph, EdgeKind, NodeKind};
use agon_verdict::verdict::{Verdict, verdict_without_graph};

use crate::graph::{Drawing, DrawnEdge, DrawnNode, DrawnSide, Polarity};
use crate::text::plain_line;

/// Returns the drawing of a debate: its points with their scores, and their relations.
///
/// A duel is drawn with both positions. In a formal debate every argument supports its own side,
/// which its colour shows already, so only attacks and defenses are drawn.
pub fn debate_drawing(state: &State) -> Drawing {
    let drawing = graph_drawing(&graph::build_graph(state), &state.spec.topic);
    Drawing {
        subtitle: verdict_without_graph(state).map_or_else(String::new, |it| subtitle(&it)),
        ..drawing
    }
}

/// Returns the answer with the headline of the verdict.
fn subtitle(verdict: &Verdict) -> String {
    match &verdict.answer {
        Some(answer) => format!("{} · {}", plain_line(answer), verdict.headline),
        None => verdict.headline.clone(),
    }
}

/// Returns the drawing of a graph that may have been changed, under a title.
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
        note: node_note(node),
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
        has_exchanges: !positions,
        nodes: nodes.collect(),
        edges: edges.collect(),
        ..Drawing::default()
    }
}

/// Returns a node's score or an objection's severity, with the fault of its citations.
fn node_note(node: &graph::GraphNode) -> Option<String> {
    let score = node.score.map(|score| score.to_string());
    let severity = node.severity.map(|severity| severity.label().to_owned());
    let fault = node.citations.fault().map(str::to_owned);
    let notes: Vec<_> = score.or(severity).into_iter().chain(fault).collect();
    (!notes.is_empty()).then(|| notes.join(", "))
}

/// Returns the polarity of a drawn edge; `None` for weights and for edges that repeat another.
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

/// Returns the word beside an edge. A formal debate has its own words for defenses, and a
/// challenger's ruling that concedes is a withdrawal.
fn edge_label(graph: &DebateGraph, edge: &graph::GraphEdge) -> &'static str {
    let speaker = graph.nodes()[edge.from.index()].kind;
    match edge.kind {
        EdgeKind::Reinforces => "reinforce",
        EdgeKind::Clarifies => "clarify",
        EdgeKind::GivesUp if speaker == NodeKind::Contention => "concede and pivot",
        EdgeKind::GivesUp if speaker == NodeKind::Assessment => "withdraws",
        _ => edge.kind.label(),
    }
}
