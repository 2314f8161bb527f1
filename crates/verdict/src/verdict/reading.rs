//! How the argument graph reads a debate, and what the verdict hangs on.

use std::collections::BTreeMap;

use agon_argue::{ArgId, FlipLimits, Gradual, Model, Strengths};
use agon_record::format::Judging;
use agon_record::id::{NodeId, Seat};
use agon_record::state::State;
use agon_record::weights::Weight;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::graph::{self, Base, DebateGraph, GraphStatus};

/// The semantics by which a verdict reads the graph.
///
/// It treats attack and support alike, and no number of weak arguments saturates it.
pub const SEMANTICS: Gradual = Gradual::QuadraticEnergy;

/// The greatest difference of strengths at which neither side leads.
///
/// Small, since strengths come close to one another where each side has many arguments.
pub const MARGIN: f64 = 1e-6;

// Of 50 points there are twelve times as many sets of four as of three. In one of two real debates
// no fewer than three turn the graph.
/// The most points that a verdict is said to hang on.
pub const MAX_POINTS: usize = 3;

/// Nodes and edges looked at in search of what a duel's verdict hangs on: well below a second.
const WORK: u64 = 20_000_000;

// A two-hundredth of a duel's: less than the 15 ms that `cargo xtask bench ops` takes for a whole
// judgment. Where it is not enough, the verdict says so, and `agon graph` searches on.
/// The same where judges score each round: the verdict is written after every judgment.
const WORK_EACH_ROUND: u64 = 100_000;

/// How the argument graph reads the debate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GraphReading {
    /// The side that leads, and how strong both are, from the judge's scores where there are any and
    /// with less for wrong citations.
    #[serde(flatten)]
    pub scored: GraphLead,
    /// The same as if nothing were scored or looked up.
    pub equal: GraphLead,
    /// The part of its strength from which a point starts that cites a wrong or missing place, from
    /// 0 to 1; left out where no point does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub citation_weight: Option<f64>,
    /// How strengths follow from the graph, such as `quadratic-energy`.
    pub semantics: String,
    /// The smallest set of at most three points without which the other side leads, the first in
    /// the order of the debate; empty when there is none, or none was found.
    pub flip: Vec<NodeId>,
    /// How far that set was looked for.
    pub search: FlipSearch,
}

/// Which side's position is the stronger one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GraphLead {
    /// The side that leads; null when neither does or the strengths do not settle.
    #[schemars(with = "Option<String>")]
    pub winner: Option<Seat>,
    /// How strong each side's position is, from 0 to 1.
    #[schemars(with = "BTreeMap<String, f64>")]
    pub strengths: BTreeMap<Seat, f64>,
    /// Whether the strengths are those that the semantics defines.
    pub status: GraphStatus,
}

/// How far a flip set was looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FlipSearch {
    /// Until it was found, or it was clear that there is none.
    Complete,
    /// Until the work that a verdict may take was done; `agon graph` looks further.
    Limit,
    /// Not at all: neither side leads.
    NotRun,
}

/// How the argument graph reads the debate as it stands.
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
        margin: MARGIN,
        sets: 1,
    };
    let kept = graph.nodes().iter().find_map(|node| node.citation_weight);
    let scored_lead = graph_lead(&graph, &strengths);
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
        equal: graph_lead(&graph, &equal),
        citation_weight: kept.map(Weight::to_f64),
        semantics: SEMANTICS.name().to_owned(),
        flip,
        search,
    }
}

/// Which side's position is the stronger one under `strengths` of `graph`.
pub fn graph_lead(graph: &DebateGraph, strengths: &Strengths) -> GraphLead {
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
