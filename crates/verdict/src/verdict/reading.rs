//! The argument graph's result for a debate, and the points it hangs on.

use std::collections::BTreeMap;

use agon_argue::{ArgId, FlipLimits, Gradual, Model, Strengths};
use agon_record::format::Judging;
use agon_record::id::{NodeId, Seat};
use agon_record::state::State;
use agon_record::weights::Weight;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::graph::{self, Base, DebateGraph, GraphStatus};

/// The semantics that a verdict uses for the graph.
///
/// It treats attacks and supports symmetrically, and many weak arguments cannot saturate it.
pub const SEMANTICS: Gradual = Gradual::QuadraticEnergy;

/// The largest difference of strengths at which neither side leads.
///
/// It is small, since strengths are close together if each side has many arguments.
pub const MARGIN: f64 = 1e-6;

// One of two real debates needed at least three points to reverse the graph. Four would be too
// slow: 50 points have twelve times as many sets of four as of three.
/// Maximum number of points that a verdict is said to hang on.
pub const MAX_POINTS: usize = 3;

/// Maximum number of nodes and edges visited in the search for a duel's flip set, which takes well
/// below a second.
const WORK: u64 = 20_000_000;

// A two-hundredth of `WORK`: less than the 15 ms of a complete judgment (`cargo xtask bench ops`).
// If the limit is reached, the verdict says so, and `agon graph` searches further.
/// The same limit for a formal debate, whose verdict is written after every judgment.
const WORK_EACH_ROUND: u64 = 100_000;

/// The argument graph's result for a debate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GraphReading {
    /// The leading side and both strengths, from the judge's scores if there are any, with less
    /// weight for wrong citations.
    #[serde(flatten)]
    pub scored: GraphLead,
    /// The same without scores and citation checks.
    pub equal: GraphLead,
    /// The factor, from 0 to 1, that lowers the base strength of a point with a wrong or missing
    /// citation; left out if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub citation_weight: Option<f64>,
    /// The semantics, such as `quadratic-energy`.
    pub semantics: String,
    /// The smallest set of at most three points without which the other side leads; of several, the
    /// first in the order of the debate. Empty if none was found.
    pub flip: Vec<NodeId>,
    /// The outcome of the search for that set.
    pub search: FlipSearch,
}

/// The side with the stronger position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GraphLead {
    /// The leading side; null if neither leads or the strengths do not settle.
    #[schemars(with = "Option<String>")]
    pub winner: Option<Seat>,
    /// The strength of each side's position, from 0 to 1.
    #[schemars(with = "BTreeMap<String, f64>")]
    pub strengths: BTreeMap<Seat, f64>,
    /// Whether the strengths settled.
    pub status: GraphStatus,
}

/// The outcome of the search for a flip set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FlipSearch {
    /// A set was found, or there is none.
    Complete,
    /// The search reached its limit; `agon graph` searches further.
    Limit,
    /// There was no search, because neither side leads.
    NotRun,
}

/// Computes the argument graph's result for the debate so far.
pub fn graph_reading(state: &State) -> GraphReading {
    let graph = graph::build_graph(state);
    let model = Model::new(SEMANTICS);
    let scored = graph.to_qbaf(Base::Scored);
    let strengths = model.evaluate(&scored);
    let same = scored
        .base_weights()
        .iter()
        .all(|&base| base == graph::MIDDLE);
    let equal = if same {
        strengths.clone()
    } else {
        model.evaluate(&graph.to_qbaf(Base::Equal))
    };
    let work = match state.format_rules().judging {
        Judging::AtTheEnd => WORK,
        Judging::EachRound => WORK_EACH_ROUND,
    };
    let limits = FlipLimits {
        size: MAX_POINTS,
        evaluations: work / (scored.len() + scored.edge_count()).max(1) as u64,
        // Results of recorded debates must not change, so the order of the search must not either.
        steps: None,
        margin: MARGIN,
        sets: 1,
    };
    let kept = graph.nodes().iter().find_map(|node| node.citation_weight);
    let scored_lead = leading_position(&graph, &strengths);
    let (mut flip, mut search) = (Vec::new(), FlipSearch::NotRun);
    let [one, other] = graph.position_ids();
    if scored_lead.winner.is_some()
        && let Ok(found) = model.flip_sets(&scored, one, other, limits)
    {
        let ids = found.sets.into_iter().flatten();
        flip = ids
            .filter_map(|at| graph.nodes()[at.index()].id.node_id())
            .collect();
        search = if found.complete {
            FlipSearch::Complete
        } else {
            FlipSearch::Limit
        };
    }
    GraphReading {
        scored: scored_lead,
        equal: leading_position(&graph, &equal),
        citation_weight: kept.map(Weight::to_f64),
        semantics: SEMANTICS.name().to_owned(),
        flip,
        search,
    }
}

/// Returns the side with the stronger position under `strengths`.
pub fn leading_position(graph: &DebateGraph, strengths: &Strengths) -> GraphLead {
    let value = |at: ArgId| strengths.values[at.index()];
    let [one, other] = graph.position_ids().map(value);
    let sides = graph.sides();
    let ahead = one - other;
    let winner = match ahead {
        _ if !strengths.status.is_settled() || ahead.abs() <= MARGIN => None,
        ahead if ahead > 0.0 => Some(sides[0]),
        _ => Some(sides[1]),
    };
    let millionths = |value: f64| (value * 1e6).round() / 1e6;
    GraphLead {
        winner,
        strengths: sides
            .into_iter()
            .zip([one, other].map(millionths))
            .collect(),
        status: strengths.status.into(),
    }
}
