use std::collections::BTreeMap;

use agon_argue::ArgId;
use agon_record::ground::Citations;
use agon_record::id::{NodeId, Seat};
use agon_record::weights::{EdgeWeights, Weight};

use super::{EdgeKind, GraphEdge, GraphNode, MIDDLE, NodeKind, PointId};

/// A builder for the edges of a graph.
pub(super) struct Build<'a> {
    weights: &'a EdgeWeights,
    places: BTreeMap<PointId, ArgId>,
    edges: Vec<GraphEdge>,
}

impl<'a> Build<'a> {
    /// Creates a builder without edges for these nodes.
    pub(super) fn for_nodes(nodes: &[GraphNode], weights: &'a EdgeWeights) -> Self {
        let places = (0..).map(ArgId).zip(nodes);
        Self {
            weights,
            places: places.map(|(at, node)| (node.id, at)).collect(),
            edges: Vec::new(),
        }
    }

    /// Returns the edges in the order in which they were added.
    pub(super) fn into_edges(self) -> Vec<GraphEdge> {
        self.edges
    }

    /// Adds the edge from a point to its own side's position.
    pub(super) fn add_argues_edge(&mut self, from: NodeId) {
        let to = PointId::Position(from.seat);
        self.add_edge(from, to, EdgeKind::Argues, "");
    }

    /// Adds an edge with the weight of its kind; ignores ends that are not nodes.
    pub(super) fn add_edge(
        &mut self,
        from: NodeId,
        to: impl Into<PointId>,
        kind: EdgeKind,
        words: &str,
    ) {
        let weight = kind.weight_name().map(|name| self.weights.weight_of(name));
        self.add_edge_with_weight(from, to, kind, weight.unwrap_or(Weight::NONE), words);
    }

    /// Adds an edge with the given weight; ignores ends that are not nodes.
    pub(super) fn add_edge_with_weight(
        &mut self,
        from: NodeId,
        to: impl Into<PointId>,
        kind: EdgeKind,
        weight: Weight,
        words: &str,
    ) {
        let place = |id: PointId| self.places.get(&id).copied();
        if let (Some(from), Some(to)) = (place(from.into()), place(to.into())) {
            self.edges.push(GraphEdge {
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

/// Returns the node of a position, which has no score.
pub(super) fn position_node(seat: Seat, title: &str, text: &str) -> GraphNode {
    GraphNode {
        id: PointId::Position(seat),
        seat,
        round: None,
        kind: NodeKind::Position,
        title: title.to_owned(),
        text: text.to_owned(),
        score: None,
        severity: None,
        base: MIDDLE,
        citation_weight: None,
        citations: Citations::default(),
    }
}
