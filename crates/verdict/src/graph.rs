//! A debate of either format as one typed graph.
//!
//! Nodes are the positions, one a side, and every point that was made. Edges say what a point is
//! to another: each argument speaks for its side's position, an objection against its target, an
//! answer against the objection, a ruling for or against the answer.
//!
//! Nothing here depends on what a point says, only on what kind of point it is, whom it is about,
//! how a judge scored it, and whether the places it cites exist.
//! [`EdgeWeights`](agon_record::weights::EdgeWeights) has how much each kind of edge carries, with
//! the reason.
//!
//! **A point that cites a wrong or missing place starts weaker**, by
//! [`WeightName::WrongCitation`](agon_record::weights::WeightName::WrongCitation): what it gives to
//! show its claim is not there. No other stamp changes a strength: a stamp says whether words stand
//! at a place, not what they prove. That is the judge's to weigh.
//!
//! **A concession is an attack on one's own point**, by the point that concedes it. Lowering the
//! conceded point's base weight would say the same as long as the question is not what the concession did:
//! an attack has a contribution of its own, and is gone when the node that made it is taken out,
//! where a lowered weight would stay behind. It shares the fate of the point that makes it: what
//! throws doubt on that point throws doubt on what it gives up.
//!
//! **Strengths start from the judge's scores** where there are scores: `(1+x)/2`, so that a score
//! of zero starts from the middle and a bad argument is a weak support, never an attack. They are
//! kept from 0.01 to 0.99, since some semantics cannot move 0 and 1. All else starts from 0.5, and a
//! wrong citation takes its part from either.
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
mod duel;
mod edge;
mod formal;
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

/// A debate as a graph.
///
/// The first two nodes are the positions, that of the first side first; the points follow in the
/// order of the debate. An edge names its ends by their places among the nodes, which are also the
/// numbers of [`Qbaf`] and [`Af`].
#[derive(Clone, Debug, PartialEq)]
pub struct DebateGraph {
    sides: [Seat; 2],
    nodes: Vec<GraphNode>,
    edges: Vec<GraphEdge>,
}

/// A position or a point.
#[derive(Clone, Debug, PartialEq)]
pub struct GraphNode {
    /// Its name.
    pub id: PointId,
    /// Whose it is.
    pub seat: Seat,
    /// The round in which it was made; none for a position.
    pub round: Option<u16>,
    /// What it is.
    pub kind: NodeKind,
    /// What it is called; the whole text of what has no title.
    pub title: String,
    /// The sentence that says it best.
    pub text: String,
    /// The judge's score, in a formal debate.
    pub score: Option<Score>,
    /// How much hangs on it, of an objection.
    pub severity: Option<ObjectionSeverity>,
    /// The strength it starts from, by its score and its citations.
    pub base: f64,
    /// The part of that strength which is left because it cites a wrong or missing place; none
    /// where it does not.
    pub citation_weight: Option<Weight>,
    /// What was found at the places that its grounds cite, as far as they were looked up.
    pub citations: Citations,
}

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NodeKind {
    /// What a side defends as a whole.
    Position,
    /// An argument for the proposer's position.
    Argument,
    /// An objection to a point of the other side.
    Objection,
    /// An answer to an objection.
    Response,
    /// A ruling on an answer.
    Assessment,
    /// A point of the other side that is accepted.
    Agreement,
    /// An argument for another answer.
    Alternative,
    /// An argument of a formal debate.
    Contention,
}

impl NodeKind {
    /// The name used in files.
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

/// Where strengths start from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Base {
    /// The judge's scores.
    Scored,
    /// All from the middle, as if nothing were scored.
    Equal,
}

// What a score of zero comes to: scores from -1 to 1 become strengths from 0 to 1.
/// The strength from which all points without a score start.
pub const MIDDLE: f64 = 0.5;

/// The graph of the debate as it stands.
pub fn build_graph(state: &State) -> DebateGraph {
    assemble::assemble_graph(state)
}

impl DebateGraph {
    /// The nodes: both positions, then the points in the order of the debate.
    pub fn nodes(&self) -> &[GraphNode] {
        &self.nodes
    }

    /// The edges, in the order in which their points were made.
    pub fn edges(&self) -> &[GraphEdge] {
        &self.edges
    }

    /// Where the two positions stand, that of the first side first.
    pub fn position_ids(&self) -> [ArgId; 2] {
        [ArgId(0), ArgId(1)]
    }

    /// Where a node stands.
    pub fn find(&self, id: PointId) -> Option<ArgId> {
        let at = self.nodes.iter().position(|node| node.id == id)?;
        // A graph has far fewer nodes.
        u32::try_from(at).ok().map(ArgId)
    }

    /// The two sides, the first one first.
    pub fn sides(&self) -> [Seat; 2] {
        self.sides
    }

    /// The same graph without some points and the edges at them; positions stay.
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

    /// The graph as gradual semantics read it; of two edges of one polarity between the same two
    /// the stronger counts.
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
        // Bases and weights are from 0 to 1 and ends are nodes: there is no error to be had.
        Qbaf::new(weights.collect(), &edges).unwrap_or_default()
    }

    /// The attacks alone, as the semantics of acceptance read it; one of weight 0 is none.
    pub fn to_af(&self) -> Af {
        self.to_qbaf(Base::Equal).attack_framework(|_| true)
    }
}
