//! What each side's points rest on, and what was said to be unsupported and stayed so.

use std::collections::BTreeMap;

use agon_record::id::{NodeId, Seat};
use agon_record::moves::{Citation, Ground, ObjectionKind, ReplyKind, RulingKind};
use agon_record::point::{Node, Point};
use agon_record::state::State;
use agon_record::support;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How many of a side's points rest on reasoning alone.
///
/// Counted are those that have to be shown by evidence: claims, objections to a claim or its grounds,
/// rebuttals, trade-offs and agreements.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Support {
    /// Its points that have to be shown by evidence.
    pub points: u32,
    /// Those that rest on reasoning alone, or on places that are not there.
    pub by_reasoning: u32,
    /// Which ones; left out where there is none, and in a result.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ids: Vec<NodeId>,
}

/// A point that was said to be unsupported, and nobody took that back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Unsupported {
    /// The point.
    pub id: NodeId,
    /// The point that says so.
    pub by: NodeId,
    /// Whether the side that made it conceded that.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub conceded: bool,
}

/// How many points of each side rest on reasoning alone.
///
/// None in a formal debate that cites no place at all: what others kept had no field for one.
pub fn support_counts(state: &State) -> BTreeMap<Seat, Support> {
    let mut grounds = state
        .nodes()
        .into_iter()
        .flat_map(|node| node.point.grounds());
    if state.is_scored() && !grounds.any(has_place) {
        return BTreeMap::new();
    }
    let counts = support::support_counts(state);
    let reasoned = support::unsupported_points(state);
    let sides = state.spec.format().sides().into_iter();
    let sides = sides.map(|seat| {
        let of_it = counts.get(&seat).copied().unwrap_or_default();
        let support = Support {
            points: of_it.asked,
            by_reasoning: of_it.unsupported,
            ids: reasoned
                .iter()
                .copied()
                .filter(|id| id.seat == seat)
                .collect(),
        };
        (seat, support)
    });
    sides.collect()
}

/// Whether a ground names a place that could be looked up.
pub(super) fn has_place(ground: &Ground) -> bool {
    let named = |citation: &Citation| {
        [&citation.file, &citation.commit, &citation.url]
            .into_iter()
            .chain([&citation.document, &citation.command])
            .any(Option::is_some)
    };
    ground.citation.as_ref().is_some_and(named)
}

/// The points that were said to be unsupported and stood so at the end, in the order of the debate.
///
/// An objection stands until its owner rules that the answer to it resolves it; one that was
/// conceded stands for good. An answer that calls an objection unsupported stands unless its owner
/// sustains it. A ruling that an answer is unsupported stands.
pub fn unsupported_points(state: &State) -> Vec<Unsupported> {
    let nodes = state.nodes();
    let found = nodes.iter().filter_map(|node| match node.point {
        Point::Objection(objection) if objection.kind == ObjectionKind::Unsupported => {
            let conceded = is_conceded(&nodes, node.id);
            let stands = conceded || !is_withdrawn(&nodes, node.id);
            stands.then_some(Unsupported {
                id: objection.target,
                by: node.id,
                conceded,
            })
        }
        Point::Response(response) if response.reply == ReplyKind::Unsupported => {
            let stands = !has_ruling(&nodes, node.id, RulingKind::Sustained);
            stands.then_some(Unsupported {
                id: response.objection,
                by: node.id,
                conceded: has_ruling(&nodes, node.id, RulingKind::Resolved),
            })
        }
        Point::Assessment(assessment) if assessment.ruling == RulingKind::Unsupported => {
            Some(Unsupported {
                id: assessment.response,
                by: node.id,
                conceded: false,
            })
        }
        _ => None,
    });
    found.collect()
}

fn answers_to(nodes: &[Node<'_>], objection: NodeId) -> impl Iterator<Item = (NodeId, ReplyKind)> {
    nodes.iter().filter_map(move |node| {
        let response = node.point.response()?;
        (response.objection == objection).then_some((node.id, response.reply))
    })
}

fn is_conceded(nodes: &[Node<'_>], objection: NodeId) -> bool {
    answers_to(nodes, objection).any(|(_, reply)| reply == ReplyKind::Concede)
}

fn is_withdrawn(nodes: &[Node<'_>], objection: NodeId) -> bool {
    answers_to(nodes, objection).any(|(answer, _)| has_ruling(nodes, answer, RulingKind::Resolved))
}

fn has_ruling(nodes: &[Node<'_>], answer: NodeId, kind: RulingKind) -> bool {
    let rulings = nodes.iter().filter_map(|node| node.point.assessment());
    let mut of_it = rulings.filter(|ruling| ruling.response == answer);
    of_it.any(|ruling| ruling.ruling == kind)
}

/// What rests on reasoning alone and what stood unsupported, as fragments without a full stop; empty
/// where every point cites a place and none was challenged.
pub fn support_sentences(state: &State) -> Vec<String> {
    let sides = state.spec.format().sides();
    let counts = support_counts(state);
    let weak: Vec<_> = sides
        .into_iter()
        .filter_map(|seat| Some((seat, counts.get(&seat)?)))
        .filter(|(_, support)| support.by_reasoning > 0)
        .map(|(seat, support)| {
            let (some, all) = (support.by_reasoning, support.points);
            let ids: Vec<_> = support.ids.iter().map(ToString::to_string).collect();
            format!("{some} of the {seat}'s {all} points ({})", ids.join(", "))
        })
        .collect();
    let mut said = Vec::new();
    if !weak.is_empty() {
        said.push(format!("on reasoning alone rest {}", weak.join(" and ")));
    }
    let unsupported = unsupported_points(state);
    if !unsupported.is_empty() {
        let ids = unsupported.iter().map(|one| match one.conceded {
            true => format!("{} (by {}, conceded)", one.id, one.by),
            false => format!("{} (by {})", one.id, one.by),
        });
        let ids: Vec<_> = ids.collect();
        said.push(format!("left unsupported: {}", ids.join(", ")));
    }
    said
}
