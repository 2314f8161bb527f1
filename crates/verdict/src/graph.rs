//! The argument graph of a debate of either format.
//!
//! The nodes are the two sides' positions and every point. The edges are the relations between
//! them: an argument supports its side's position, an objection attacks its target, an answer
//! attacks the objection, and a ruling supports or attacks the answer.
//!
//! The graph depends only on the kind of each point, its target, its score, and whether the cited
//! places exist. It does not depend on the text.
//! [`EdgeWeights`](agon_record::weights::EdgeWeights) defines the weight of each kind of edge and
//! the reason for it.
//!
//! **A point with a wrong or missing citation starts weaker**, by
//! [`WeightName::WrongCitation`](agon_record::weights::WeightName::WrongCitation), because the
//! evidence for its claim is not there. No other stamp changes a strength. A stamp says whether
//! words appear at a place, not what they prove; that is for the judge to weigh.
//!
//! **A concession is an attack on one's own point**, by the point that concedes it. Lowering the
//! base weight of the conceded point would have a similar effect. But an attack has its own
//! contribution, and it disappears when the conceding point is removed, while a lowered weight
//! would remain. Doubt about the conceding point is then also doubt about the concession.
//!
//! **Strengths start from the judge's scores** if there are any: `(1+x)/2`. A score of zero starts
//! from the middle, and a bad argument is a weak support, never an attack. Strengths stay between
//! 0.01 and 0.99, since some semantics cannot move 0 and 1. Everything else starts from 0.5. A
//! wrong citation lowers either start.
//!
//! ```
//! use agon_argue::{Gradual, Model};
//! use agon_verdict::graph::{self, Base};
//! use agon_record::id::Seat;
//! # use agon_record::{spec::Spec, state::State};
//! # let state = State::open(Spec::formal("cars", "Cities should ban private cars"));
//!
//! let graph = graph::build_graph(&state);
//! let strengths = Model::new(Gradual::QuadraticEnergy).evaluate(&graph.to_qbaf(Base::Scored));
//! let [one, other] = graph.position_ids();
//! assert_eq!(graph.nodes()[one.index()].seat, Seat::Proposition);
//! assert_eq!(strengths.values[one.index()], strengths.values[other.index()]);
//! ```

mod assemble;
mod build;
mod document;
mod duel_graph;
mod edge;
mod formal_graph;
mod id;
mod status;

use agon_argue::{Af, ArgId, Qbaf};

pub use document::{
    AcceptedDoc, ContributionDoc, ContributionsDoc, FlipDoc, GRAPH_SCHEMA, GraphDoc, LeadDoc,
    StrengthDoc,
};
pub use edge::{EdgeKind, GraphEdge};
pub use id::PointId;
pub use status::GraphStatus;

use agon_record::ground::Citations;
use agon_record::id::Seat;
use agon_record::moves::ObjectionSeverity;
use agon_record::score::Score;
use agon_record::state::State;
use agon_record::weights::Weight;

/// The argument graph of a debate.
///
/// The first two nodes are the positions, the first side's first. The points follow in the order of
/// the debate. An edge names its ends by their indexes among the nodes, which are also the indexes
/// in [`Qbaf`] and [`Af`].
#[derive(Clone, Debug, PartialEq)]
pub struct DebateGraph {
    sides: [Seat; 2],
    nodes: Vec<GraphNode>,
    edges: Vec<GraphEdge>,
}

/// A position or a point.
#[derive(Clone, Debug, PartialEq)]
pub struct GraphNode {
    /// The id.
    pub id: PointId,
    /// The seat that made it.
    pub seat: Seat,
    /// The round of the point; `None` for a position.
    pub round: Option<u16>,
    /// The kind of node.
    pub kind: NodeKind,
    /// The title, or the complete text if there is no title.
    pub title: String,
    /// The main sentence.
    pub text: String,
    /// The judge's score, in a formal debate.
    pub score: Option<Score>,
    /// The severity of an objection.
    pub severity: Option<ObjectionSeverity>,
    /// The base strength, from the score and the citations.
    pub base: f64,
    /// The factor by which a wrong or missing citation lowers the strength; `None` without one.
    pub citation_weight: Option<Weight>,
    /// The results of the citation checks.
    pub citations: Citations,
}

/// The kind of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NodeKind {
    /// A side's position.
    Position,
    /// An argument for the proposer's position.
    Argument,
    /// An objection to a point of the other side.
    Objection,
    /// An answer to an objection.
    Response,
    /// A ruling on an answer.
    Assessment,
    /// An acceptance of a point of the other side.
    Agreement,
    /// An argument for an alternative answer.
    Alternative,
    /// An argument of a formal debate.
    Contention,
}

impl NodeKind {
    /// Returns the name used in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Position => "position",
            Self::Argument => "argument",
            Self::Objection => "objection",
            Self::Response => "response",
            Self::Assessment => "assessment",
            Self::Agreement => "agreement",
            Self::Alternative => "alternative",
            Self::Contention => "contention",
        }
    }
}

/// The base strengths of the points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Base {
    /// From the judge's scores.
    Scored,
    /// All equal, without the scores.
    Equal,
}

// Scores from -1 to 1 become strengths from 0 to 1, so a score of zero becomes 0.5.
/// The base strength of a point without a score.
pub const MIDDLE: f64 = 0.5;

/// Builds the graph of the debate so far.
pub fn build_graph(state: &State) -> DebateGraph {
    assemble::assemble_graph(state)
}

impl DebateGraph {
    /// Returns the nodes: both positions, then the points in the order of the debate.
    pub fn nodes(&self) -> &[GraphNode] {
        &self.nodes
    }

    /// Returns the edges in the order of their points.
    pub fn edges(&self) -> &[GraphEdge] {
        &self.edges
    }

    /// Returns the indexes of the two positions, the first side's first.
    pub fn position_ids(&self) -> [ArgId; 2] {
        [ArgId(0), ArgId(1)]
    }

    /// Returns the index of a node.
    pub fn find(&self, id: PointId) -> Option<ArgId> {
        let at = self.nodes.iter().position(|node| node.id == id)?;
        // Cannot fail: a graph has far fewer nodes than 2^32.
        u32::try_from(at).ok().map(ArgId)
    }

    /// Returns the two sides, the first one first.
    pub fn sides(&self) -> [Seat; 2] {
        self.sides
    }

    /// Returns the graph without some points and their edges; the positions always stay.
    #[must_use]
    pub fn without_points(&self, ids: &[PointId]) -> Self {
        let stays = |node: &GraphNode| node.kind == NodeKind::Position || !ids.contains(&node.id);
        let mut places = vec![None; self.nodes.len()];
        let mut nodes = Vec::with_capacity(self.nodes.len());
        for (place, node) in places.iter_mut().zip(&self.nodes) {
            if stays(node) {
                *place = u32::try_from(nodes.len()).ok().map(ArgId);
                nodes.push(node.clone());
            }
        }
        let moved = |edge: &GraphEdge| {
            let (from, to) = (places[edge.from.index()]?, places[edge.to.index()]?);
            Some(GraphEdge {
                from,
                to,
                ..edge.clone()
            })
        };
        let edges = self.edges.iter().filter_map(moved).collect();
        Self {
            sides: self.sides,
            nodes,
            edges,
        }
    }

    /// Converts the graph for gradual semantics. Of several edges with the same ends and polarity
    /// the strongest counts.
    pub fn to_qbaf(&self, base: Base) -> Qbaf {
        let weights = self.nodes.iter().map(|node| match base {
            Base::Scored => node.base,
            Base::Equal => MIDDLE,
        });
        let edges = self.edges.iter().filter_map(|edge| {
            Some(agon_argue::Edge {
                from: edge.from,
                to: edge.to,
                polarity: edge.polarity()?,
                weight: edge.weight.to_f64(),
            })
        });
        let edges: Vec<_> = edges.collect();
        // Cannot fail: all weights are between 0 and 1, and all edges join existing nodes.
        Qbaf::new(weights.collect(), &edges).unwrap_or_default()
    }

    /// Converts the attacks for acceptance semantics, without attacks of weight 0.
    pub fn to_af(&self) -> Af {
        self.to_qbaf(Base::Equal).attack_framework(|_| true)
    }
}
