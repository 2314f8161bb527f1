//! How the argument graph reads a debate, and what the verdict hangs on.

use std::collections::BTreeMap;

use agon_argue::{ArgId, FlipLimits, Gradual, Model, Status, Strengths};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Verdict;
use crate::graph::{self, Base, DebateGraph};
use agon_record::id::{NodeId, Seat};
use agon_record::spec::FormatName;
use agon_record::state::State;

/// The semantics by which a verdict reads the graph.
///
/// It treats attack and support alike, and no number of weak arguments saturates it.
pub const SEMANTICS: Gradual = Gradual::QuadraticEnergy;

/// The greatest difference of strengths at which neither side leads.
///
/// Small, since strengths come close to one another where each side has many arguments.
pub const MARGIN: f64 = 1e-6;

/// The most points that a verdict is said to hang on.
pub const MOST_POINTS: usize = 3;

/// Nodes and edges looked at in search of what a duel's verdict hangs on: well below a second.
const WORK: u64 = 20_000_000;

/// The same for a formal debate, whose verdict is written after every judgment.
const WORK_FORMAL: u64 = 100_000;

/// How the argument graph reads the debate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GraphReading {
    /// The side that leads, and how strong both are, from the judge's scores where there are any.
    #[serde(flatten)]
    pub scored: GraphLead,
    /// The same as if nothing were scored.
    pub equal: GraphLead,
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

/// How far strengths can be relied on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum GraphStatus {
    /// The graph has no cycle.
    Exact,
    /// It has, and all settled.
    Converged,
    /// A cycle never settles.
    Oscillating,
    /// A cycle had not settled when the steps were used up.
    Limit,
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

/// Who says what a verdict hangs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum HangsOnBy {
    /// The graph: without these points the other side leads it.
    Graph,
    /// The judge, who named them as decisive.
    Judge,
}

impl From<Status> for GraphStatus {
    fn from(status: Status) -> Self {
        match status {
            Status::Exact => Self::Exact,
            Status::Converged { .. } => Self::Converged,
            Status::Oscillating { .. } => Self::Oscillating,
            Status::Limit { .. } => Self::Limit,
        }
    }
}

/// Adds what the graph says to a verdict with a winner.
///
/// A verdict hangs on what the graph says when the graph is for the same side and some points turn
/// it, else on what the judge named as decisive.
pub(super) fn read(state: &State, verdict: &mut Verdict) {
    let judged = verdict.readings.judge.is_some() || verdict.readings.tally.is_some();
    if !judged {
        return;
    }
    let reading = reading(state);
    let agrees = verdict.winner.is_some() && reading.scored.winner == verdict.winner;
    if agrees && !reading.flip.is_empty() {
        verdict.hangs_on.clone_from(&reading.flip);
        verdict.hangs_on_by = Some(HangsOnBy::Graph);
    } else if !verdict.hangs_on.is_empty() {
        verdict.hangs_on_by = Some(HangsOnBy::Judge);
    }
    verdict.readings.graph = Some(reading);
}

/// How the argument graph reads the debate as it stands.
pub fn reading(state: &State) -> GraphReading {
    let graph = graph::of(state);
    let model = Model::new(SEMANTICS);
    let scored = graph.qbaf(Base::Scored);
    let strengths = model.evaluate(&scored);
    let same = scored.base().iter().all(|&base| base == graph::MIDDLE);
    let equal = if same {
        strengths.clone()
    } else {
        model.evaluate(&graph.qbaf(Base::Equal))
    };
    let work = match state.spec.format {
        FormatName::Duel => WORK,
        FormatName::Formal => WORK_FORMAL,
    };
    let limits = FlipLimits {
        size: MOST_POINTS,
        evaluations: work / (scored.len() + scored.edge_count()).max(1) as u64,
        margin: MARGIN,
        sets: 1,
    };
    let scored_lead = lead(&graph, &strengths);
    let (mut flip, mut search) = (Vec::new(), FlipSearch::NotRun);
    let [one, other] = graph.positions();
    if scored_lead.winner.is_some()
        && let Ok(found) = model.flip_sets(&scored, one, other, limits)
    {
        let ids = found.sets.into_iter().flatten();
        flip = ids
            .filter_map(|at| graph.nodes()[at.index()].id.point())
            .collect();
        search = if found.complete {
            FlipSearch::Complete
        } else {
            FlipSearch::Limit
        };
    }
    GraphReading {
        scored: scored_lead,
        equal: lead(&graph, &equal),
        semantics: SEMANTICS.name().to_owned(),
        flip,
        search,
    }
}

/// Which side's position is the stronger one under `strengths` of `graph`.
pub fn lead(graph: &DebateGraph, strengths: &Strengths) -> GraphLead {
    let value = |at: ArgId| strengths.values[at.index()];
    let [one, other] = graph.positions().map(value);
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

/// What the verdict hangs on by whose account, in a sentence or two; none when there is no reading.
pub fn hangs_on_says(verdict: &Verdict) -> Option<String> {
    let reading = verdict.readings.graph.as_ref()?;
    let it = match verdict.hangs_on.as_slice() {
        [_] => "it",
        _ => "them",
    };
    let named = |seat: Seat| {
        let blind = verdict.blind.as_ref();
        let answer = blind
            .filter(|blind| !blind.agree)
            .and_then(|blind| match seat {
                Seat::Proposer => blind.proposer.as_deref(),
                Seat::Challenger => blind.challenger.as_deref(),
                Seat::Proposition | Seat::Opposition | Seat::Judge(_) => None,
            });
        match answer {
            Some(answer) => format!("the {seat} ({answer})"),
            None => format!("the {seat}"),
        }
    };
    let other = reading.scored.winner.and_then(Seat::opponent);
    if verdict.hangs_on_by == Some(HangsOnBy::Graph) {
        return Some(format!(
            "Without {it} the graph turns to {}.",
            named(other?)
        ));
    }
    let why = match (reading.scored.winner, reading.search) {
        (None, _) if !reading.scored.status.is_settled() => {
            "the strengths of the graph do not settle".to_owned()
        }
        (None, _) => "in the graph neither side leads".to_owned(),
        (Some(winner), _) if verdict.winner != Some(winner) => {
            format!("the graph is for {} as it is", named(winner))
        }
        (Some(_), FlipSearch::Limit) => {
            format!(
                "what turns the graph takes longer to find: agon graph {}",
                verdict.debate
            )
        }
        (Some(_), FlipSearch::Complete | FlipSearch::NotRun) => {
            format!("no {MOST_POINTS} points turn the graph")
        }
    };
    Some(match verdict.hangs_on_by {
        Some(HangsOnBy::Graph | HangsOnBy::Judge) => format!("By the judge's account; {why}."),
        None => format!("On no few points: {why}."),
    })
}

impl GraphStatus {
    /// Whether the strengths are those that the semantics defines.
    pub fn is_settled(self) -> bool {
        match self {
            Self::Exact | Self::Converged => true,
            Self::Oscillating | Self::Limit => false,
        }
    }

    /// The name used in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Converged => "converged",
            Self::Oscillating => "oscillating",
            Self::Limit => "limit",
        }
    }
}
